package dev.turnstone.transport.vertx;

import org.jspecify.annotations.Nullable;

/**
 * What every listener can be told about its connections.
 *
 * @param connectionsMax how many connections all of the broker's listeners may have together before this one takes no
 *     more
 * @param connectionsPerAddressMax how many of them may come from one address
 * @param connectsPerSecondMax how many times an address may connect within one second
 * @param loginTimeoutMs how long a peer may take from the connect to the end of its login
 * @param lingerMs how long a connection that has been ended with a last frame waits for the peer to read it and close
 * @param writeQueueBytesMax how much may wait for a socket that does not take it before deliveries stop
 * @param wholeBytesMax the largest body that goes to a client in one piece though it is stored apart, in bytes
 * @param proxies who may connect, each announcing a client with the PROXY protocol; empty if clients connect themselves
 * @param tls how it speaks TLS; null if it does not
 */
public record WireSettings(
        int connectionsMax,
        int connectionsPerAddressMax,
        int connectsPerSecondMax,
        int loginTimeoutMs,
        int lingerMs,
        int writeQueueBytesMax,
        int wholeBytesMax,
        Proxies proxies,
        @Nullable TlsSettings tls) {
    /**
     * Checks the files that they name.
     *
     * @throws dev.turnstone.port.BrokerException INVALID_CONFIGURATION if one cannot be used
     */
    public void check() {
        if (tls != null) {
            Certificates.read(tls, loginTimeoutMs);
        }
    }

    /** Reads them from a listener's settings, by these names. */
    public static WireSettings read(ListenSettings settings) {
        return new WireSettings(
                settings.number("connectionsMax", 10_000, 1),
                settings.number("connectionsPerAddressMax", 10_000, 1),
                settings.number("connectsPerSecondMax", 5_000, 1),
                settings.number("loginTimeoutMs", 10_000, 1),
                settings.number("lingerMs", 2_000, 1),
                settings.number("writeQueueBytesMax", 64 * 1024, 1),
                settings.number("wholeBytesMax", 16 << 20, 1),
                Proxies.read(settings),
                TlsSettings.read(settings));
    }
}
