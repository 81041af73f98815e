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
import java.util.LinkedHashMap;
import java.util.Map;

/** A STOMP 1.2 connection over a plain socket. One thread may write while another reads. */
final class StompSocket implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    /** A frame that has come. */
    record Frame(String command, Map<String, String> headers, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** Connects, and logs in if there is a user. */
    StompSocket(LoadTarget target) throws IOException {
        socket = target.connect();
        in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
        Map<String, String> headers = new LinkedHashMap<>();
        if (target.user() != null) {
            headers.put("login", plain(target.user()));
            headers.put("passcode", plain(String.valueOf(target.password())));
        }
        headers.put("accept-version", "1.2");
        headers.put("host", target.host());
        headers.put("heart-beat", "0,0");
        write("CONNECT", headers, new byte[0]);
        flush();
        Frame answer = read();
        if (!answer.command().equals("CONNECTED")) {
            socket.close();
            throw new IOException("the login was refused: " + answer.headers().getOrDefault("message", answer.text()));
        }
    }

    /** CONNECT has no escapes, so that clients of STOMP 1.0 can write it. */
    private static String plain(String value) throws IOException {
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
            throw new IOException("STOMP cannot write a line's end in a user's name or password");
        }
        return value;
    }

    /** A header's value as STOMP 1.2 writes it. */
    static String escaped(String value) {
        return value.replace("\\", "\\\\")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace(":", "\\c");
    }

    private static String unescaped(String value) {
        if (value.indexOf('\\') < 0) {
            return value;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char next = value.charAt(i);
            if (next == '\\' && i + 1 < value.length()) {
                next = switch (value.charAt(++i)) {
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    case 'c' -> ':';
                    default -> value.charAt(i);
                };
            }
            text.append(next);
        }
        return text.toString();
    }

    /** Waits so long for what comes next; 0 for ever. */
    void patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /** True if there is more that came with what was read. */
    boolean more() throws IOException {
        return in.available() > 0;
    }

    void write(String command, Map<String, String> headers, byte[] body) throws IOException {
        StringBuilder head = new StringBuilder(command).append('\n');
        headers.forEach(
                (name, value) -> head.append(name).append(':').append(value).append('\n'));
        if (body.length > 0) {
            head.append("content-length:").append(body.length).append('\n');
        }
        out.write(head.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        out.write(body);
        out.write(0);
    }

    void flush() throws IOException {
        out.flush();
    }

    /** The next frame; an ERROR is an exception. */
    Frame read() throws IOException {
        String command = line();
        while (command.isEmpty()) {
            command = line();
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (String header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            headers.putIfAbsent(header.substring(0, colon), unescaped(header.substring(colon + 1)));
        }
        byte[] body = body(headers.get("content-length"));
        Frame frame = new Frame(command, headers, body);
        if (command.equals("ERROR")) {
            throw new IOException(headers.getOrDefault("message", frame.text()));
        }
        return frame;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = one(); next != '\n'; next = one()) {
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private byte[] body(@org.jspecify.annotations.Nullable String length) throws IOException {
        if (length != null) {
            byte[] body = in.readNBytes(Integer.parseInt(length));
            one();
            return body;
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int next = one(); next != 0; next = one()) {
            body.write(next);
        }
        return body.toByteArray();
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
