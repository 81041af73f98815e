package dev.turnstone.benchmarks.journal;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One thread that keeps a number of records in flight, and times each from its submission to its confirmation. */
public final class Load {
    /** What one round gave. */
    public record Result(double recordsPerSecond, double p50Micros, double p99Micros, double maxMicros) {}

    private static final int SAMPLES_MAX = 1 << 20;

    /** What one turn of an engine may bring at once. */
    private static final int TURN_RECORDS_MAX = 64;

    private final long[] submittedAt;
    private int inFlight;
    private final int[] latencies = new int[SAMPLES_MAX];
    private int samples;
    private long submitted;
    private volatile long durable;
    private volatile @Nullable Thread waiting;

    /** Nothing in flight yet, and never more than this. */
    public Load(int inFlightMax) {
        this.inFlight = inFlightMax;
        this.submittedAt = new long[Integer.highestOneBit(inFlightMax) * 4];
    }

    /** Keeps so many in flight from the next run on. */
    public void keep(int records) {
        inFlight = records;
    }

    /** Hears of durability on the subject's thread. */
    public void durable(long upTo) {
        long now = System.nanoTime();
        for (long record = durable + 1; record <= upTo; record++) {
            // A sample of the many is enough; timing must not become the load.
            if (samples < SAMPLES_MAX && (inFlight < 100 || (record & 7) == 0)) {
                latencies[samples++] = (int) (now - submittedAt[(int) record & (submittedAt.length - 1)]);
            }
        }
        durable = upTo;
        Thread sleeper = waiting;
        if (sleeper != null) {
            LockSupport.unpark(sleeper);
        }
    }

    /** Runs for a time and returns the figures; again and again, so that a first run may warm up. */
    public Result run(Subject subject, long nanos) {
        samples = 0;
        long before = submitted;
        long spent = 0;
        while (spent < nanos) {
            spent += burst(subject, nanos - spent);
            subject.rest();
        }
        int[] sorted = Arrays.copyOf(latencies, samples);
        Arrays.sort(sorted);
        return new Result(
                (submitted - before) / (spent / 1e9),
                sorted[sorted.length / 2] / 1e3,
                sorted[(int) (sorted.length * 0.99)] / 1e3,
                sorted[sorted.length - 1] / 1e3);
    }

    /** Submits until the time is over or the subject needs a rest, and returns the nanoseconds until all is durable. */
    private long burst(Subject subject, long nanos) {
        long start = System.nanoTime();
        long now = start;
        long end = submitted + Math.min(subject.burstRecords(), Long.MAX_VALUE - submitted);
        while (now - start < nanos && submitted < end) {
            awaitRoom(submitted);
            now = System.nanoTime();
            int records = (int) Math.min(inFlight - (submitted - durable), TURN_RECORDS_MAX);
            for (int i = 1; i <= records; i++) {
                submittedAt[(int) (submitted + i) & (submittedAt.length - 1)] = now;
            }
            subject.submit(records);
            submitted += records;
        }
        while (durable < submitted) {
            awaitRoom(durable + inFlight);
        }
        return System.nanoTime() - start;
    }

    private void awaitRoom(long from) {
        while (from - durable >= inFlight) {
            waiting = Thread.currentThread();
            if (from - durable >= inFlight) {
                LockSupport.park(this);
            }
            waiting = null;
        }
    }
}
