package dev.turnstone.spi;

import java.util.Map;

/**
 * Makes an authenticator of one's own, found with {@link java.util.ServiceLoader} and named in configuration
 * ({@code security.authenticator.name}); it then is the only one. Any thread.
 */
public interface AuthenticatorProvider {
    /** The name in configuration. */
    String name();

    /**
     * Makes an authenticator. It is used until the broker ends or configuration names another or other options; if it
     * is {@link java.io.Closeable}, it is closed then.
     *
     * @param options what configuration has under {@code security.authenticator.options}; may hold secrets
     * @throws dev.turnstone.port.BrokerException INVALID_CONFIGURATION that says which option is wrong
     */
    Authenticator open(Map<String, String> options);
}
