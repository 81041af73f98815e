package dev.turnstone.testkit.web;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The client's side of one WebSocket. A time-out while reading loses nothing: the next call goes on from there. */
public final class WebSocketPeer implements Closeable {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(20);
    private static final byte[] MASK = {0x12, 0x34, 0x56, 0x78};

    private final Socket socket;
    private byte[] received = new byte[8192];
    private int from;
    private int to;
    private String answer = "";

    /** A peer on a connected socket that has said nothing yet. */
    public WebSocketPeer(Socket socket) {
        this.socket = socket;
    }

    /**
     * A WebSocket that the server has agreed to.
     *
     * @param headers further header lines of the request
     */
    public static WebSocketPeer open(Socket socket, String path, String... headers) throws IOException {
        WebSocketPeer peer = new WebSocketPeer(socket);
        int status = peer.handshake(path, headers);
        if (status != 101) {
            socket.close();
            throw new IOException("no WebSocket: " + peer.answer);
        }
        return peer;
    }

    /** Asks for a WebSocket; answers the status. */
    public int handshake(String path, String... headers) throws IOException {
        StringBuilder request = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n"
                + "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return request(request.append("\r\n").toString());
    }

    /** Sends a request as it is; answers the status. */
    public int request(String text) throws IOException {
        raw(text.getBytes(StandardCharsets.UTF_8));
        long deadline = System.nanoTime() + ANSWER_TIMEOUT.toNanos();
        int end;
        while ((end = headEnd()) < 0) {
            fill(deadline);
        }
        answer = new String(received, from, end - from, StandardCharsets.ISO_8859_1);
        from = end + 4;
        return Integer.parseInt(answer.split(" ", 3)[1]);
    }

    private int headEnd() {
        for (int at = from; at + 3 < to; at++) {
            if (received[at] == '\r'
                    && received[at + 1] == '\n'
                    && received[at + 2] == '\r'
                    && received[at + 3] == '\n') {
                return at;
            }
        }
        return -1;
    }

    /** A header of the server's answer to the request, or null. */
    public @Nullable String header(String name) {
        return answer.lines()
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse(null);
    }

    /** Sends a whole text message. */
    public void text(String text) throws IOException {
        frame(WebSocketFrame.FIN | WebSocketFrame.TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a whole binary message. */
    public void binary(byte[] payload) throws IOException {
        frame(WebSocketFrame.FIN | WebSocketFrame.BINARY, payload);
    }

    /** Sends a frame, masked as RFC 6455 demands of clients. */
    public void frame(int first, byte[] payload) throws IOException {
        raw(encoded(first, payload, true));
    }

    /** The bytes of a frame. */
    public static byte[] encoded(int first, byte[] payload, boolean masked) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int mask = masked ? 0x80 : 0;
        out.write(first);
        if (payload.length < 126) {
            out.write(mask | payload.length);
        } else if (payload.length < 65_536) {
            out.write(mask | 126);
            out.write(payload.length >> 8);
            out.write(payload.length);
        } else {
            out.write(mask | 127);
            for (int shift = 56; shift >= 0; shift -= 8) {
                out.write((int) ((long) payload.length >> shift));
            }
        }
        if (masked) {
            out.writeBytes(MASK);
        }
        byte[] body = payload.clone();
        for (int at = 0; masked && at < body.length; at++) {
            body[at] ^= MASK[at % MASK.length];
        }
        out.writeBytes(body);
        return out.toByteArray();
    }

    /** Writes bytes as they are. */
    public void raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** The next frame. */
    public WebSocketFrame read(Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            WebSocketFrame frame = parsed();
            if (frame != null) {
                return frame;
            }
            fill(deadline);
        }
    }

    /** Reads until there is a close frame; answers its status. */
    public int awaitClose(Duration timeout) throws IOException {
        while (true) {
            WebSocketFrame frame = read(timeout);
            if (frame.opcode() == WebSocketFrame.CLOSE) {
                return frame.status();
            }
        }
    }

    /** Waits until the server has closed the connection, whatever comes before. */
    public void awaitEnd(Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            while (true) {
                from = to;
                fill(deadline);
            }
        } catch (EOFException e) {
            return;
        }
    }

    private @Nullable WebSocketFrame parsed() throws IOException {
        if (to - from < 2) {
            return null;
        }
        if ((received[from + 1] & 0x80) != 0) {
            throw new IOException("the server sent a masked frame");
        }
        int length = received[from + 1] & 0x7F;
        int more = length == 126 ? 2 : length == 127 ? 8 : 0;
        if (to - from < 2 + more) {
            return null;
        }
        long size = more == 0 ? length : 0;
        for (int at = 0; at < more; at++) {
            size = size << 8 | received[from + 2 + at] & 0xFF;
        }
        int begin = from + 2 + more;
        if (to - begin < size) {
            return null;
        }
        byte[] payload = Arrays.copyOfRange(received, begin, begin + (int) size);
        WebSocketFrame frame = new WebSocketFrame(received[from] & 0xFF, payload);
        from = begin + (int) size;
        return frame;
    }

    private void fill(long deadline) throws IOException {
        if (from > 0) {
            System.arraycopy(received, from, received, 0, to - from);
            to -= from;
            from = 0;
        }
        if (to == received.length) {
            received = Arrays.copyOf(received, 2 * to);
        }
        long leftMs = (deadline - System.nanoTime()) / 1_000_000;
        if (leftMs <= 0) {
            throw new SocketTimeoutException("nothing more came in time");
        }
        socket.setSoTimeout((int) Math.min(leftMs, Integer.MAX_VALUE));
        int count = socket.getInputStream().read(received, to, received.length - to);
        if (count < 0) {
            throw new EOFException("the server closed the connection");
        }
        to += count;
    }

    /** The socket beneath. */
    public Socket socket() {
        return socket;
    }

    /** Closes the socket without a word. */
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
