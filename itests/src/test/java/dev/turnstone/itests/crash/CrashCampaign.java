package dev.turnstone.itests.crash;

import dev.turnstone.testkit.transport.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Starts a broker, lets clients work, kills it at a random moment, again and again on one data folder, and judges at
 * the end.
 */
final class CrashCampaign implements AutoCloseable {
    static final String JMS = "jms";
    static final String STOMP = "stomp";

    private static final int WORKERS = 2;
    private static final int PROGRESS_MAX = 200;
    private static final int DELAY_US_MAX = 5_000;
    private static final long LIFE_MS_MAX = 5_000;
    private static final long PATIENCE_S = 90;

    private final Path data;
    private final String journal;
    private final SplittableRandom random;
    private final int port;
    private final Flow jms = new Flow(JMS);
    private final Flow stomp = new Flow(STOMP);
    private final ExecutorService clients = Executors.newCachedThreadPool(CrashCampaign::daemon);
    private final ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor(CrashCampaign::daemon);
    private int round;

    CrashCampaign(Path data, String journal, long seed) throws IOException {
        this.data = data;
        this.journal = journal;
        this.random = new SplittableRandom(seed);
        this.port = Ports.free();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "crash-client");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * One life of the broker, from its start to its kill: when both flows have got a random way, and a random moment
     * later.
     */
    void kill() throws IOException, InterruptedException, ExecutionException, TimeoutException {
        round++;
        CountDownLatch jmsProgress = jms.after(random.nextInt(PROGRESS_MAX));
        CountDownLatch stompProgress = stomp.after(random.nextInt(PROGRESS_MAX));
        try (BrokerProcess broker = start(WORKERS)) {
            List<Future<?>> ends = startClients();
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LIFE_MS_MAX);
            for (CountDownLatch progress : List.of(jmsProgress, stompProgress)) {
                if (!progress.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    break;
                }
            }
            Callable<Void> kill = () -> {
                broker.kill();
                return null;
            };
            killer.schedule(kill, random.nextInt(DELAY_US_MAX), TimeUnit.MICROSECONDS)
                    .get(PATIENCE_S, TimeUnit.SECONDS);
            for (Future<?> client : ends) {
                client.get(PATIENCE_S, TimeUnit.SECONDS);
            }
        }
    }

    private List<Future<?>> startClients() {
        StompWorkers workers = new StompWorkers(port, stomp);
        List<Future<?>> ends = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            String prefix = "s" + round + "." + worker + ".";
            ends.add(clients.submit(() -> workers.produce(prefix)));
            ends.add(clients.submit(workers::move));
        }
        return ends;
    }

    /** Starts the broker once more, without workers, and counts what is there. */
    List<Verdict> judge() throws IOException, InterruptedException, ExecutionException, TimeoutException {
        round++;
        try (BrokerProcess broker = start(0)) {
            List<Verdict> verdicts = List.of(
                    jms.judge(drained(jms.source()), drained(jms.target()), jms.kept()),
                    stomp.judge(drained(stomp.source()), drained(stomp.target()), drained(stomp.copy())));
            broker.kill();
            return verdicts;
        }
    }

    private List<String> drained(String queue) throws IOException {
        return StompWorkers.drain(port, queue);
    }

    private BrokerProcess start(int workers) throws IOException, InterruptedException {
        return BrokerProcess.start(new BrokerProcess.Start(data, journal, port, round, workers), jms);
    }

    @Override
    public void close() {
        clients.shutdownNow();
        killer.shutdownNow();
    }
}
