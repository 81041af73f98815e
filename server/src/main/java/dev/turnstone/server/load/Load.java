package dev.turnstone.server.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/**
 * Producers and consumers that put load on a broker and measure it; the same for every protocol. One use, one thread;
 * its own are gone when it is done.
 */
public final class Load {
    private static final int DIGITS = 3;
    private static final long POLL_MS = 100;
    private static final long CONFIRM_MS = 30_000;
    private static final long QUIET_MS = 5_000;

    private final LoadProtocol protocol;
    private final LoadPlan plan;
    private final long run = ThreadLocalRandom.current().nextLong();
    private final List<LoadReceiver> receivers = new ArrayList<>();
    private final List<LoadSender> senders = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<IOException> failure = new AtomicReference<>();
    private final CountDownLatch failed = new CountDownLatch(1);
    private final Counts counts = new Counts();
    private volatile boolean sending = true;
    private volatile boolean closing;

    /** What is counted; by any thread. */
    private static final class Counts {
        private final LongAdder confirmed = new LongAdder();
        private final LongAdder received = new LongAdder();
        private final LongAdder own = new LongAdder();
        private final Recorder confirm = new Recorder(DIGITS);
        private final Recorder delivery = new Recorder(DIGITS);
        private volatile boolean measured;

        /** Since when sends count, or the end of time. */
        private volatile long since = Long.MAX_VALUE;

        void confirmed(long sentNanos) {
            confirmed.increment();
            record(confirm, sentNanos);
        }

        void received(byte[] body, long run) {
            received.increment();
            ByteBuffer stamp = ByteBuffer.wrap(body);
            if (body.length >= LoadPlan.SIZE_MIN && stamp.getLong() == run) {
                own.increment();
                record(delivery, stamp.getLong());
            }
        }

        private void record(Recorder recorder, long sentNanos) {
            if (measured && sentNanos - since >= 0) {
                recorder.recordValue(Math.max(0, System.nanoTime() - sentNanos));
            }
        }
    }

    /** A load that {@link LoadProtocol#refusal} has nothing against. */
    public Load(LoadProtocol protocol, LoadPlan plan) {
        this.protocol = protocol;
        this.plan = plan;
    }

    /**
     * Puts the load on and takes it off again.
     *
     * @throws IOException if a client could not connect, or failed while it was under way
     */
    public LoadResult run() throws IOException {
        try {
            connect();
            await(plan.warmUp().toMillis());
            counts.since = System.nanoTime();
            counts.measured = true;
            long began = System.nanoTime();
            long confirmed = counts.confirmed.sum();
            long received = counts.received.sum();
            await(plan.duration().toMillis());
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            confirmed = counts.confirmed.sum() - confirmed;
            received = counts.received.sum() - received;
            counts.measured = false;
            long missing = finish();
            return new LoadResult(
                    confirmed,
                    received,
                    millis,
                    missing,
                    counts.confirm.getIntervalHistogram(),
                    counts.delivery.getIntervalHistogram());
        } finally {
            close();
        }
    }

    private void connect() throws IOException {
        for (int i = 0; i < plan.consumers(); i++) {
            LoadReceiver receiver = protocol.receiver(plan, i);
            receivers.add(receiver);
            start("turnstone-perf-consumer-" + i, () -> receiver.run(body -> counts.received(body, run)));
        }
        for (int i = 0; i < plan.producers(); i++) {
            senders.add(protocol.sender(plan, i, this::fail));
        }
        for (int i = 0; i < senders.size(); i++) {
            LoadSender sender = senders.get(i);
            start("turnstone-perf-producer-" + i, () -> send(sender));
        }
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        fail(e);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    /** The first failure ends all; those of the end are none. */
    private void fail(IOException cause) {
        if (!closing && failure.compareAndSet(null, cause)) {
            failed.countDown();
        }
    }

    private void await(long millis) throws IOException {
        try {
            if (failed.await(millis, TimeUnit.MILLISECONDS)) {
                IOException cause = failure.get();
                throw new IOException(cause == null ? "failed" : cause.getMessage(), cause);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void send(LoadSender sender) throws IOException, InterruptedException {
        Semaphore window = new Semaphore(plan.inFlight());
        byte[] body = new byte[plan.sizeBytes()];
        ByteBuffer stamp = ByteBuffer.wrap(body);
        while (enter(window, sender) && sending) {
            long now = System.nanoTime();
            stamp.putLong(0, run).putLong(Long.BYTES, now);
            sender.send(body, () -> {
                counts.confirmed(now);
                window.release();
            });
        }
        sender.flush();
        // One permit may have been taken for a message that was not sent.
        if (!window.tryAcquire(plan.inFlight() - 1, CONFIRM_MS, TimeUnit.MILLISECONDS) && !closing) {
            throw new IOException("the broker did not confirm what was sent within " + CONFIRM_MS / 1_000 + " s");
        }
    }

    /** Waits for room; false if it is time to stop, with a permit or without. */
    private boolean enter(Semaphore window, LoadSender sender) throws IOException, InterruptedException {
        if (window.tryAcquire()) {
            return true;
        }
        sender.flush();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CONFIRM_MS);
        while (!window.tryAcquire(POLL_MS, TimeUnit.MILLISECONDS)) {
            if (closing) {
                return false;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("the broker has confirmed nothing for " + CONFIRM_MS / 1_000 + " s");
            }
        }
        return true;
    }

    /** Stops the producers and waits until what they sent has come; answers how much has not. */
    private long finish() throws IOException {
        sending = false;
        join("turnstone-perf-producer-");
        if (plan.consumers() == 0) {
            return 0;
        }
        long copies = plan.topic() ? plan.consumers() : 1;
        long expected = counts.confirmed.sum() * copies;
        long last = -1;
        long quietMs = 0;
        while (counts.own.sum() < expected && quietMs < QUIET_MS) {
            await(POLL_MS);
            long now = counts.own.sum();
            quietMs = now == last ? quietMs + POLL_MS : 0;
            last = now;
        }
        return Math.max(0, expected - counts.own.sum());
    }

    private void join(String prefix) throws IOException {
        for (Thread thread : threads) {
            while (thread.getName().startsWith(prefix) && thread.isAlive()) {
                await(1);
            }
        }
        await(0);
    }

    private void close() throws IOException {
        closing = true;
        sending = false;
        senders.forEach(LoadSender::close);
        receivers.forEach(LoadReceiver::close);
        try {
            for (Thread thread : threads) {
                thread.join(CONFIRM_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
