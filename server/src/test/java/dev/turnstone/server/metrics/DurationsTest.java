package dev.turnstone.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationsTest {
    @ParameterizedTest
    @ValueSource(
            longs = {
                -1,
                0,
                1,
                1_023,
                1_024,
                1_025,
                1_536,
                1_537,
                2_048,
                2_049,
                3_072,
                3_073,
                1_000_000,
                1_572_864,
                1_572_865,
                10_000_000_000L,
                17_179_869_184L,
                17_179_869_185L,
                Long.MAX_VALUE
            })
    void eachIsInTheFirstBucketThatHoldsIt(long nanos) {
        int bucket = Durations.bucket(nanos);
        assertThat((double) nanos).isLessThanOrEqualTo(Durations.bound(bucket));
        if (bucket > 0) {
            assertThat((double) nanos).isGreaterThan(Durations.bound(bucket - 1));
        }
    }

    @Test
    void tellsThemInSeconds() {
        Durations durations = new Durations("some_seconds", "some");
        durations.record(1_000);
        durations.record(3_000_000);
        durations.record(3_000_000);
        HistogramDataPointSnapshot told =
                ((HistogramSnapshot) durations.collect()).getDataPoints().get(0);
        assertThat(told.getCount()).isEqualTo(3);
        assertThat(told.getSum()).isEqualTo(0.006001);
        assertThat(told.getClassicBuckets().getCount(Durations.bucket(3_000_000)))
                .isEqualTo(2);
        assertThat(told.getClassicBuckets().getUpperBound(Durations.bucket(3_000_000)))
                .isEqualTo(0.003145728);
    }
}
