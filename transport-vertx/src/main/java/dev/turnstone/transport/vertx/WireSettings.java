package dev.turnstone.transport.vertx;

import org.jspecify.annotations.Nullable;

/**
 * What every listener can be told about its connections.
 *
 * @param connectionsMax how many connections all of the broker's listeners may have together before this one takes no
 *     more
 * @param loginTimeoutMs how long a peer may take from the connect to the end of its login
 * @param lingerMs how long a connection that has been ended with a last frame waits for the peer to read it and close
 * @param writeQueueBytesMax how much may wait for a socket that does not take it before deliveries stop
 * @param tls how it speaks TLS; null if it does not
 */
public record WireSettings(
        int connectionsMax,
        int loginTimeoutMs,
        int lingerMs,
        int writeQueueBytesMax,
        @Nullable TlsSettings tls) {
    /** Reads them from a listener's settings, by these names. */
    public static WireSettings read(ListenSettings settings) {
        return new WireSettings(
                settings.number("connectionsMax", 10_000, 1),
                settings.number("loginTimeoutMs", 10_000, 1),
                settings.number("lingerMs", 2_000, 1),
                settings.number("writeQueueBytesMax", 64 * 1024, 1),
                TlsSettings.read(settings));
    }
}
