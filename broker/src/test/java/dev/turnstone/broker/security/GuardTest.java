package dev.turnstone.broker.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Address;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.AuditLog;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.Principal;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class GuardTest {
    private static final Principal ADA = new Principal("ada", Set.of(), Principal.NEVER, "test");

    /** Knows people when they come, and not any more afterwards. */
    private static final class Forgetful implements Authenticator {
        @Override
        public CompletionStage<Principal> authenticate(Login login) {
            return CompletableFuture.completedFuture(ADA);
        }

        @Override
        public Principal known(Login login) {
            throw new IllegalStateException("the directory is not there");
        }

        @Override
        public Principal renew(Principal principal) {
            throw new IllegalStateException("the directory is not there");
        }
    }

    @Test
    void whatAPlugInThrowsIsANo() {
        Security broken = new Security(
                new Forgetful(),
                (principal, clientId, action, address) -> {
                    throw new IllegalStateException("the rules are not there");
                },
                AuditLog.NONE);
        Guard guard = new Guard(broken, 10);
        Login login = new Login("ada", "secret", null, "stomp", "127.0.0.1:1");
        Access access = guard.admit(ADA, login, "c1");
        assertThat(access.permits(Action.SEND, Address.queue("q"))).isFalse();
        assertThat(access.renew()).isFalse();
        assertThat(guard.renew(ADA)).isNull();
        assertThat(guard.known(login)).isNull();
    }
}
