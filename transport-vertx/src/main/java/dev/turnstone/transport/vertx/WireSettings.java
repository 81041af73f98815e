package dev.turnstone.transport.vertx;

import dev.turnstone.spi.ListenSetting;
import io.netty.channel.WriteBufferWaterMark;
import java.util.List;
import java.util.stream.Stream;
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
 * @param writeQueue how much may wait for a socket that does not take it before deliveries stop, and go on
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
        WriteBufferWaterMark writeQueue,
        int wholeBytesMax,
        Proxies proxies,
        @Nullable TlsSettings tls) {
    private static final ListenSetting CONNECTIONS_MAX = new ListenSetting(
            "connectionsMax", "10000", "connections of all listeners together, beyond which this one takes no more");
    private static final ListenSetting CONNECTIONS_PER_ADDRESS_MAX = new ListenSetting(
            "connectionsPerAddressMax", "10000", "of them from one address; an IPv6 network of 64 bits counts as one");
    private static final ListenSetting CONNECTS_PER_SECOND_MAX =
            new ListenSetting("connectsPerSecondMax", "5000", "how many times one address may connect within a second");
    private static final ListenSetting LOGIN_TIMEOUT_MS = new ListenSetting(
            "loginTimeoutMs",
            "10000",
            "from connect to login; before that, for the TLS handshake and for a PROXY header; of an `http` listener"
                    + " also for each request");
    private static final ListenSetting LINGER_MS =
            new ListenSetting("lingerMs", "2000", "how long a connection stays open for a last frame to be read");
    private static final ListenSetting WRITE_QUEUE_BYTES_MAX =
            ListenSetting.bytes("writeQueueBytesMax", 64 << 10, "what may wait for a socket before deliveries stop");
    private static final ListenSetting WHOLE_BYTES_MAX = ListenSetting.bytes(
            "wholeBytesMax", 16 << 20, "largest body that goes to a client in one piece though it is stored apart");
    private static final List<ListenSetting> OWN = List.of(
            CONNECTIONS_MAX,
            CONNECTIONS_PER_ADDRESS_MAX,
            CONNECTS_PER_SECOND_MAX,
            LOGIN_TIMEOUT_MS,
            LINGER_MS,
            WRITE_QUEUE_BYTES_MAX,
            WHOLE_BYTES_MAX,
            Proxies.SETTING);

    /** The settings of every listener, and those of a protocol besides. */
    public static List<ListenSetting> with(List<ListenSetting> ofProtocol) {
        return Stream.of(OWN, TlsSettings.ALL, ofProtocol).flatMap(List::stream).toList();
    }

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

    private static WriteBufferWaterMark writeQueue(int bytesMax) {
        return new WriteBufferWaterMark(bytesMax / 2, bytesMax);
    }

    /** Reads them from a listener's settings, by these names. */
    public static WireSettings read(ListenSettings settings) {
        return new WireSettings(
                settings.number(CONNECTIONS_MAX, 1),
                settings.number(CONNECTIONS_PER_ADDRESS_MAX, 1),
                settings.number(CONNECTS_PER_SECOND_MAX, 1),
                settings.number(LOGIN_TIMEOUT_MS, 1),
                settings.number(LINGER_MS, 1),
                writeQueue(settings.number(WRITE_QUEUE_BYTES_MAX, 1)),
                settings.number(WHOLE_BYTES_MAX, 1),
                Proxies.read(settings),
                TlsSettings.read(settings));
    }
}
