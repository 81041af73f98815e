package dev.turnstone.server.security;

import dev.turnstone.port.Login;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.Principal;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks a plug-in about logins; those with a password are throttled as everybody's are. Any thread. */
record PluginLogins(Authenticator plugin, LoginThrottle throttle) implements Authenticator {
    private static final Logger LOG = LoggerFactory.getLogger(PluginLogins.class);

    @Override
    public CompletionStage<Principal> authenticate(Login login) {
        return login.password() == null ? plugin.authenticate(login) : throttle.check(login, plugin);
    }

    /** Called on the engine's thread, which a plug-in must not end. */
    @Override
    public @Nullable Principal renew(Principal principal) {
        try {
            return plugin.renew(principal);
        } catch (RuntimeException e) {
            LOG.error("The plug-in for logins failed to say what '{}' has become; they are out", principal.name(), e);
            return null;
        }
    }
}
