package dev.turnstone.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.Engine;
import dev.turnstone.broker.EngineParts;
import dev.turnstone.broker.MemoryJournal;
import dev.turnstone.broker.MemoryPages;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.journal.Payload;
import dev.turnstone.port.Address;
import dev.turnstone.port.BodyKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.SubscriptionName;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a crash may leave beside each other, since it keeps a prefix of what was written. */
final class RecoveryLeftoversTest {
    private final Map<Long, MemoryJournal.Stored> disk = new LinkedHashMap<>();
    private MemoryJournal journal;
    private MemoryPages pages;

    private void put(long id, RecordType type, Payload record) {
        ByteBuffer bytes = ByteBuffer.allocate(record.sizeBytes());
        record.writeTo(bytes);
        disk.put(id, new MemoryJournal.Stored(type.code(), bytes.array()));
    }

    private static Message message() {
        return MessageBuilder.to(Address.queue("q")).text("m").build();
    }

    private Engine start() {
        return start(new HashMap<>());
    }

    private Engine start(Map<Long, byte[]> files) {
        Engine engine = Engine.start(
                new EngineParts(Limits.DEFAULTS, () -> 0, Runnable::run, () -> {}),
                listener -> {
                    journal = new MemoryJournal(disk, listener);
                    return journal;
                },
                listener -> {
                    pages = new MemoryPages(files, listener);
                    return pages;
                });
        while (engine.drain() || journal.undurable() > 0 || pages.pending() > 0) {
            journal.sync();
            pages.await();
        }
        return engine;
    }

    @Test
    void recordsThatHaveLostTheirMeaningAreDeleted() {
        put(1, RecordType.ID_BLOCK, new IdBlockRecord(1_000));
        put(2, RecordType.QUEUE, new QueueRecord(Address.queue("q")));
        put(3, RecordType.MESSAGE, MessageRecord.toQueue(2, message()));
        put(4, RecordType.MESSAGE, MessageRecord.toQueue(99, message()));
        put(5, RecordType.SETTLED, new SettledRecord(99, 3));
        put(6, RecordType.PASSED, new PassedRecord(99, 0, 3, new long[0]));
        put(7, RecordType.MARK, new MarkRecord(99, 3));
        put(8, RecordType.ATTEMPT, new AttemptRecord(2, 77, 1, 0));
        put(9, RecordType.SUBSCRIBER_SET, new SubscriberSetRecord(new long[] {2}));
        put(10, RecordType.QUEUE, new QueueRecord(Address.queue("empty")));
        start();
        assertThat(disk.keySet()).contains(2L, 3L).doesNotContain(4L, 5L, 6L, 7L, 8L, 9L, 10L);
    }

    @Test
    void ofTwoRecordsThatReplaceEachOtherTheLaterCounts() {
        put(1, RecordType.ID_BLOCK, new IdBlockRecord(1_000));
        put(20, RecordType.ID_BLOCK, new IdBlockRecord(2_000));
        put(2, RecordType.QUEUE, new QueueRecord(Address.queue("q")));
        put(3, RecordType.MESSAGE, MessageRecord.toQueue(2, message()));
        put(4, RecordType.MARK, new MarkRecord(2, 1));
        put(5, RecordType.MARK, new MarkRecord(2, 3));
        put(6, RecordType.ATTEMPT, new AttemptRecord(2, 3, 1, 0));
        put(7, RecordType.ATTEMPT, new AttemptRecord(2, 3, 2, 0));
        start();
        assertThat(disk.keySet()).contains(2L, 3L, 5L, 7L).doesNotContain(1L, 4L, 6L, 20L);
        assertThat(disk.keySet()).as("identifiers go on past every reservation").anyMatch(id -> id >= 2_000);
    }

    @Test
    void settlesOfASubscriptionHoldOverARestartWhateverTheOrderOfRecords() {
        SubscriptionName a = new SubscriptionName("c", "a");
        SubscriptionName b = new SubscriptionName("c", "b");
        put(30, RecordType.SETTLED, new SettledRecord(2, 14));
        put(13, RecordType.MESSAGE, new MessageRecord(4, true, new int[0], message()));
        put(12, RecordType.MESSAGE, new MessageRecord(4, true, new int[0], message()));
        put(14, RecordType.MESSAGE, new MessageRecord(4, true, new int[0], message()));
        put(15, RecordType.MESSAGE, new MessageRecord(4, true, new int[] {1}, message()));
        put(31, RecordType.PASSED, new PassedRecord(2, 0, 13, new long[] {12}));
        put(4, RecordType.SUBSCRIBER_SET, new SubscriberSetRecord(new long[] {2, 3}));
        put(32, RecordType.SETTLED, new SettledRecord(3, 13));
        put(2, RecordType.SUBSCRIPTION, new SubscriptionRecord(a, Address.topic("t"), null, false, false, null));
        put(3, RecordType.SUBSCRIPTION, new SubscriptionRecord(b, Address.topic("t"), null, false, false, null));
        Engine engine = start();
        assertThat(disk.keySet()).contains(12L, 14L, 15L, 4L).doesNotContain(13L);
        assertThat(engine.memoryUsed()).isPositive();
    }

    @Test
    void aBodyIsAsLongAsTheLongestMessageSays() {
        Map<Long, byte[]> files = new HashMap<>();
        for (long chunk = 0; chunk < 3; chunk++) {
            files.put(1L << 62 | 9 << 20 | chunk, new byte[10]);
        }
        Message stored =
                MessageBuilder.to(Address.queue("q")).storedBody(BodyKind.BYTES).build();
        put(1, RecordType.ID_BLOCK, new IdBlockRecord(1_000));
        put(2, RecordType.QUEUE, new QueueRecord(Address.queue("q")));
        put(3, RecordType.MESSAGE, MessageRecord.toQueue(2, stored.withStoredBody(9, 10, 10)));
        put(4, RecordType.MESSAGE, MessageRecord.toQueue(2, stored.withStoredBody(9, 20, 10)));
        start(files);
        assertThat(files).as("chunks").hasSize(2);
    }

    @Test
    void aRecordOfANewerVersionStopsTheStart() {
        disk.put(1L, new MemoryJournal.Stored(RecordType.MARK.code(), new byte[] {2, 0, 0}));
        assertThatThrownBy(this::start)
                .isInstanceOf(BrokerException.class)
                .extracting("code")
                .isEqualTo(ErrorCode.DATA_UNUSABLE);
    }

    @Test
    void aTypeThatIsUnknownStopsTheStart() {
        disk.put(1L, new MemoryJournal.Stored((byte) 77, new byte[] {1}));
        assertThatThrownBy(this::start).isInstanceOf(BrokerException.class).hasMessageContaining("77");
    }
}
