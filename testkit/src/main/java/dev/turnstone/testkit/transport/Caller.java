package dev.turnstone.testkit.transport;

import dev.turnstone.testkit.tls.TestCertificate;
import dev.turnstone.testkit.web.WebSocketPeer;
import dev.turnstone.testkit.web.WebSocketSocket;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** A client of the contract: writes bytes, keeps what it reads. */
final class Caller implements Closeable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Socket wire;
    private final Socket socket;
    private final Dialect dialect;
    private final List<String> answers = new ArrayList<>();
    private byte[] rest = {};

    private Caller(Socket wire, Socket socket, Dialect dialect) {
        this.wire = wire;
        this.socket = socket;
        this.dialect = dialect;
    }

    static Caller call(Carrier carrier, int port, TestCertificate server, Dialect dialect) throws IOException {
        Socket wire = new Socket();
        // Small, so that a client that does not read has a small window.
        wire.setReceiveBufferSize(64 * 1024);
        wire.setTcpNoDelay(true);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        wire.connect(new InetSocketAddress(loopback, port), (int) PATIENCE.toMillis());
        Socket socket = wire;
        if (carrier.isTls()) {
            socket = server.clientContext(null)
                    .getSocketFactory()
                    .createSocket(socket, loopback.getHostAddress(), port, true);
        }
        if (carrier.isWeb()) {
            String wanted = "Sec-WebSocket-Protocol: " + dialect.subProtocol();
            socket = new WebSocketSocket(WebSocketPeer.open(socket, dialect.path(), wanted), dialect.text());
        }
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return new Caller(wire, socket, dialect);
    }

    /** How this client speaks. */
    Dialect dialect() {
        return dialect;
    }

    void write(byte[]... pieces) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            all.writeBytes(piece);
        }
        socket.getOutputStream().write(all.toByteArray());
    }

    void writeSingly(byte[] bytes) throws IOException {
        for (byte octet : bytes) {
            socket.getOutputStream().write(octet);
        }
    }

    /** Logs in and waits for the answer. */
    void login() throws IOException {
        login(dialect.login());
    }

    /** Logs in as who consumes and waits for the answer. */
    void consumerLogin() throws IOException {
        login(dialect.consumerLogin());
    }

    private void login(byte[] login) throws IOException {
        write(login);
        await(answers -> answers.contains(Dialect.LOGGED_IN));
    }

    /** Reads until the answers are such. */
    List<String> await(Predicate<List<String>> enough) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            if (enough.test(answers)) {
                return answers;
            }
            if (System.nanoTime() > deadline || !read()) {
                throw new IOException("there is only " + answers);
            }
        }
    }

    /** Reads until the connection ends, in order or not; answers what came. */
    List<String> awaitEnd() throws IOException {
        try {
            return awaitOrderlyEnd();
        } catch (SocketException e) {
            return answers;
        }
    }

    /** Reads until the connection ends in order; answers what came. */
    List<String> awaitOrderlyEnd() throws IOException {
        boolean more;
        do {
            more = read();
        } while (more);
        return answers;
    }

    private boolean read() throws IOException {
        byte[] bytes = new byte[64 * 1024];
        int count = socket.getInputStream().read(bytes);
        if (count < 0) {
            return false;
        }
        byte[] all = Arrays.copyOf(rest, rest.length + count);
        System.arraycopy(bytes, 0, all, rest.length, count);
        rest = Arrays.copyOfRange(all, dialect.understand(all, answers), all.length);
        return true;
    }

    /** Closes the connection without a word, and without reading what is there, as TLS would do. */
    @Override
    public void close() throws IOException {
        wire.close();
    }
}
