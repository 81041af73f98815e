package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A line to the broker that can be cut, or swallow what one side says. One connection at a time is enough. */
final class Line {
    private final ServerSocket server;
    private final ActiveMq broker;
    private volatile Socket client;
    private volatile Socket there;
    private volatile boolean muted;
    private volatile boolean commandsMuted;
    private volatile boolean abandoned;
    private volatile CountDownLatch swallowed = new CountDownLatch(1);

    Line(ActiveMq broker) throws IOException {
        this.broker = broker;
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    private interface Io {
        void run() throws IOException;
    }

    private static void start(Io work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // Cut, as the test wants.
                        Thread.currentThread().interrupt();
                    }
                },
                "line");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() throws IOException {
        while (true) {
            Socket from = server.accept();
            Socket to;
            try {
                to = new Socket(InetAddress.getLoopbackAddress(), broker.port());
            } catch (ConnectException e) {
                // The broker is away: the client hears of it, and tries again.
                from.close();
                continue;
            }
            client = from;
            there = to;
            muted = false;
            commandsMuted = false;
            start(() -> pump(from, to, false));
            start(() -> pump(to, from, true));
        }
    }

    private void pump(Socket from, Socket to, boolean answers) throws IOException {
        byte[] bytes = new byte[8192];
        for (int count = from.getInputStream().read(bytes);
                count >= 0;
                count = from.getInputStream().read(bytes)) {
            if (answers ? muted : commandsMuted) {
                swallowed.countDown();
            } else {
                to.getOutputStream().write(bytes, 0, count);
            }
        }
        if (answers || !abandoned) {
            to.close();
        }
    }

    /** From now on the client hears nothing on this connection. */
    void muteAnswers() {
        swallowed = new CountDownLatch(1);
        muted = true;
    }

    /** From now on the broker hears nothing on this connection. */
    void muteCommands() {
        swallowed = new CountDownLatch(1);
        commandsMuted = true;
    }

    /** Something was swallowed. */
    void awaitMuted() throws InterruptedException {
        assertThat(swallowed.await(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Both sides notice. */
    void cut() throws IOException {
        client.close();
        there.close();
    }

    /** Only the client notices. */
    void abandon() throws IOException {
        Socket lost = there;
        abandoned = true;
        client.shutdownOutput();
        client.close();
        assertThat(lost.isClosed()).isFalse();
    }

    void close() throws IOException {
        server.close();
        cut();
    }
}
