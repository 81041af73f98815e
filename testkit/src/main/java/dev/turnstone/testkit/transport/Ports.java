package dev.turnstone.testkit.transport;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for listeners that come back: while the process of a listener is gone, nobody else gets its port by chance, as
 * these lie below those that the system gives to whoever asks for any port. Any thread.
 */
public final class Ports {
    private static final int FROM = 10_000;
    private static final int TO = 32_000;
    private static final int TRIES = 1_000;

    private Ports() {}

    /**
     * A port of the loopback interface that nobody listens on.
     *
     * @throws IOException if none was found
     */
    public static int free() throws IOException {
        IOException last = new IOException("no port was tried");
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FROM, TO);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException e) {
                last = e;
            }
        }
        throw last;
    }
}
