package dev.turnstone.server.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where a broker listens, and who connects. Any thread.
 *
 * @param host its name or address
 * @param port its port
 * @param tls whether it speaks TLS there; whose certificates are trusted is the JVM's matter
 * @param user the user, or null for nobody
 * @param password the user's password
 */
public record LoadTarget(
        String host,
        int port,
        boolean tls,
        @Nullable String user,
        @Nullable String password) {
    private static final int CONNECT_MS = 10_000;

    /** A connection, which reports a silent broker rather than wait for it. */
    Socket connect() throws IOException {
        Socket socket = (tls ? SSLSocketFactory.getDefault() : SocketFactory.getDefault()).createSocket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(host, port), CONNECT_MS);
            socket.setSoTimeout(CONNECT_MS);
            if (socket instanceof SSLSocket secured) {
                SSLParameters parameters = secured.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                secured.setSSLParameters(parameters);
                secured.startHandshake();
            }
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** What is wrong with a connection, and with which. */
    IOException failure(IOException cause) {
        return new IOException(host + ":" + port + ": " + cause.getMessage(), cause);
    }
}
