package dev.turnstone.testkit.stomp;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Cuts what arrives on a socket into frames. A timeout loses nothing: the next call goes on from there. */
final class StompInput {
    private final Socket socket;
    private final boolean escapes;
    private byte[] received = new byte[8192];
    private int from;
    private int to;
    private long lineEnds;

    StompInput(Socket socket, boolean escapes) {
        this.socket = socket;
        this.escapes = escapes;
    }

    /** How many line ends came between frames: heart-beats. */
    long lineEnds() {
        return lineEnds;
    }

    StompFrame frame(Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            while (from < to && received[from] == '\n') {
                from++;
                lineEnds++;
            }
            int headEnd = headEnd();
            if (headEnd >= 0) {
                String[] head = new String(received, from, headEnd - from, StandardCharsets.UTF_8).split("\n", -1);
                Map<String, String> headers = headers(head);
                String length = headers.get("content-length");
                int bodyFrom = headEnd + 2;
                int bodyTo = length == null ? nul(bodyFrom) : bodyFrom + Integer.parseInt(length);
                if (bodyTo >= 0 && bodyTo < to) {
                    if (received[bodyTo] != 0) {
                        throw new IOException("no NUL after the body of " + head[0]);
                    }
                    byte[] body = Arrays.copyOfRange(received, bodyFrom, bodyTo);
                    from = bodyTo + 1;
                    return new StompFrame(head[0], headers, body);
                }
            }
            fill(deadline);
        }
    }

    /** Reads until the broker closes, and answers what came. */
    byte[] rest(Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        while (true) {
            rest.write(received, from, to - from);
            from = to;
            try {
                fill(deadline);
            } catch (EOFException e) {
                return rest.toByteArray();
            }
        }
    }

    private int headEnd() {
        for (int at = from; at + 1 < to; at++) {
            if (received[at] == '\n' && received[at + 1] == '\n') {
                return at;
            }
        }
        return -1;
    }

    private int nul(int start) {
        for (int at = start; at < to; at++) {
            if (received[at] == 0) {
                return at;
            }
        }
        return -1;
    }

    private Map<String, String> headers(String[] head) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        boolean plain = !escapes || head[0].equals("CONNECTED");
        for (int line = 1; line < head.length; line++) {
            int colon = head[line].indexOf(':');
            if (colon < 0) {
                throw new IOException("header line without a colon: " + head[line]);
            }
            String name = head[line].substring(0, colon);
            String value = head[line].substring(colon + 1);
            headers.putIfAbsent(plain ? name : unescape(name), plain ? value : unescape(value));
        }
        return headers;
    }

    private static String unescape(String text) throws IOException {
        StringBuilder plain = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            char letter = text.charAt(at++);
            if (letter == '\\') {
                int which = at < text.length() ? "rnc\\".indexOf(text.charAt(at++)) : -1;
                if (which < 0) {
                    throw new IOException("undefined escape in " + text);
                }
                letter = "\r\n:\\".charAt(which);
            }
            plain.append(letter);
        }
        return plain.toString();
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
            throw new SocketTimeoutException("nothing more came in time; " + to + " bytes of a frame are there");
        }
        socket.setSoTimeout((int) Math.min(leftMs, Integer.MAX_VALUE));
        int count = socket.getInputStream().read(received, to, received.length - to);
        if (count < 0) {
            throw new EOFException("the broker closed the connection; " + to + " bytes of a frame are there");
        }
        to += count;
    }
}
