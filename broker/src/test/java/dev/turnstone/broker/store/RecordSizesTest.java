package dev.turnstone.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.MemoryJournal;
import dev.turnstone.broker.dedup.Duplicates;
import dev.turnstone.broker.dedup.Fingerprint;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.Payload;
import dev.turnstone.port.Address;
import dev.turnstone.port.BodyKind;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
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
        assertThatThrownBy(() -> log.add(RecordType.PASSED, new PassedRecord(1, 0, 1, new long[200_000])))
                .hasMessageContaining("PASSED");
    }

    private static long[] files(RecordType type, long id, Payload record) {
        ByteBuffer payload = ByteBuffer.allocate(record.sizeBytes());
        record.writeTo(payload);
        return RecordedFiles.of(id, type.code(), payload.flip());
    }

    @Test
    void recordsNameThePageFilesThatTheyNeed() {
        Message plain = MessageBuilder.to(Address.queue("q")).text("x").build();
        Message large = MessageBuilder.to(Address.queue("q"))
                .storedBody(BodyKind.BYTES)
                .build()
                .withStoredBody(7, 1_001, 500);
        assertThat(files(RecordType.MESSAGE, 3, MessageRecord.toQueue(2, plain)))
                .isEmpty();
        assertThat(files(RecordType.MESSAGE, 3, MessageRecord.toQueue(2, large)))
                .hasSize(3)
                .doesNotHaveDuplicates()
                .satisfies(files -> assertThat(LongStream.of(files)).allMatch(Bodies::isChunk));
        assertThat(files(RecordType.RETAINED, 3, new RetainedRecord(large))).hasSize(3);
        PreparedSendRecord.Place place = new PreparedSendRecord.Place(44, 10, 2, 900);
        assertThat(files(RecordType.PREPARED_SEND, 3, new PreparedSendRecord(9, 0, 0, null, place, plain)))
                .containsExactly(44);
        assertThat(files(RecordType.PREPARED_SEND, 3, new PreparedSendRecord(9, 0, 0, null, null, large)))
                .hasSize(3);
        assertThat(files(RecordType.PAGE, 55, new PageRecord(6, 0, 0, List.of())))
                .containsExactly(55);
        assertThat(files(RecordType.PAGE, 56, new PageRecord(6, 100, 55, List.of())))
                .as("a further record of a marker")
                .containsExactly(55);
        assertThat(files(RecordType.MARK, 57, new MarkRecord(1, 2))).isEmpty();
    }
}
