package dev.turnstone.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Address;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.Principal;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PermissionsTest {
    private static final Principal CLERK = new Principal("alice", Set.of("clerks"), Principal.NEVER, "test");
    private static final Principal BOTH = new Principal("bob", Set.of("clerks", "admins"), Principal.NEVER, "test");
    private static final Principal NOBODY = Principal.anonymous(Set.of());
    private static final Address ORDERS = Address.queue("orders.new");

    private final Permissions permissions = new Permissions(List.of(
            Permission.of(List.of("clerks"), "orders.>", List.of("send", "browse")),
            Permission.of(List.of("admins", "operators"), ">", List.of("all")),
            Permission.of(List.of("*"), "topic:news", List.of("consume"))));

    @Test
    void whatNoPermissionAllowsIsForbidden() {
        assertThat(allows(CLERK, Action.CONSUME, ORDERS)).isFalse();
        assertThat(allows(CLERK, Action.SEND, Address.queue("bills"))).isFalse();
        assertThat(allows(NOBODY, Action.SEND, ORDERS)).isFalse();
    }

    @Test
    void aRoleGetsWhatItsPermissionsAllow() {
        assertThat(allows(CLERK, Action.SEND, ORDERS)).isTrue();
        assertThat(allows(CLERK, Action.BROWSE, ORDERS)).isTrue();
        for (Action action : Action.values()) {
            assertThat(allows(BOTH, action, Address.topic("anything"))).isTrue();
        }
    }

    @Test
    void theStarIsForEverybody() {
        assertThat(allows(NOBODY, Action.CONSUME, Address.topic("news"))).isTrue();
        assertThat(allows(NOBODY, Action.CONSUME, Address.queue("news"))).isFalse();
    }

    @Test
    void anUnknownActionIsRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> Permission.of(List.of("x"), ">", List.of("send", "receive")))
                .hasMessage(
                        "'receive' is no action; known are: send, consume, browse, create, delete, manage, and all");
    }

    private boolean allows(Principal principal, Action action, Address address) {
        return permissions.allows(principal, null, action, address);
    }
}
