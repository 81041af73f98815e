package dev.turnstone.testkit.stomp;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A STOMP client on a blocking socket. Methods that wait throw {@link SocketTimeoutException} when time is up,
 * {@link java.io.EOFException} or another {@link IOException} when the connection is gone, and
 * {@link StompRefusedException} when the broker sent ERROR. Headers are given as {@code name, value, name, value, ...}.
 */
public final class StompClient implements Closeable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(20);

    private final Socket socket;
    private final StompInput input;
    private final boolean escapesCr;
    private final boolean escapes;
    private final Deque<StompFrame> messages = new ArrayDeque<>();
    private long receipts;

    private StompClient(Socket socket, String version) throws IOException {
        this.socket = socket;
        escapes = !version.equals("1.0");
        escapesCr = version.equals("1.2");
        input = new StompInput(socket, escapes);
    }

    /** Opens a socket and sends nothing; for tests that write their own bytes in STOMP 1.2. */
    public static StompClient open(String host, int port) throws IOException {
        return new StompClient(connected(host, port), "1.2");
    }

    private static Socket connected(String host, int port) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(host, port), (int) CONNECT_TIMEOUT.toMillis());
        return socket;
    }

    /** Opens a STOMP 1.2 session, with more CONNECT headers if some are given. */
    public static StompClient connect(String host, int port, String... headers) throws IOException {
        return connectWith("1.2", host, port, headers);
    }

    /** Opens a session in one version: {@code 1.0}, {@code 1.1} or {@code 1.2}. */
    public static StompClient connectWith(String version, String host, int port, String... headers) throws IOException {
        return session(connected(host, port), version, headers);
    }

    /** Opens a STOMP 1.2 session over TLS with a server that the context trusts. */
    public static StompClient connectTls(SSLContext context, String host, int port, String... headers)
            throws IOException {
        return session(context.getSocketFactory().createSocket(host, port), "1.2", headers);
    }

    /** Opens a session in one version on a connected socket of any kind. */
    public static StompClient connectOn(Socket socket, String version, String... headers) throws IOException {
        return session(socket, version, headers);
    }

    private static StompClient session(Socket socket, String version, String... headers) throws IOException {
        StompClient client = new StompClient(socket, version);
        try {
            String[] all = new String[headers.length + 4];
            System.arraycopy(headers, 0, all, 0, headers.length);
            all[headers.length] = "accept-version";
            all[headers.length + 1] = version;
            all[headers.length + 2] = "host";
            all[headers.length + 3] = "localhost";
            client.command("CONNECT", null, all);
            StompFrame answer = client.frame(ANSWER_TIMEOUT);
            if (!answer.command().equals("CONNECTED") || !version.equals(answer.header("version"))) {
                throw new IOException("not the CONNECTED of version " + version + ": " + answer);
            }
            return client;
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    /** Sends a text without waiting; as {@code text/plain} unless the headers say otherwise. */
    public void send(String destination, String text, String... headers) throws IOException {
        String[] typed = has(headers, "content-type") ? headers : with(headers, "content-type", "text/plain");
        command("SEND", text.getBytes(StandardCharsets.UTF_8), with(typed, "destination", destination));
    }

    /** Sends a text and waits until the broker has confirmed it, which covers all frames before it. */
    public void sendConfirmed(String destination, String text, String... headers) throws IOException {
        String receipt = nextReceipt();
        send(destination, text, with(headers, "receipt", receipt));
        awaitReceipt(receipt);
    }

    /**
     * Subscribes and waits for the confirmation. {@code ack} is {@code auto}, {@code client} or
     * {@code client-individual}.
     */
    public void subscribe(String id, String destination, String ack, String... headers) throws IOException {
        confirmed("SUBSCRIBE", with(with(with(headers, "ack", ack), "destination", destination), "id", id));
    }

    /** Ends a subscription and waits for the confirmation. */
    public void unsubscribe(String id, String... headers) throws IOException {
        confirmed("UNSUBSCRIBE", with(headers, "id", id));
    }

    /** Acknowledges a MESSAGE without waiting. */
    public void ack(StompFrame message, String... headers) throws IOException {
        command("ACK", null, with(headers, "id", ackId(message)));
    }

    /** Refuses a MESSAGE without waiting. */
    public void nack(StompFrame message, String... headers) throws IOException {
        command("NACK", null, with(headers, "id", ackId(message)));
    }

    /** Begins a transaction without waiting. */
    public void begin(String transaction) throws IOException {
        command("BEGIN", null, "transaction", transaction);
    }

    /** Commits and waits for the confirmation. */
    public void commit(String transaction) throws IOException {
        confirmed("COMMIT", "transaction", transaction);
    }

    /** Aborts and waits for the confirmation. */
    public void abort(String transaction) throws IOException {
        confirmed("ABORT", "transaction", transaction);
    }

    /** Says DISCONNECT, waits for the confirmation and closes. */
    public void disconnect() throws IOException {
        confirmed("DISCONNECT");
        close();
    }

    /** Sends a command without body, with a receipt, and waits for it. */
    public void confirmed(String command, String... headers) throws IOException {
        String receipt = nextReceipt();
        command(command, null, with(headers, "receipt", receipt));
        awaitReceipt(receipt);
    }

    /** Waits for the next MESSAGE. */
    public StompFrame message(Duration timeout) throws IOException {
        StompFrame waiting = messages.poll();
        return waiting != null ? waiting : expect("MESSAGE", timeout);
    }

    /** The next MESSAGE, or null if none came in time. */
    public @Nullable StompFrame pollMessage(Duration timeout) throws IOException {
        try {
            return message(timeout);
        } catch (SocketTimeoutException e) {
            return null;
        }
    }

    /** Waits for a RECEIPT; messages that come before it are kept for {@link #message}. */
    public void awaitReceipt(String receipt) throws IOException {
        while (true) {
            StompFrame frame = frame(ANSWER_TIMEOUT);
            if (frame.command().equals("MESSAGE")) {
                messages.add(frame);
            } else if (frame.command().equals("RECEIPT") && receipt.equals(frame.header("receipt-id"))) {
                return;
            } else {
                throw new IOException("not the RECEIPT of " + receipt + ": " + frame);
            }
        }
    }

    /** Waits for the ERROR frame and for the close that must follow it. */
    public StompFrame awaitError(Duration timeout) throws IOException {
        while (true) {
            StompFrame frame = input.frame(timeout);
            if (frame.command().equals("ERROR")) {
                byte[] rest = input.rest(timeout);
                if (rest.length > 0) {
                    throw new IOException(rest.length + " bytes came after " + frame);
                }
                return frame;
            }
        }
    }

    /** The next frame of any kind but ERROR, which is thrown. */
    public StompFrame frame(Duration timeout) throws IOException {
        StompFrame frame = input.frame(timeout);
        if (frame.command().equals("ERROR")) {
            throw new StompRefusedException(frame);
        }
        return frame;
    }

    /** Reads until the broker closes; answers what came before. */
    public byte[] rest(Duration timeout) throws IOException {
        return input.rest(timeout);
    }

    /** How many heart-beats were read. */
    public long beats() {
        return input.lineEnds();
    }

    /** A receipt id that this client has not used. */
    public String nextReceipt() {
        return "r" + ++receipts;
    }

    /** Writes a frame; a body gets a content-length unless the headers have one. */
    public void command(String command, byte @Nullable [] body, String... headers) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringBuilder head = new StringBuilder(command).append('\n');
        boolean plain = !escapes || command.equals("CONNECT") || command.equals("STOMP");
        for (int at = 0; at < headers.length; at += 2) {
            head.append(plain ? headers[at] : escape(headers[at])).append(':');
            head.append(plain ? headers[at + 1] : escape(headers[at + 1])).append('\n');
        }
        if (body != null && !has(headers, "content-length")) {
            head.append("content-length:").append(body.length).append('\n');
        }
        out.write(head.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        out.write(body == null ? new byte[0] : body);
        out.write(0);
        raw(out.toByteArray());
    }

    /** Writes bytes as they are. */
    public void raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Writes text as UTF-8, with {@code ^@} for each NUL. */
    public void raw(String text) throws IOException {
        raw(text.replace("^@", "\0").getBytes(StandardCharsets.UTF_8));
    }

    /** The socket, for tests on windows and resets. */
    public Socket socket() {
        return socket;
    }

    /** Closes the socket without a word: for the broker a lost connection. */
    @Override
    public void close() throws IOException {
        socket.close();
    }

    private StompFrame expect(String command, Duration timeout) throws IOException {
        StompFrame frame = frame(timeout);
        if (!frame.command().equals(command)) {
            throw new IOException("not a " + command + ": " + frame);
        }
        return frame;
    }

    private String escape(String text) {
        String escaped = text.replace("\\", "\\\\").replace("\n", "\\n").replace(":", "\\c");
        return escapesCr ? escaped.replace("\r", "\\r") : escaped;
    }

    private static String ackId(StompFrame message) {
        String id = message.header("ack");
        if (id == null) {
            throw new IllegalArgumentException("no ack header in " + message);
        }
        return id;
    }

    private static boolean has(String[] headers, String name) {
        for (int at = 0; at < headers.length; at += 2) {
            if (headers[at].equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static String[] with(String[] headers, String name, String value) {
        String[] more = new String[headers.length + 2];
        more[0] = name;
        more[1] = value;
        System.arraycopy(headers, 0, more, 2, headers.length);
        return more;
    }
}
