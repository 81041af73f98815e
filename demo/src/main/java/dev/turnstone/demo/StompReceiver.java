package dev.turnstone.demo;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A STOMP client with a durable subscription. It acknowledges each message when it has noted it; one that comes again
 * after a kill says so, and is noted once. A thread of its own.
 */
final class StompReceiver implements AutoCloseable {
    private static final long READY_S = 30;
    private static final long PAUSE_NANOS = 100_000_000;

    private final int port;
    private final Tally tally;
    private final Thread thread;
    private final CountDownLatch ready = new CountDownLatch(1);
    private volatile boolean stopped;

    StompReceiver(int port, Tally tally) {
        this.port = port;
        this.tally = tally;
        this.thread = new Thread(this::run, "demo-stomp");
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits for the subscription. */
    void awaitReady() throws IOException, InterruptedException {
        if (!ready.await(READY_S, TimeUnit.SECONDS)) {
            throw new IOException("the STOMP receiver could not subscribe");
        }
    }

    private void run() {
        while (!stopped) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                receive(socket);
            } catch (IOException e) {
                // The broker was killed, or is not up yet; it will be back.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void receive(Socket socket) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        write(socket, "CONNECT\naccept-version:1.2\nhost:demo\nclient-id:demo-stomp\n\n");
        write(
                socket,
                "SUBSCRIBE\nid:0\ndestination:/topic/" + Doors.RESULTS
                        + "\ndurable-subscription-name:results\nack:client-individual\nreceipt:subscribed\n\n");
        while (true) {
            String frame = frame(in);
            if (frame.startsWith("MESSAGE")) {
                String body = frame.substring(frame.indexOf("\n\n") + 2);
                tally.got(Integer.parseInt(body), frame.contains("\nredelivered:true\n"));
                write(socket, "ACK\nid:" + header(frame, "ack") + "\n\n");
            } else if (frame.startsWith("RECEIPT")) {
                ready.countDown();
            } else if (frame.startsWith("ERROR")) {
                throw new IOException(frame);
            }
        }
    }

    private static String header(String frame, String name) throws IOException {
        int at = frame.indexOf("\n" + name + ":");
        if (at < 0) {
            throw new IOException("no " + name + " in " + frame);
        }
        return frame.substring(at + name.length() + 2, frame.indexOf('\n', at + 1));
    }

    private static void write(Socket socket, String frame) throws IOException {
        socket.getOutputStream().write((frame + "\0").getBytes(StandardCharsets.UTF_8));
    }

    private static String frame(InputStream in) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        for (int next = in.read(); next != 0; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the broker has gone");
            }
            if (next != '\n' || frame.size() > 0) {
                frame.write(next);
            }
        }
        return frame.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        stopped = true;
        thread.interrupt();
    }
}
