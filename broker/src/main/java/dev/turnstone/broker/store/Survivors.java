package dev.turnstone.broker.store;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.Payload;
import dev.turnstone.port.Message;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The records that a journal still had, sorted by type: what recovery builds from. Owned by the engine thread. */
public final class Survivors {
    /** A message that survived, and the queues that hold it by its record, passed or not. */
    public record Survivor(long position, Message message, long[] queues, long set) {}

    /** A subscriber set: its records, and the ids of its queues. */
    public record SurvivingSet(long[] records, long[] queues) {}

    /** A record of one queue, with its own id. */
    public record Kept<T>(long id, T record) {}

    private final Map<Long, QueueRecord> queues = new HashMap<>();
    private final TopicSurvivors topics = new TopicSurvivors();
    private final SetSurvivors sets = new SetSurvivors();
    private final MessageSurvivors messages;
    private final List<Kept<SettledRecord>> settled = new ArrayList<>();
    private final List<Kept<PassedRecord>> passed = new ArrayList<>();
    private final List<Kept<MarkRecord>> marks = new ArrayList<>();
    private final List<Kept<AttemptRecord>> attempts = new ArrayList<>();
    private final PageSurvivors pages = new PageSurvivors();
    /** Those that the recovery of queues does not need, by their class. */
    private final Map<Class<?>, List<Kept<?>>> others = new HashMap<>();

    private final List<Kept<IdBlockRecord>> blocks = new ArrayList<>();
    private long nextId = 1;

    private Survivors(MessageSurvivors messages) {
        this.messages = messages;
    }

    /** Loads a journal, and keeps as many messages in memory as these limits leave there. */
    public static Survivors read(Journal journal, Limits limits) {
        long keepBytes = limits.of(Limit.MEMORY_MAX) / 100 * limits.of(Limit.MEMORY_PAGE_OUT);
        Survivors survivors = new Survivors(new MessageSurvivors(journal, keepBytes));
        journal.load(survivors::take);
        return survivors;
    }

    private void take(long id, byte type, ByteBuffer payload) {
        nextId = Math.max(nextId, id + 1);
        switch (RecordType.of(type)) {
            case MESSAGE -> messages.take(id, payload);
            case QUEUE -> queues.put(id, QueueRecord.read(payload));
            case SUBSCRIPTION -> topics.subscriptions().put(id, SubscriptionRecord.read(payload));
            case SUBSCRIBER_SET -> sets.take(id, SubscriberSetRecord.read(payload));
            case SETTLED -> settled.add(new Kept<>(id, SettledRecord.read(payload)));
            case PASSED -> passed.add(new Kept<>(id, PassedRecord.read(payload)));
            case MARK -> marks.add(new Kept<>(id, MarkRecord.read(payload)));
            case ATTEMPT -> attempts.add(new Kept<>(id, AttemptRecord.read(payload)));
            case DEDUP -> keep(id, DedupRecord.read(payload));
            case PRODUCER -> keep(id, ProducerRecord.read(payload));
            case BRANCH -> keep(id, BranchRecord.read(payload));
            case PREPARED_SEND -> keep(id, PreparedSendRecord.read(payload));
            case PREPARED_SETTLES -> keep(id, PreparedSettlesRecord.read(payload));
            case PREPARED_STATE -> keep(id, PreparedStateRecord.read(payload));
            case FLOOR -> keep(id, FloorRecord.read(payload));
            case STATE -> keep(id, StateRecord.read(payload));
            case SUBSCRIPTION_QUEUE -> topics.queues().add(new Kept<>(id, SubscriptionQueueRecord.read(payload)));
            case RETAINED -> topics.retained().add(new Kept<>(id, RetainedRecord.read(payload)));
            case FILTER -> topics.filters().add(new Kept<>(id, FilterRecord.read(payload)));
            case PAGE -> pages.markers().add(new Kept<>(id, PageRecord.read(payload)));
            case PAGE_SETTLED -> pages.settled().add(new Kept<>(id, PageSettledRecord.read(payload)));
            case PAGE_PASSED -> pages.passed().add(new Kept<>(id, PagePassedRecord.read(payload)));
            case ID_BLOCK -> {
                IdBlockRecord block = IdBlockRecord.read(payload);
                blocks.add(new Kept<>(id, block));
                nextId = Math.max(nextId, block.end());
            }
        }
    }

    private void keep(long id, Payload record) {
        others.computeIfAbsent(record.getClass(), type -> new ArrayList<>()).add(new Kept<>(id, record));
    }

    /** The log that goes on after these records. */
    public Log log(Journal journal) {
        return new Log(journal, nextId, blocks.stream().map(Kept::id).toList());
    }

    /** Queues by id. */
    public Map<Long, QueueRecord> queues() {
        return queues;
    }

    /** What subscribes to topics. */
    public TopicSurvivors topics() {
        return topics;
    }

    /** Subscriber sets by the ids of their first records. */
    public Map<Long, SurvivingSet> sets() {
        return sets.all();
    }

    /** Settles of single messages. */
    public List<Kept<SettledRecord>> settled() {
        return settled;
    }

    /** Folded settles. */
    public List<Kept<PassedRecord>> passed() {
        return passed;
    }

    /** Dispatch marks. */
    public List<Kept<MarkRecord>> marks() {
        return marks;
    }

    /** All records of a class that belong to no queue. */
    public <T extends Payload> List<Kept<T>> all(Class<T> type) {
        List<Kept<T>> all = new ArrayList<>();
        for (Kept<?> kept : others.getOrDefault(type, List.of())) {
            all.add(new Kept<>(kept.id(), type.cast(kept.record())));
        }
        return all;
    }

    /** Attempts of entries. */
    public List<Kept<AttemptRecord>> attempts() {
        return attempts;
    }

    /** What speaks of pages. */
    public PageSurvivors pages() {
        return pages;
    }

    /**
     * Hands out the messages in the order of their positions, some at a time; each with the queues that its record
     * names and that still exist.
     */
    public void messages(Consumer<List<Survivor>> taker) {
        messages.inOrder(some -> {
            List<Survivor> survivors = new ArrayList<>(some.size());
            for (Kept<MessageRecord> kept : some) {
                MessageRecord record = kept.record();
                survivors.add(
                        new Survivor(kept.id(), record.message(), targets(kept), record.toSet() ? record.target() : 0));
            }
            taker.accept(survivors);
        });
    }

    /** True if they do not fit into memory together. */
    public boolean messagesAreMany() {
        return messages.tooMany();
    }

    private long[] targets(Kept<MessageRecord> kept) {
        MessageRecord record = kept.record();
        if (!record.toSet()) {
            return new long[] {record.target()};
        }
        SurvivingSet set = sets().get(record.target());
        Invariant.check(set != null, "message " + kept.id() + " names the subscriber set " + record.target());
        long[] targets = new long[set.queues().length];
        int count = 0;
        for (int i = 0; i < targets.length; i++) {
            if (!record.excepts(i)) {
                targets[count++] = set.queues()[i];
            }
        }
        return Arrays.copyOf(targets, count);
    }

    /** What (queue, position) pairs the surviving settles name, to ask once for each message. */
    public Set<SettledRecord> settledPairs() {
        Set<SettledRecord> pairs = new HashSet<>();
        for (Kept<SettledRecord> kept : settled) {
            pairs.add(kept.record());
        }
        return pairs;
    }
}
