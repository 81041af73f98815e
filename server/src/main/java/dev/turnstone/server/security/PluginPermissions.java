package dev.turnstone.server.security;

import dev.turnstone.port.Address;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.Authorizer;
import dev.turnstone.spi.Principal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a plug-in who may do what; where it fails, nobody may. Equal to itself alone, so that the engine forgets what it
 * remembers of the one before. The engine's thread.
 */
final class PluginPermissions implements Authorizer {
    private static final Logger LOG = LoggerFactory.getLogger(PluginPermissions.class);

    private final Authorizer plugin;

    PluginPermissions(Authorizer plugin) {
        this.plugin = plugin;
    }

    @Override
    public boolean allows(Principal principal, @Nullable String clientId, Action action, Address address) {
        try {
            return plugin.allows(principal, clientId, action, address);
        } catch (RuntimeException e) {
            LOG.error(
                    "The plug-in for permissions failed to say whether '{}' may {} {}; they may not",
                    principal.name(),
                    action.words(),
                    address,
                    e);
            return false;
        }
    }
}
