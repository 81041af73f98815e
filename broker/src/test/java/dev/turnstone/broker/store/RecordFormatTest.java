package dev.turnstone.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.store.PageRecord.Stretch;
import dev.turnstone.journal.Payload;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.port.SubscriptionQueue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Every record format ever written, byte for byte, as files that never change. */
final class RecordFormatTest {
    private static final Message MESSAGE = MessageBuilder.to(Address.queue("orders"))
            .id("ID:1")
            .timestampMs(1_700_000_000_000L)
            .property("n", 5)
            .text("hi")
            .build();

    private static <T extends Payload> void assertGolden(String name, T record, Function<ByteBuffer, T> read)
            throws IOException {
        assertKept(name, record, read);
        byte[] golden = golden(name);
        golden[0]++;
        assertThatThrownBy(() -> read.apply(ByteBuffer.wrap(golden)))
                .as("a newer version is refused")
                .isInstanceOf(BrokerException.class);
    }

    private static <T extends Payload> void assertKept(String name, T record, Function<ByteBuffer, T> read)
            throws IOException {
        byte[] golden = golden(name);
        assertThat(HexFormat.of().formatHex(written(record)))
                .isEqualTo(HexFormat.of().formatHex(golden));
        assertThat(written(read.apply(ByteBuffer.wrap(golden)))).isEqualTo(golden);
    }

    /** What an older version has written is still read. */
    private static <T extends Payload> void assertReads(String name, T record, Function<ByteBuffer, T> read)
            throws IOException {
        assertThat(read.apply(ByteBuffer.wrap(golden(name)))).isEqualTo(record);
    }

    private static byte[] written(Payload record) {
        ByteBuffer bytes = ByteBuffer.allocate(record.sizeBytes());
        record.writeTo(bytes);
        assertThat(bytes.hasRemaining()).as("the size is what is written").isFalse();
        return bytes.array();
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream file = RecordFormatTest.class.getResourceAsStream("/records/" + name + ".hex")) {
            assertThat(file).as(name).isNotNull();
            String text = new String(file.readAllBytes(), StandardCharsets.US_ASCII);
            return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
        }
    }

    @Test
    void aMessageOfOneQueueKeepsItsForm() throws IOException {
        assertGolden("message-queue-1", MessageRecord.toQueue(7, MESSAGE), MessageRecord::read);
    }

    @Test
    void aMessageOfASubscriberSetKeepsItsForm() throws IOException {
        assertGolden("message-set-1", new MessageRecord(8, true, new int[] {1, 300}, MESSAGE), MessageRecord::read);
    }

    @Test
    void aQueueKeepsItsForm() throws IOException {
        assertGolden("queue-1", new QueueRecord(Address.queue("orders.grüße")), QueueRecord::read);
    }

    @Test
    void aSubscriptionKeepsItsForm() throws IOException {
        SubscriptionName name = new SubscriptionName("client", "sub");
        assertGolden(
                "subscription-2",
                new SubscriptionRecord(name, Address.topic("news"), "a = 1", true, false, "alice"),
                SubscriptionRecord::read);
        assertReads(
                "subscription-1",
                new SubscriptionRecord(name, Address.topic("news"), "a = 1", true, false, null),
                SubscriptionRecord::read);
        SubscriptionName plain = new SubscriptionName(null, "sub");
        assertReads(
                "subscription-plain-1",
                new SubscriptionRecord(plain, Address.topic("news"), null, false, false, null),
                SubscriptionRecord::read);
    }

    @Test
    void aSubscriptionToAPatternKeepsItsForm() throws IOException {
        assertReads(
                "subscription-pattern-1",
                new SubscriptionRecord(
                        new SubscriptionName("client", "sub"),
                        Address.pattern(AddressKind.TOPIC, "news.*.>"),
                        null,
                        false,
                        false,
                        null),
                SubscriptionRecord::read);
    }

    @Test
    void aQueueThatSubscribesByFiltersKeepsItsForm() throws IOException {
        SubscriptionName name = new SubscriptionName("device", "mqtt");
        SubscriptionQueue queue = new SubscriptionQueue(name, true, SubscriptionQueue.FOREVER, 1000);
        assertGolden(
                "subscription-queue-2",
                new SubscriptionQueueRecord(7, 1_700_000_000_000L, queue, "alice"),
                SubscriptionQueueRecord::read);
        assertReads(
                "subscription-queue-1",
                new SubscriptionQueueRecord(7, 1_700_000_000_000L, queue, null),
                SubscriptionQueueRecord::read);
    }

    @Test
    void whatATopicRetainsKeepsItsForm() throws IOException {
        assertGolden("retained-1", new RetainedRecord(MESSAGE), RetainedRecord::read);
    }

    @Test
    void aFilterKeepsItsForm() throws IOException {
        Address pattern = Address.pattern(AddressKind.TOPIC, "a.*");
        FilterRecord.Retained none = new FilterRecord.Retained(9, 0, 0, null);
        FilterRecord plain = new FilterRecord(7, 9, 0, 0, false, Address.topic("a"), null, none);
        assertGolden("filter-plain-2", plain, FilterRecord::read);
        assertReads("filter-plain-1", plain, FilterRecord::read);
        FilterRecord.Retained some = new FilterRecord.Retained(10, 3, 5, "a.b");
        assertGolden(
                "filter-2", new FilterRecord(7, 9, 12, 0x123456789L, true, pattern, "n > 1", some), FilterRecord::read);
        FilterRecord.Retained asked = new FilterRecord.Retained(9, 0, 0, "a.b");
        assertReads(
                "filter-1", new FilterRecord(7, 9, 0, 0x123456789L, true, pattern, "n > 1", asked), FilterRecord::read);
    }

    @Test
    void aSharedSubscriptionKeepsItsForm() throws IOException {
        SubscriptionRecord shared = new SubscriptionRecord(
                new SubscriptionName(null, "sub"), Address.topic("news"), null, false, true, null);
        assertGolden("subscription-shared-2", shared, SubscriptionRecord::read);
        assertReads("subscription-shared-1", shared, SubscriptionRecord::read);
    }

    @Test
    void aSubscriberSetKeepsItsForm() throws IOException {
        assertKept("subscriber-set-1", new SubscriberSetRecord(new long[] {3, 1L << 40}), SubscriberSetRecord::read);
        assertGolden(
                "subscriber-set-2", new SubscriberSetRecord(7, new long[] {3, 1L << 40}), SubscriberSetRecord::read);
    }

    @Test
    void aSettleKeepsItsForm() throws IOException {
        assertGolden("settled-1", new SettledRecord(3, 1_000_000), SettledRecord::read);
    }

    @Test
    void foldedSettlesKeepTheirForm() throws IOException {
        assertKept("passed-1", new PassedRecord(3, 0, 1_000_000, new long[] {17, 99}), PassedRecord::read);
        assertGolden("passed-2", new PassedRecord(3, 7, 1_000_000, new long[] {17, 99}), PassedRecord::read);
    }

    @Test
    void aMarkKeepsItsForm() throws IOException {
        assertGolden("mark-1", new MarkRecord(3, 1_000_000), MarkRecord::read);
    }

    @Test
    void attemptsKeepTheirForm() throws IOException {
        assertGolden("attempt-2", new AttemptRecord(3, 1_000_000, 2, 1_700_000_000_000L), AttemptRecord::read);
        assertReads("attempt-1", new AttemptRecord(3, 1_000_000, 2, 0), AttemptRecord::read);
    }

    @Test
    void anIdBlockKeepsItsForm() throws IOException {
        assertGolden("id-block-1", new IdBlockRecord(1 << 20), IdBlockRecord::read);
    }

    @Test
    void protocolStateKeepsItsForm() throws IOException {
        byte[] cell = {0, 3, 'n', 0, 'k', 'v', 'a', 'l'};
        assertGolden("state-1", new StateRecord(cell), StateRecord::read);
    }

    @Test
    void aPagesMarkerKeepsItsForm() throws IOException {
        PageRecord marker = marker(1L << 20);
        assertGolden("page-3", new PageRecord(6, 1_000_000, 77, marker.stretches()), PageRecord::read);
        assertKept("page-2", marker, PageRecord::read);
        assertReads("page-1", marker(0), PageRecord::read);
    }

    @Test
    void aMarkerThatIsTooLargeIsSplitByStretchesAndByQueues() {
        long[] queues = LongStream.range(0, 1_000).toArray();
        Stretch many = new Stretch(0, 5, (byte) 4, 100, 105, 0, 0, 600, new long[0], queues);
        PageRecord whole =
                new PageRecord(6, 100, 0, List.of(many, marker(1).stretches().get(1)));

        List<PageRecord> parts = whole.split(77, 1_000);

        assertThat(parts).allSatisfy(part -> {
            assertThat(part.sizeBytes()).isLessThanOrEqualTo(1_000);
            assertThat(part.slots()).isEqualTo(6);
            assertThat(part.base()).isEqualTo(100);
        });
        assertThat(parts).extracting(PageRecord::page).startsWith(0L, 77L, 77L).endsWith(77L);
        assertThat(parts.stream()
                        .flatMap(part -> part.stretches().stream())
                        .filter(stretch -> stretch.last() == 5 && stretch.first() == 0)
                        .flatMapToLong(stretch -> LongStream.of(stretch.queues())))
                .containsExactly(LongStream.of(queues).boxed().toArray(Long[]::new));
        assertThat(parts.get(parts.size() - 1).stretches())
                .contains(whole.stretches().get(1));
    }

    private static PageRecord marker(long bytes) {
        Stretch all = new Stretch(0, 2, (byte) 4, 100, 102, 0, 0, bytes, new long[0], new long[] {3, 1L << 40});
        Stretch some = new Stretch(
                3, 5, (byte) 9, 90, 99, 1_700_000_000_000L, 1_800_000_000_000L, 2 * bytes, new long[] {5}, new long[] {3
                });
        return new PageRecord(6, List.of(all, some));
    }

    @Test
    void settlesOfPagesKeepTheirForm() throws IOException {
        assertGolden("page-settled-1", new PageSettledRecord(1_000_000, 3, 17), PageSettledRecord::read);
        assertKept("page-passed-1", new PagePassedRecord(1_000_000, 3, new long[] {-1, 7}), PagePassedRecord::read);
        assertGolden("page-passed-2", PagePassedRecord.all(1_000_000, 3), PagePassedRecord::read);
        assertGolden("floor-1", new FloorRecord(3, 1_000_000), FloorRecord::read);
    }

    @Test
    void identitiesKeepTheirForm() throws IOException {
        assertGolden("dedup-1", new DedupRecord(1_000, 7, new long[] {-1, 2, 3, 4}), DedupRecord::read);
        assertGolden("producer-1", new ProducerRecord(-1, 2, 1_000_000, 7), ProducerRecord::read);
    }

    @Test
    void preparedBranchesKeepTheirForm() throws IOException {
        BranchId branch = new BranchId(7, new byte[] {1, 2}, new byte[] {3});
        assertGolden("branch-1", new BranchRecord(branch, BranchRecord.State.ROLLED_BACK, "ann"), BranchRecord::read);
        assertGolden(
                "prepared-send-2",
                new PreparedSendRecord(9, -1, 2, "c", new PreparedSendRecord.Place(1_000_000, 50, 7, 900), MESSAGE),
                PreparedSendRecord::read);
        assertKept("prepared-send-1", new PreparedSendRecord(9, -1, 2, "c", null, MESSAGE), PreparedSendRecord::read);
        assertGolden(
                "prepared-settles-1",
                new PreparedSettlesRecord(9, true, "no", new long[] {3, 1_000_000}),
                PreparedSettlesRecord::read);
        assertGolden(
                "prepared-state-1",
                new PreparedStateRecord(9, StateChange.put("n", "k", new byte[] {5})),
                PreparedStateRecord::read);
        assertGolden(
                "prepared-state-removed-1",
                new PreparedStateRecord(9, StateChange.remove("n", "k")),
                PreparedStateRecord::read);
    }

    @Test
    void typeCodesNeverChange() {
        assertThat(RecordType.values())
                .extracting(type -> type + "=" + type.code())
                .containsExactly(
                        "MESSAGE=1",
                        "QUEUE=2",
                        "SUBSCRIPTION=3",
                        "SUBSCRIBER_SET=4",
                        "SETTLED=5",
                        "PASSED=6",
                        "MARK=7",
                        "ATTEMPT=8",
                        "ID_BLOCK=9",
                        "STATE=10",
                        "DEDUP=11",
                        "PRODUCER=12",
                        "BRANCH=13",
                        "PREPARED_SEND=14",
                        "PREPARED_SETTLES=15",
                        "PREPARED_STATE=16",
                        "FLOOR=17",
                        "PAGE=40",
                        "PAGE_SETTLED=41",
                        "PAGE_PASSED=42",
                        "SUBSCRIPTION_QUEUE=60",
                        "FILTER=61",
                        "RETAINED=62");
        assertThatThrownBy(() -> RecordType.of((byte) 99)).hasMessageContaining("99");
    }
}
