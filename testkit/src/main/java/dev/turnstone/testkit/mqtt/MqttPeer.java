package dev.turnstone.testkit.mqtt;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttEncoder;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttPublishVariableHeader;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttReasonCodeAndPropertiesVariableHeader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * An MQTT client on a blocking socket that does nothing by itself. What waits throws {@link SocketTimeoutException}
 * when time is up, and {@link EOFException} or another {@link IOException} when the connection is gone.
 */
public final class MqttPeer implements Closeable {
    private static final int CONNECT_TIMEOUT_MS = 5_000;
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final int PACKET_MAX = 4 << 20;

    private final Socket socket;
    private final EmbeddedChannel codec = new EmbeddedChannel(MqttEncoder.INSTANCE, new MqttDecoder(PACKET_MAX));
    private final byte[] buffer = new byte[64 * 1024];

    private MqttPeer(Socket socket) {
        this.socket = socket;
    }

    /** A socket to this port of this machine, on which nothing was sent. */
    public static MqttPeer open(int port) throws IOException {
        return open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** A client on a socket that is connected, such as one over TLS or WebSocket. */
    public static MqttPeer on(Socket socket) {
        return new MqttPeer(socket);
    }

    private static MqttPeer open(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(address, CONNECT_TIMEOUT_MS);
        return new MqttPeer(socket);
    }

    /** Connects, and fails unless that is accepted. */
    public static MqttPeer connect(int port, MqttLogin login) throws IOException {
        MqttPeer peer = open(port);
        MqttConnAckMessage answer = peer.login(login);
        if (answer.variableHeader().connectReturnCode().byteValue() != 0) {
            peer.close();
            throw new IOException("refused: " + answer.variableHeader().connectReturnCode());
        }
        return peer;
    }

    /** Sends CONNECT and returns the answer. */
    public MqttConnAckMessage login(MqttLogin login) throws IOException {
        start(login);
        return (MqttConnAckMessage) next();
    }

    /** Sends CONNECT; the answer is to come. */
    public void start(MqttLogin login) throws IOException {
        send(login.message());
    }

    /** Sends a packet. */
    public void send(MqttMessage message) throws IOException {
        codec.writeOutbound(message);
        for (ByteBuf bytes = codec.readOutbound(); bytes != null; bytes = codec.readOutbound()) {
            socket.getOutputStream().write(ByteBufUtil.getBytes(bytes));
            bytes.release();
        }
    }

    /** Sends bytes, in hexadecimal; blanks do not count. */
    public void raw(String hex) throws IOException {
        raw(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    /** Sends bytes. */
    public void raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Sends PUBLISH. */
    public void publish(String topic, String payload, int qos, int packetId) throws IOException {
        publish(topic, payload, qos, packetId, false, false, MqttProperties.NO_PROPERTIES);
    }

    /** Sends PUBLISH with all that it can have. */
    public void publish(
            String topic,
            String payload,
            int qos,
            int packetId,
            boolean duplicate,
            boolean retain,
            MqttProperties properties)
            throws IOException {
        MqttFixedHeader header =
                new MqttFixedHeader(MqttMessageType.PUBLISH, duplicate, MqttQoS.valueOf(qos), retain, 0);
        ByteBuf body = Unpooled.copiedBuffer(payload, StandardCharsets.UTF_8);
        send(new MqttPublishMessage(header, new MqttPublishVariableHeader(topic, packetId, properties), body));
    }

    /** Sends SUBSCRIBE for one filter and waits for SUBACK; returns its code. */
    public int subscribe(String filter, int qos) throws IOException {
        send(MqttMessageBuilders.subscribe()
                .messageId(1)
                .addSubscription(MqttQoS.valueOf(qos), filter)
                .build());
        return ((io.netty.handler.codec.mqtt.MqttSubAckMessage) await(MqttMessageType.SUBACK))
                .payload()
                .reasonCodes()
                .get(0);
    }

    /** Sends PUBACK, PUBREC, PUBREL or PUBCOMP. */
    public void ack(MqttMessageType type, int packetId) throws IOException {
        MqttQoS qos = type == MqttMessageType.PUBREL ? MqttQoS.AT_LEAST_ONCE : MqttQoS.AT_MOST_ONCE;
        send(new MqttMessage(
                new MqttFixedHeader(type, false, qos, false, 0), MqttMessageIdVariableHeader.from(packetId)));
    }

    /** The next packet. */
    public MqttMessage next() throws IOException {
        return next(ANSWER);
    }

    /** The next packet, if it comes within that time. */
    public MqttMessage next(Duration patience) throws IOException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            MqttMessage message = codec.readInbound();
            if (message != null) {
                if (message.decoderResult().isFailure()) {
                    throw new IOException("not MQTT", message.decoderResult().cause());
                }
                return message;
            }
            long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
            if (left <= 0) {
                throw new SocketTimeoutException("no packet within " + patience);
            }
            socket.setSoTimeout((int) left);
            int read = socket.getInputStream().read(buffer);
            if (read < 0) {
                throw new EOFException("the broker has closed the connection");
            }
            codec.writeInbound(Unpooled.copiedBuffer(buffer, 0, read));
        }
    }

    /** The next packet, which must be of this type. */
    public MqttMessage await(MqttMessageType type) throws IOException {
        MqttMessage message = next();
        if (message.fixedHeader().messageType() != type) {
            throw new IOException("expected " + type + ", not " + message);
        }
        return message;
    }

    /** The next packet, which must be of this type and have this packet identifier; returns its reason code. */
    public int await(MqttMessageType type, int packetId) throws IOException {
        MqttMessageIdVariableHeader header =
                (MqttMessageIdVariableHeader) await(type).variableHeader();
        if (header.messageId() != packetId) {
            throw new IOException("expected " + type + " " + packetId + ", not " + header.messageId());
        }
        return header instanceof io.netty.handler.codec.mqtt.MqttPubReplyMessageVariableHeader reply
                ? reply.reasonCode() & 0xff
                : 0;
    }

    /** The next packet, which must be PUBLISH. */
    public MqttPublishMessage message() throws IOException {
        return (MqttPublishMessage) await(MqttMessageType.PUBLISH);
    }

    /** What a PUBLISH carries, as text. */
    public static String text(MqttPublishMessage message) {
        return message.payload().toString(StandardCharsets.UTF_8);
    }

    /** True if nothing comes within that time. */
    public boolean silent(Duration time) throws IOException {
        try {
            MqttMessage message = next(time);
            throw new IOException("expected nothing, not " + message);
        } catch (SocketTimeoutException e) {
            return true;
        }
    }

    /** Reads until the broker closes; the reason code of a DISCONNECT before that, or -1. */
    public int awaitClose() throws IOException {
        int reason = -1;
        try {
            while (true) {
                @Nullable Object header = lastWords(next());
                if (header instanceof MqttReasonCodeAndPropertiesVariableHeader words) {
                    reason = words.reasonCode() & 0xff;
                }
            }
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return reason;
        }
    }

    private static @Nullable Object lastWords(MqttMessage message) {
        return message.fixedHeader().messageType() == MqttMessageType.DISCONNECT ? message.variableHeader() : null;
    }

    /** Sends DISCONNECT and closes. */
    public void disconnect() throws IOException {
        send(MqttMessageBuilders.disconnect().build());
        close();
    }

    /** Closes the socket without DISCONNECT. */
    @Override
    public void close() throws IOException {
        codec.finishAndReleaseAll();
        socket.close();
    }
}
