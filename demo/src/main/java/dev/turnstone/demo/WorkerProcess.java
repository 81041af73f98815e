package dev.turnstone.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The broker and its worker in a process of their own. The thread that kills it. */
final class WorkerProcess implements AutoCloseable {
    private static final long PATIENCE_S = 120;
    private static final long STACKS_S = 5;
    private static final int LOG_CHARS = 4_000;

    private final Process process;
    private final Path log;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /**
     * What to start.
     *
     * @param main the class
     * @param data the data folder
     * @param journal the journal provider's name
     * @param stompPort where it listens for STOMP
     * @param mqttPort where it listens for MQTT
     * @param openWirePort where it listens for OpenWire
     */
    record Start(String main, Path data, String journal, int stompPort, int mqttPort, int openWirePort) {}

    private WorkerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
        Thread reader = new Thread(this::read, "demo-lines");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts it and waits until it works; its error output goes to a file beside its data. */
    static WorkerProcess start(Start start) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                start.main()));
        command.addAll(List.of(
                start.data().toString(),
                start.journal(),
                Integer.toString(start.stompPort()),
                Integer.toString(start.mqttPort()),
                Integer.toString(start.openWirePort())));
        Path log = start.data().resolve("worker.log");
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        WorkerProcess worker = new WorkerProcess(process, log);
        if (worker.await(WorkerMain.READY) == null) {
            throw worker.failed("the worker's process did not start");
        }
        return worker;
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("ended: " + e);
        }
    }

    /** The next line that begins with this word; null if it does not come. */
    private @Nullable String await(String word) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (System.nanoTime() < deadline && (process.isAlive() || !lines.isEmpty())) {
            String line = lines.poll(100, TimeUnit.MILLISECONDS);
            if (line != null && line.startsWith(word)) {
                return line;
            }
        }
        return null;
    }

    /** What to throw: with the end of its log, and what its threads do if it lives. It is killed. */
    private IOException failed(String what) throws IOException, InterruptedException {
        StringBuilder text = new StringBuilder(what);
        String logged = Files.readString(log);
        text.append("; the end of ").append(log).append(":\n");
        text.append(logged, Math.max(0, logged.length() - LOG_CHARS), logged.length());
        if (process.isAlive()) {
            // The JVM answers SIGQUIT with the stacks of all threads on its standard output.
            new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            text.append("\nits threads:\n");
            for (String line = next(); line != null; line = next()) {
                text.append(line).append('\n');
            }
            kill();
        }
        return new IOException(text.toString());
    }

    private @Nullable String next() throws InterruptedException {
        return lines.poll(STACKS_S, TimeUnit.SECONDS);
    }

    /** Rows stored, rows too many, transactions in doubt. */
    int[] count() throws IOException, InterruptedException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        String line = await(WorkerMain.COUNTED);
        if (line == null) {
            throw failed("the worker's process does not answer");
        }
        String[] words = line.split(" ");
        return new int[] {Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3])};
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor(PATIENCE_S, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.toHandle().destroyForcibly();
    }
}
