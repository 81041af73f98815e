package dev.turnstone.broker.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.store.PassedRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Whether a queue has passed a position, by records in any order. */
final class PassedStretchesTest {
    private static PassedRecord any(Random random) {
        long from = random.nextInt(100);
        long upTo = from + 1 + random.nextInt(40);
        long[] held = random.longs(3, from + 1, upTo + 1).sorted().distinct().toArray();
        return new PassedRecord(1, from, upTo, held);
    }

    @Test
    void itIsWhatAnyOfTheRecordsSays() {
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            List<PassedRecord> all = new ArrayList<>();
            PassedStretches stretches = new PassedStretches();
            for (int i = random.nextInt(6); i >= 0; i--) {
                PassedRecord one = any(random);
                all.add(one);
                stretches.add(one);
            }
            for (long position = 0; position < 150; position++) {
                long at = position;
                assertThat(stretches.cover(position))
                        .as("%d of %s", position, all)
                        .isEqualTo(all.stream().anyMatch(one -> one.covers(at)));
            }
        }
    }

    @Test
    @Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
    void manyRecordsCostLittleMoreThanFew() {
        int count = 200_000;
        List<PassedRecord> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new PassedRecord(1, 10L * i, 10L * i + 10, new long[] {10L * i + 5}));
        }
        Collections.shuffle(all, new Random(7));
        PassedStretches stretches = new PassedStretches();
        all.forEach(stretches::add);
        int passed = 0;
        for (int i = 0; i < count; i++) {
            passed += stretches.cover(10L * i + 4) && !stretches.cover(10L * i + 5) ? 1 : 0;
        }
        assertThat(passed).isEqualTo(count);
    }
}
