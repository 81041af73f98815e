package dev.turnstone.broker.store;

import dev.turnstone.port.Message;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps messages: gives them positions, records those that must survive, forgets those that nobody holds. Owned by the
 * engine thread.
 */
public final class MessageStore {
    private final Log log;
    private final Memory memory;
    private final Bodies bodies;
    private final SubscriberSets sets = new SubscriberSets();
    /** What was kept since a unit began; empty outside of units. */
    private final List<StoredMessage> ofUnit = new ArrayList<>();

    /** Pages written early that were placed in the unit. */
    private final List<Page> pagesOfUnit = new ArrayList<>(0);

    private boolean inUnit;
    private int unitMark;
    /** The head of a message that a page has already, while that is routed; else null. */
    private @Nullable Early early;

    private record Early(Message head, Page page, int slot, int apartBytes) {}

    /** Nothing kept. */
    public MessageStore(Log log, Memory memory) {
        this.log = log;
        this.memory = memory;
        this.bodies = new Bodies(log, memory);
    }

    /**
     * What comes next is the head of a message that a page has: whoever gets it holds that.
     *
     * @param apartBytes what the page has of it beside the head
     */
    public void placing(Message head, Page page, int slot, int apartBytes) {
        early = new Early(head, page, slot, apartBytes);
    }

    /** What comes next is in no page. */
    public void placed() {
        early = null;
    }

    /** True if it is the head of a message that a page has. */
    public boolean isEarly(Message message) {
        return early != null && early.head() == message;
    }

    void inUnit(Page page) {
        pagesOfUnit.add(page);
    }

    private StoredMessage keepEarly(Early placed, int holders) {
        Page page = placed.page();
        StoredMessage stored = new StoredMessage(page.mark().base + placed.slot(), placed.head());
        stored.apart(placed.apartBytes());
        stored.held(holders);
        page.enter(stored, placed.slot());
        page.hold(holders);
        memory.add(stored.memoryBytes() + (long) holders * Memory.ENTRY_OVERHEAD);
        return stored;
    }

    /** Takes a message that so many queues will hold. */
    public StoredMessage keep(Message message, int holders) {
        if (early != null && early.head() == message) {
            return keepEarly(early, holders);
        }
        StoredMessage stored = keep(log.nextId(), message, holders);
        stored.causedBy(log.reservedLsn());
        return stored;
    }

    /** Recovery: takes a message that survived, held by so many queues. */
    public StoredMessage recover(long position, Message message, int holders, @Nullable SubscriberSet set) {
        StoredMessage stored = keep(position, message, holders);
        stored.recorded(0, holders, set);
        if (set != null) {
            set.named();
        }
        return stored;
    }

    /** Recovery: a set that survived; to be {@link #release}d when all messages are back. */
    public SubscriberSet recoverSet(long[] records, long[] queues) {
        SubscriberSet set = sets.recovered(records, queues);
        set.used();
        return set;
    }

    private StoredMessage keep(long position, Message message, int holders) {
        StoredMessage stored = new StoredMessage(position, message);
        stored.held(holders);
        bodies.hold(message);
        memory.add(stored.memoryBytes() + (long) holders * Memory.ENTRY_OVERHEAD);
        if (inUnit) {
            ofUnit.add(stored);
        }
        return stored;
    }

    /** True between {@link #beginUnit} and {@link #endUnit}. */
    public boolean inUnit() {
        return inUnit;
    }

    /** What is kept and recorded from here to {@link #endUnit} survives, and is seen, together or not at all. */
    public void beginUnit() {
        unitMark = log.mark();
        log.beginUnit();
        inUnit = true;
    }

    /** Closes the unit: even what is not recorded itself waits for the records of the others. */
    public void endUnit() {
        endUnit(0);
    }

    /**
     * As {@link #endUnit()}.
     *
     * @param causeLsn what must be durable before anybody sees what was kept, besides
     */
    public void endUnit(long causeLsn) {
        log.endUnit();
        inUnit = false;
        long lsn = Math.max(causeLsn, log.lsnSince(unitMark));
        for (int i = 0; i < ofUnit.size(); i++) {
            ofUnit.get(i).causedBy(lsn);
        }
        ofUnit.clear();
        pagesOfUnit.forEach(page -> page.causedBy(lsn));
        pagesOfUnit.clear();
    }

    /** Records it for one durable queue. */
    public void record(StoredMessage stored, long queue) {
        if (stored.page() != null) {
            stored.recorded(log.lsn(), 1, null);
            return;
        }
        log.add(stored.position(), RecordType.MESSAGE, MessageRecord.toQueue(queue, stored.message()));
        stored.recorded(log.lsn(), 1, null);
    }

    /** Records it for a set of durable subscriptions, but those at the exceptional indices. */
    public void record(StoredMessage stored, SubscriberSet set, int[] exceptions) {
        if (stored.page() != null) {
            stored.recorded(log.lsn(), set.queues().length - exceptions.length, null);
            return;
        }
        log.add(
                stored.position(),
                RecordType.MESSAGE,
                new MessageRecord(set.record(), true, exceptions, stored.message()));
        stored.recorded(log.lsn(), set.queues().length - exceptions.length, set);
        set.named();
    }

    /** The set of these subscriptions, recorded; to be {@link #release}d when no new message will name it. */
    public SubscriberSet setOf(long[] queues) {
        SubscriberSet set = sets.of(queues, log);
        set.used();
        return set;
    }

    /** One that used this set names it in no new message. */
    public void release(SubscriberSet set) {
        if (set.released()) {
            sets.delete(set, log);
        }
    }

    /**
     * A durable queue has passed a recorded message that no page keeps. Returns true if others still hold it, so that
     * the queue must record that it has.
     */
    public boolean passDurably(StoredMessage stored) {
        if (!stored.leaveDurable()) {
            return true;
        }
        endRecord(stored);
        return false;
    }

    /** A message's own record ends: nobody holds it, or a page keeps it. */
    void endRecord(StoredMessage stored) {
        log.delete(stored.position());
        SubscriberSet set = stored.set();
        if (set != null && set.unnamed()) {
            sets.delete(set, log);
        }
    }

    /** One queue more, which is not durable, will hold a message that is in memory. */
    public void share(StoredMessage stored) {
        stored.join();
        memory.add(Memory.ENTRY_OVERHEAD);
        Page page = stored.page();
        if (page != null && page.stored()) {
            page.hold(1);
        }
    }

    /** A queue no longer holds it. */
    public void leave(StoredMessage stored) {
        Page page = stored.page();
        unload(stored);
        if (page != null && page.stored()) {
            page.release(1);
        }
    }

    /** A queue no longer holds it in memory, and holds it in its page if it did. */
    public void unload(StoredMessage stored) {
        long freed = Memory.ENTRY_OVERHEAD;
        if (stored.leave()) {
            freed += stored.memoryBytes();
            bodies.release(stored.message());
            Page page = stored.page();
            if (page != null) {
                page.exit(stored.slot());
            }
        }
        memory.remove(freed);
    }

    /** The turn's records. */
    public Log log() {
        return log;
    }

    /** Bodies that are stored apart. */
    public Bodies bodies() {
        return bodies;
    }

    /** What messages take. */
    public Memory memory() {
        return memory;
    }
}
