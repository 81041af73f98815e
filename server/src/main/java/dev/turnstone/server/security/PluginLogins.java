package dev.turnstone.server.security;

import dev.turnstone.port.Login;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.Principal;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Asks a plug-in about logins; those with a password are throttled as everybody's are. Any thread. */
record PluginLogins(Authenticator plugin, LoginThrottle throttle) implements Authenticator {
    @Override
    public CompletionStage<Principal> authenticate(Login login) {
        return login.password() == null ? plugin.authenticate(login) : throttle.check(login, plugin);
    }

    @Override
    public @Nullable Principal renew(Principal principal) {
        return plugin.renew(principal);
    }
}
