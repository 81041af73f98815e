package dev.turnstone.spi;

import java.util.Map;

/**
 * Makes an authorizer of one's own, found with {@link java.util.ServiceLoader} and named in configuration
 * ({@code security.authorizer.name}), in place of permissions. Any thread.
 */
public interface AuthorizerProvider {
    /** The name in configuration. */
    String name();

    /**
     * Makes an authorizer. It is used until the broker ends or configuration names another or other options; if it is
     * {@link java.io.Closeable}, it is closed then. At each SIGHUP it is asked anew what the broker remembers of it.
     *
     * @param options what configuration has under {@code security.authorizer.options}; may hold secrets
     * @throws dev.turnstone.port.BrokerException INVALID_CONFIGURATION that says which option is wrong
     */
    Authorizer open(Map<String, String> options);
}
