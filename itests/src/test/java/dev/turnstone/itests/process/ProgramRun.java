package dev.turnstone.itests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.server.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One run of the program in a JVM of its own. Any thread. Ends the process when closed. */
public final class ProgramRun implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String MAIN = Main.class.getName();
    private static final Pattern LISTENING = Pattern.compile("listening +stomp +\\S+:(\\d+)");

    private final Process process;
    private final Queue<String> out = new ConcurrentLinkedQueue<>();
    private final Queue<String> err = new ConcurrentLinkedQueue<>();
    private final List<Thread> readers;

    private ProgramRun(Process process) {
        this.process = process;
        this.readers = List.of(reader(process.getInputStream(), out), reader(process.getErrorStream(), err));
    }

    /** Starts the program's main class on this JVM's class path. */
    public static ProgramRun java(Path folder, String... arguments) throws IOException {
        return main(MAIN, folder, arguments);
    }

    /** The same for another main class, which ends up there. */
    static ProgramRun main(String main, Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // These tests start many short-lived processes: what makes a JVM start cheaply.
        command.addAll(List.of(
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), main));
        command.addAll(List.of(arguments));
        return start(folder, command);
    }

    /** Starts the script that users start. */
    static ProgramRun script(Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("project.root"), "turnstone").toString());
        command.addAll(List.of(arguments));
        return start(folder, command);
    }

    private static ProgramRun start(Path folder, List<String> command) throws IOException {
        return new ProgramRun(
                new ProcessBuilder(command).directory(folder.toFile()).start());
    }

    private static Thread reader(InputStream stream, Queue<String> lines) {
        Thread reader = new Thread(() -> {
            try (BufferedReader in = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                in.lines().forEach(lines::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        reader.setDaemon(true);
        reader.start();
        return reader;
    }

    /** Waits for the line that says that all listeners accept. */
    public void awaitReady() {
        await().atMost(PATIENCE)
                .until(() -> !process.isAlive() || out.stream().anyMatch(line -> line.startsWith("ready")));
        assertThat(out).as("output; errors: " + err).anyMatch(line -> line.startsWith("ready"));
    }

    /** The port of the first STOMP listener, as it was printed. */
    public int stompPort() {
        return out.stream()
                .map(LISTENING::matcher)
                .filter(Matcher::find)
                .map(found -> Integer.parseInt(found.group(1)))
                .findFirst()
                .orElseThrow();
    }

    /** True if it does not run any more. */
    boolean ended() {
        return !process.isAlive();
    }

    /** SIGHUP. */
    public void hangUp() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start().waitFor();
    }

    /** SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /** Waits for the end and for the last of the output; the exit code. */
    public int awaitExit() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("ended; output so far: " + out + err)
                .isTrue();
        for (Thread reader : readers) {
            reader.join();
        }
        return process.exitValue();
    }

    /** The lines of the output stream so far. */
    public List<String> out() {
        return List.copyOf(out);
    }

    /** The lines of the error stream so far. */
    public List<String> err() {
        return List.copyOf(err);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
