package dev.turnstone.itests.mqtt.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process of the campaign. */
public final class Child implements AutoCloseable {
    /** What it says when it is ready. */
    public static final String READY = "ready";

    private static final long PATIENCE_S = Long.getLong("crash.patienceS", 90);
    private static final long PAUSE_NANOS = 30_000_000;

    private final Process process;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Queue<String> said = new ConcurrentLinkedQueue<>();

    /** Starts it: its main class, and its arguments. */
    public Child(Class<?> main, String... arguments) throws IOException {
        this("-Xmx256m", main, arguments);
    }

    /** Starts it with such a heap, and as much direct memory as the usual one would have. */
    public Child(String heap, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:MaxDirectMemorySize=256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Thread reader = new Thread(this::read, "lines of " + main.getSimpleName());
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(READY)) {
                    ready.countDown();
                } else {
                    said.add(line);
                }
            }
        } catch (IOException e) {
            // The process is gone: whoever waits for it sees that.
            ready.countDown();
        }
        ready.countDown();
    }

    /** Waits until it has said that it is ready. */
    public Child awaitReady() throws IOException, InterruptedException {
        if (!ready.await(PATIENCE_S, TimeUnit.SECONDS) || !process.isAlive()) {
            throw new IOException("a process was not ready within " + PATIENCE_S + " s, or ended");
        }
        return this;
    }

    /** The other lines that it has written so far. */
    public List<String> said() {
        return List.copyOf(said);
    }

    /** Waits for its end; its exit code. */
    int awaitEnd() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
            throw new IOException("a process did not end within " + PATIENCE_S + " s");
        }
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGKILL; returns when it is gone. */
    public void kill() throws IOException, InterruptedException {
        close();
        awaitEnd();
    }

    /** Waits a moment before the next attempt to connect. */
    public static void pause() {
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
