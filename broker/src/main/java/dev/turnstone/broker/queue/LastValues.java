package dev.turnstone.broker.queue;

import dev.turnstone.port.Message;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Of a queue that keeps the last value of each key only: where each is. A newer value replaces one that nobody has been
 * given, in memory or in a page; one that comes back when there is a newer one leaves. After a start the pages are read
 * once, before anything is delivered, since their markers do not know the keys. Owned by the engine thread.
 */
final class LastValues {
    /** There is no value to replace. */
    static final long NONE = -1;

    private static final long OVERHEAD = 160;

    private final QueueState queue;
    private final QueueContext context;
    /** Not to be changed before the first. */
    private Map<String, LastValue> byKey = Map.of();

    private @Nullable String property;
    /** Runs whose keys are not known yet. */
    private final Set<Run> unread = new HashSet<>(0);

    LastValues(QueueState queue, QueueContext context, @Nullable String property) {
        this.queue = queue;
        this.context = context;
        this.property = property;
    }

    /** From now on messages have their key in another property; null if all are kept. */
    void configure(@Nullable String other) {
        if (!Objects.equals(property, other)) {
            clear();
            property = other;
            readAll();
        }
    }

    boolean active() {
        return property != null;
    }

    /** True while there are runs whose keys are not known. */
    boolean reading() {
        return !unread.isEmpty();
    }

    /** Looks at all that there is: entries in memory at once, runs when their pages are read. */
    void readAll() {
        if (property == null) {
            return;
        }
        for (int lane = 0; lane < EntryIndex.LANES; lane++) {
            for (Place place = queue.index().head(lane); place != null; ) {
                Place after = place.next;
                if (place instanceof Entry entry && entry.value == null) {
                    found(entry);
                } else if (place instanceof Run run && unread.add(run)) {
                    run.wantAll();
                }
                place = after;
            }
        }
    }

    /** A run is no more; its entries have been told of, if there are any. */
    void gone(Run run) {
        if (unread.remove(run)) {
            mayReplace();
        }
    }

    /** An entry has come, or come back from a page or a crash: the older of two with one key leaves. */
    void found(Entry entry) {
        String key = key(entry.message());
        if (key == null) {
            return;
        }
        LastValue known = byKey.get(key);
        if (known == null) {
            entry.value = new LastValue(key, entry);
            if (byKey.isEmpty()) {
                byKey = new HashMap<>();
            }
            byKey.put(key, entry.value);
            context.store().memory().add(OVERHEAD + 2L * key.length());
        } else if (known.position == entry.position()) {
            known.is(entry);
            entry.value = known;
        } else if (known.position > entry.position()) {
            queue.room().drop(entry);
        } else {
            replace(known, entry);
        }
    }

    private void replace(LastValue known, Entry entry) {
        Place old = known.place;
        int slot = known.slot;
        known.is(entry);
        entry.value = known;
        if (old instanceof Entry before) {
            before.value = null;
            queue.room().drop(before);
        } else if (old instanceof Run run) {
            queue.room().drop(run, slot);
        }
    }

    /** True if there is a newer value than this entry, which has come back. */
    boolean superseded(Entry entry) {
        mayReplace();
        return property != null && entry.value == null && key(entry.message()) != null;
    }

    /** There may be a value more that a sender which waits can replace. */
    private void mayReplace() {
        if (property != null) {
            context.waiting().changed(queue);
        }
    }

    /** An entry leaves the queue. */
    void left(Entry entry) {
        LastValue value = entry.value;
        if (value != null) {
            entry.value = null;
            byKey.remove(value.key);
            context.store().memory().remove(OVERHEAD + 2L * value.key.length());
        }
    }

    /** A run stands for an entry. */
    void moved(Entry entry, Run run) {
        LastValue value = entry.value;
        if (value != null) {
            value.place = run;
            value.slot = entry.stored().slot();
            entry.value = null;
        }
    }

    /** The queue has ended, or keeps all values. */
    void clear() {
        byKey.values().forEach(value -> {
            if (value.place instanceof Entry entry) {
                entry.value = null;
            }
            context.store().memory().remove(OVERHEAD + 2L * value.key.length());
        });
        byKey = Map.of();
    }

    /** How many bytes the value has that a newer one would replace; {@link #NONE} if there is no such. */
    long replacedBytes(String key) {
        LastValue known = byKey.get(key);
        if (known == null) {
            return NONE;
        }
        if (known.place instanceof Run run) {
            return run.bytes() / run.count();
        }
        return known.place instanceof Entry entry && Room.mayGo(entry) ? entry.bytes() : NONE;
    }

    @Nullable
    String key(Message message) {
        return property == null ? null : Room.valueKey(message, property);
    }
}
