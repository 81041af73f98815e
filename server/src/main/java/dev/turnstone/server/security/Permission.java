package dev.turnstone.server.security;

import dev.turnstone.port.Address;
import dev.turnstone.server.config.Setting;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.Principal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets roles do something with addresses. Immutable.
 *
 * @param role to whom; {@link #EVERYBODY} for all that are logged in
 * @param address with what
 * @param allow what
 */
public record Permission(
        @Setting(
                value = "a list of the roles that the permission is for; `*` is everybody who is logged in",
                required = true)
        Set<String> role,

        @Setting(value = "the pattern of the addresses that it is about", required = true)
        AddressPattern address,

        @Setting(
                value = "a list of `send`, `consume`, `browse`, `create`, `delete`, `manage`, or `all`",
                required = true,
                list = true)
        Actions allow) {
    /** In place of a role: all that are logged in. */
    public static final String EVERYBODY = "*";

    /** Keeps a copy. */
    public Permission {
        role = Set.copyOf(role);
    }

    /**
     * Reads the written form.
     *
     * @throws IllegalArgumentException if the pattern or an action is not one
     */
    public static Permission of(List<String> roles, String addresses, List<String> actions) {
        return new Permission(Set.copyOf(roles), AddressPattern.parse(addresses), Actions.of(actions));
    }

    boolean allows(Principal principal, @Nullable String clientId, Action action, Address address) {
        return allow.holds(action) && isFor(principal) && this.address.matches(address, principal.name(), clientId);
    }

    private boolean isFor(Principal principal) {
        if (role.contains(EVERYBODY)) {
            return true;
        }
        for (String one : principal.roles()) {
            if (role.contains(one)) {
                return true;
            }
        }
        return false;
    }
}
