package dev.turnstone.broker.queue;

import dev.turnstone.broker.settings.CapacitySettings;
import dev.turnstone.broker.settings.WhenFull;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.port.Message;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Keeps one queue within what its settings allow: what leaves when more comes. Owned by the engine thread. */
public final class Room {
    private final QueueState queue;
    private final QueueContext context;
    private final LastValues values;
    /** What consumers have, and what is on its way out. */
    private long givenBytes;
    /** False after the queue has ended. */
    private boolean counted = true;

    Room(QueueState queue, QueueContext context) {
        this.queue = queue;
        this.context = context;
        this.values = new LastValues(queue, context, capacity().lastValueKey());
        context.store().memory().standing(Memory.QUEUE_OVERHEAD);
    }

    /** The queue has ended. */
    void end() {
        if (counted) {
            counted = false;
            context.store().memory().standing(-Memory.QUEUE_OVERHEAD);
        }
    }

    private CapacitySettings capacity() {
        return queue.settings().capacity();
    }

    LastValues values() {
        return values;
    }

    /** The queue's settings are others. */
    void configure() {
        values.configure(capacity().lastValueKey());
        context.waiting().changed(queue);
    }

    /** True if there may be a message behind one position and before another. */
    public boolean mayHold(long after, long before) {
        return queue.index().mayHold(after, before);
    }

    /** What the messages have together, in bytes, in memory or not. */
    public long bytes() {
        return queue.index().bytes();
    }

    /**
     * True if so many messages more, of so many bytes together, would be more than there may be. What does not become
     * more is never too much.
     */
    public boolean lacks(long messages, long bytes) {
        return capacity().exceeded(messages > 0 ? queue.depth() + messages : 0, bytes > 0 ? bytes() + bytes : 0);
    }

    /** What a message has as its key in a property; null if it has none. */
    public static @Nullable String valueKey(Message message, String property) {
        Object value = message.property(property);
        return value == null ? null : value.toString();
    }

    /** True if there is no room for a message; one that replaces a value needs only what it has more than that. */
    public boolean lacks(Message message) {
        String key = values.key(message);
        long replaced = key == null ? LastValues.NONE : values.replacedBytes(key);
        return replaced == LastValues.NONE
                ? lacks(1, message.encodedBytes())
                : lacks(0, message.encodedBytes() - replaced);
    }

    /** True if there is no room for so much, though values of these keys leave for it. */
    public boolean lacks(long messages, long bytes, Collection<String> keys) {
        long fewer = 0;
        long fewerBytes = 0;
        for (String key : keys) {
            long replaced = values.replacedBytes(key);
            if (replaced != LastValues.NONE) {
                fewer++;
                fewerBytes += replaced;
            }
        }
        return lacks(messages - fewer, bytes - fewerBytes);
    }

    /** A message was not taken, since there was no room for it. */
    public void missed() {
        context.traffic().dropped(queue.index().traffic());
    }

    /** An entry has come: what it replaces, and the oldest, leave. */
    void came(Entry entry) {
        values.found(entry);
        trim(Integer.MAX_VALUE);
    }

    /** An entry leaves. */
    void left(Entry entry) {
        values.left(entry);
        context.waiting().changed(queue);
    }

    /** True if nobody has been given it. */
    static boolean mayGo(Entry entry) {
        return entry.state == EntryState.READY || entry.state == EntryState.DELAYED;
    }

    /** An entry leaves, if nobody has been given it. */
    void drop(Entry entry) {
        if (mayGo(entry)) {
            queue.perform(new Change.Settled(entry, true));
        }
    }

    /** An entry leaves that is in a page, and not in memory. */
    void drop(Run run, int slot) {
        context.pager().drop(run, slot);
        context.traffic().droppedFromPage(queue.index().traffic());
        context.waiting().changed(queue);
        queue.wake();
    }

    /** What has been here longest makes room, at most so many; true if only that ended it. */
    boolean trim(int most) {
        CapacitySettings capacity = capacity();
        if (!capacity.dropsOldest()) {
            return false;
        }
        for (int left = most; tooMuch(capacity); left--) {
            Place oldest = queue.dispatch().oldest();
            if (oldest == null || left == 0) {
                return oldest != null;
            } else if (oldest instanceof Entry entry) {
                drop(entry);
            } else if (oldest instanceof Run run) {
                Residency of = queue.index().residency();
                if (values.active()
                        || of.hasAttempts()
                        || of.hasLocks(run.position(), run.lastPosition())
                        || !run.holds(run.first())) {
                    // What is known of its entries must go with them, a prepared branch may wait for one, and where
                    // its first one stands is known only of the one that it began with: so they come back first.
                    run.want();
                    return false;
                }
                drop(run, run.firstHeld());
            }
        }
        return false;
    }

    /** Only what nobody has been given counts, since nothing else can go. */
    private boolean tooMuch(CapacitySettings capacity) {
        return (capacity.ringSize() > 0 && queue.waiting() > capacity.ringSize())
                || (capacity.whenFull() == WhenFull.DROP_OLDEST
                        && capacity.exceeded(queue.waiting(), bytes() - givenBytes));
    }

    /** An entry is with a consumer, or on its way out, and can no longer go to make room. */
    void given(Entry entry) {
        givenBytes += entry.bytes();
    }

    /** An entry that was {@link #given} has come back, or leaves. */
    void back(Entry entry) {
        givenBytes -= entry.bytes();
    }
}
