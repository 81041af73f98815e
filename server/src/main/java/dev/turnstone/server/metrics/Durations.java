package dev.turnstone.server.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long something took, how often: two buckets for each power of two from about a microsecond to about 13 seconds.
 * Counted on one thread, where it costs a few nanoseconds; read on any, which may see the last ones a moment later.
 */
final class Durations implements Collector {
    private static final int FIRST_POWER = 10;
    private static final int LAST_POWER = 34;
    /** The last holds what is longer. */
    private static final int BUCKETS = 2 * (LAST_POWER - FIRST_POWER) + 1;

    private static final int SUM = BUCKETS;
    private static final double NANOS_PER_SECOND = 1e9;

    private final String name;
    private final String help;
    /** The buckets, and behind them the sum in nanoseconds. */
    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS + 1);

    /** Under a name without its unit. */
    Durations(String name, String help) {
        this.name = name;
        this.help = help;
    }

    /** Counts one; on the one thread that counts. */
    void record(long nanos) {
        add(bucket(nanos), 1);
        add(SUM, Math.max(0, nanos));
    }

    private void add(int place, long more) {
        counts.setOpaque(place, counts.getPlain(place) + more);
    }

    /** The first bucket whose bound is not smaller. */
    static int bucket(long nanos) {
        if (nanos <= 1L << FIRST_POWER) {
            return 0;
        }
        long below = nanos - 1;
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(below);
        int half = (int) (below >>> power - 1 & 1);
        return Math.min(BUCKETS - 1, 2 * (power - FIRST_POWER) + half + 1);
    }

    /** What a bucket holds at most, in nanoseconds: a power of two, or half as much again. */
    static double bound(int bucket) {
        if (bucket == BUCKETS - 1) {
            return Double.POSITIVE_INFINITY;
        }
        double power = Math.scalb(1.0, FIRST_POWER + bucket / 2);
        return bucket % 2 == 0 ? power : power * 1.5;
    }

    @Override
    public MetricSnapshot collect() {
        double[] bounds = new double[BUCKETS];
        long[] found = new long[BUCKETS];
        for (int i = 0; i < BUCKETS; i++) {
            bounds[i] = bound(i) / NANOS_PER_SECOND;
            found[i] = counts.getOpaque(i);
        }
        return HistogramSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(HistogramDataPointSnapshot.builder()
                        .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, found))
                        .sum(counts.getOpaque(SUM) / NANOS_PER_SECOND)
                        .build())
                .build();
    }
}
