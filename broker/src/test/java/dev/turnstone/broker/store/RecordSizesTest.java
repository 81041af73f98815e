package dev.turnstone.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.MemoryJournal;
import dev.turnstone.broker.dedup.Duplicates;
import dev.turnstone.broker.dedup.Fingerprint;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalListener;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What is too much for one record is in several. */
final class RecordSizesTest {
    private final Map<Long, MemoryJournal.Stored> disk = new LinkedHashMap<>();
    private MemoryJournal journal = open();

    private MemoryJournal open() {
        return new MemoryJournal(disk, new JournalListener() {
            @Override
            public void durable(long lsn) {}

            @Override
            public void failed(JournalException cause) {}
        });
    }

    private Survivors read() {
        journal = open();
        return Survivors.read(journal, Limits.DEFAULTS);
    }

    @Test
    void aSetOfManySubscriptionsIsInSeveralRecords() {
        long[] queues = LongStream.range(0, 300_000).map(i -> 3 * i).toArray();
        Log log = read().log(journal);
        SubscriberSets sets = new SubscriberSets();
        SubscriberSet set = sets.of(queues, log);
        log.append();
        journal.sync();
        assertThat(set.records()).hasSizeGreaterThan(1);
        Survivors survivors = read();
        assertThat(survivors.sets()).containsOnlyKeys(set.record());
        Survivors.SurvivingSet survived = survivors.sets().get(set.record());
        assertThat(survived.queues()).containsExactly(queues);
        assertThat(survived.records()).containsExactly(set.records());

        Log next = survivors.log(journal);
        SubscriberSets recovered = new SubscriberSets();
        SubscriberSet again = recovered.recovered(survived.records(), survived.queues());
        assertThat(recovered.of(queues, next)).isSameAs(again);
        recovered.delete(again, next);
        next.append();
        journal.sync();
        assertThat(read().sets()).isEmpty();
    }

    @Test
    void aUnitWithManyIdentitiesHasSeveralRecordsOfThem() {
        int count = 100_000;
        Log log = read().log(journal);
        Duplicates before = new Duplicates(log, new Memory(1 << 30), Limits.DEFAULTS);
        log.beginUnit();
        for (int i = 0; i < count; i++) {
            before.add(new Fingerprint(i, ~i), true);
        }
        before.record();
        log.endUnit();
        log.append();
        journal.sync();
        Survivors survivors = read();
        Duplicates after = new Duplicates(survivors.log(journal), new Memory(1 << 30), Limits.DEFAULTS);
        after.recover(survivors.all(DedupRecord.class), survivors.all(ProducerRecord.class), 1);
        assertThat(LongStream.range(0, count)).allMatch(i -> after.contains(new Fingerprint(i, ~i)));
    }

    @Test
    void aRecordThatIsTooLargeIsNamedAsSoonAsItIsMade() {
        Log log = read().log(journal);
        assertThatThrownBy(() -> log.add(RecordType.PASSED, new PassedRecord(1, 1, new long[200_000])))
                .hasMessageContaining("PASSED");
    }
}
