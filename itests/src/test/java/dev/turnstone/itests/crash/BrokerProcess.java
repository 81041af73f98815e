package dev.turnstone.itests.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A broker in a process of its own, with workers in it whose lines go into a flow. */
final class BrokerProcess implements AutoCloseable {
    private static final long PATIENCE_S = 90;

    /**
     * What to start.
     *
     * @param data the data folder
     * @param journal the journal provider's name
     * @param stompPort where it listens
     * @param round makes the workers' ids unique
     * @param workers how many workers of each kind
     */
    record Start(Path data, String journal, int stompPort, int round, int workers) {}

    private final Process process;
    private final FutureTask<Void> reader;
    private final CountDownLatch ready = new CountDownLatch(1);

    private BrokerProcess(Process process, Flow flow) {
        this.process = process;
        this.reader = new FutureTask<>(() -> {
            read(flow);
            return null;
        });
        Thread thread = new Thread(reader, "broker-lines");
        thread.setDaemon(true);
        thread.start();
    }

    /** Starts a broker and waits until it accepts connections. */
    static BrokerProcess start(Start start, Flow flow) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                BrokerMain.class.getName()));
        command.addAll(List.of(
                start.data().toString(),
                start.journal(),
                Integer.toString(start.stompPort()),
                Integer.toString(start.round()),
                Integer.toString(start.workers())));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BrokerProcess broker = new BrokerProcess(process, flow);
        if (!broker.ready.await(PATIENCE_S, TimeUnit.SECONDS) || !process.isAlive()) {
            broker.close();
            throw new IOException(
                    "the broker was not ready within " + PATIENCE_S + " s, or ended; see its error output");
        }
        return broker;
    }

    /** SIGKILL; returns when the process is gone and its last line was read. */
    void kill() throws InterruptedException, ExecutionException, TimeoutException {
        close();
        if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the process outlived its kill");
        }
        reader.get(PATIENCE_S, TimeUnit.SECONDS);
    }

    private void read(Flow flow) throws IOException {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                WorkerLine line = WorkerLine.parse(text);
                if (line == null) {
                    continue;
                }
                if (line.event() == WorkerLine.Event.FAILED) {
                    throw new IOException("in the broker's process: " + text);
                }
                if (line.event() == WorkerLine.Event.READY) {
                    ready.countDown();
                }
                line.enter(flow);
            }
        } finally {
            ready.countDown();
        }
    }

    /**
     * Ends the process, if it still runs. By its handle: {@link Process#destroyForcibly} would throw away its last
     * lines.
     */
    @Override
    public void close() {
        process.toHandle().destroyForcibly();
    }
}
