package dev.turnstone.server.security;

import dev.turnstone.port.Address;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.Authorizer;
import dev.turnstone.spi.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What configuration permits: what no permission allows is forbidden.
 *
 * @param permissions in any order
 */
public record Permissions(List<Permission> permissions) implements Authorizer {
    /** Keeps a copy. */
    public Permissions {
        permissions = List.copyOf(permissions);
    }

    @Override
    public boolean allows(Principal principal, @Nullable String clientId, Action action, Address address) {
        for (Permission permission : permissions) {
            if (permission.allows(principal, clientId, action, address)) {
                return true;
            }
        }
        return false;
    }
}
