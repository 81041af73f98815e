package dev.turnstone.server.load;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** An MQTT 3.1.1 connection with a clean session over a plain socket. One thread may read while others write. */
final class MqttSocket implements AutoCloseable {
    static final int PUBLISH = 3;
    static final int PUBACK = 4;
    static final int PUBREC = 5;
    static final int PUBREL = 6;
    static final int PUBCOMP = 7;
    private static final int CONNECT = 1;
    private static final int CONNACK = 2;
    private static final int SUBSCRIBE = 8;
    private static final int SUBACK = 9;
    private static final int RELEASE_FLAGS = 2;
    private static final int REFUSED = 0x80;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    /** A packet that has come. */
    record Packet(int type, int flags, byte[] body) {
        /** The packet identifier that stands at an offset. */
        int packetId(int at) {
            return (body[at] & 0xff) << 8 | body[at + 1] & 0xff;
        }

        int qos() {
            return flags >> 1 & 3;
        }

        /** Where the topic of a PUBLISH ends. */
        int topicEnd() {
            return 2 + packetId(0);
        }
    }

    /** Connects, and logs in if there is a user. */
    MqttSocket(LoadTarget target, String clientId) throws IOException {
        socket = target.connect();
        in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
        ByteArrayOutputStream connect = new ByteArrayOutputStream();
        text(connect, "MQTT");
        boolean user = target.user() != null;
        // Protocol level 4, clean session, no keep-alive.
        connect.writeBytes(new byte[] {4, (byte) (user ? 0xC2 : 2), 0, 0});
        text(connect, clientId);
        if (user) {
            text(connect, String.valueOf(target.user()));
            text(connect, String.valueOf(target.password()));
        }
        packet(CONNECT << 4, connect.toByteArray(), new byte[0]);
        flush();
        Packet answer = read();
        if (answer.type() != CONNACK || answer.body()[1] != 0) {
            socket.close();
            throw new IOException("the login was refused: " + refusal(answer.body()[1]));
        }
    }

    private static String refusal(int code) {
        return switch (code) {
            case 2 -> "the client identifier is not accepted";
            case 3 -> "the broker is not available";
            case 4 -> "the user is unknown or the password is wrong";
            case 5 -> "the user may not";
            default -> "return code " + code;
        };
    }

    private static void text(ByteArrayOutputStream to, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        to.write(utf8.length >> 8);
        to.write(utf8.length);
        to.writeBytes(utf8);
    }

    private synchronized void packet(int first, byte[] head, byte[] body) throws IOException {
        out.write(first);
        int length = head.length + body.length;
        for (; length > 0x7f; length >>>= 7) {
            out.write(length & 0x7f | 0x80);
        }
        out.write(length);
        out.write(head);
        out.write(body);
    }

    /** Waits so long for what comes next; 0 for ever. */
    void patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /** True if there is more that came with what was read. */
    boolean more() throws IOException {
        return in.available() > 0;
    }

    void publish(String topic, int qos, int packetId, byte[] body) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        text(head, topic);
        if (qos > 0) {
            head.write(packetId >> 8);
            head.write(packetId);
        }
        packet(PUBLISH << 4 | qos << 1, head.toByteArray(), body);
    }

    /** Subscribes and waits until it is done. */
    void subscribe(String topic, int qos) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(0);
        body.write(1);
        text(body, topic);
        body.write(qos);
        packet(SUBSCRIBE << 4 | RELEASE_FLAGS, body.toByteArray(), new byte[0]);
        flush();
        Packet answer = read();
        if (answer.type() != SUBACK || (answer.body()[2] & REFUSED) != 0) {
            throw new IOException("the subscription to " + topic + " was refused");
        }
    }

    /** An answer to a packet with an identifier. */
    void answer(int type, int packetId) throws IOException {
        byte[] id = {(byte) (packetId >> 8), (byte) packetId};
        packet(type << 4 | (type == PUBREL ? RELEASE_FLAGS : 0), id, new byte[0]);
    }

    synchronized void flush() throws IOException {
        out.flush();
    }

    Packet read() throws IOException {
        int first = one();
        int length = 0;
        int next;
        int shift = 0;
        do {
            next = one();
            length |= (next & 0x7f) << shift;
            shift += 7;
        } while (next > 0x7f);
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the broker has closed the connection");
        }
        return new Packet(first >> 4, first & 0xf, body);
    }

    private int one() throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException("the broker has closed the connection");
        }
        return next;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
