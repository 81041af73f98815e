package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.StoredMessage;
import java.util.ArrayList;
import java.util.List;

/** Entries whose messages are to be one page. Owned by the engine thread. */
final class Draft {
    /** The most messages of a page. */
    static final int SLOTS_MAX = 4_096;

    private final List<Entry> entries;
    private long bytes;
    private long memoryBytes;
    private boolean shared;

    Draft() {
        this(new ArrayList<>());
    }

    private Draft(List<Entry> entries) {
        this.entries = entries;
    }

    /** True if an entry's message may go to a page: nothing keeps it, or its body, elsewhere. */
    static boolean takes(Entry entry) {
        return entry.state != EntryState.GONE
                && entry.state != EntryState.LEAVING
                && entry.stored().page() == null
                // Only its record tells who holds its body.
                && !entry.message().hasStoredBody();
    }

    void add(Entry entry) {
        StoredMessage message = entry.stored();
        entries.add(entry);
        bytes += message.message().encodedBytes();
        memoryBytes += message.memoryBytes() + (long) message.holders() * Memory.ENTRY_OVERHEAD;
        shared |= message.holders() > 1;
    }

    boolean full(long pageBytes) {
        return bytes >= pageBytes || entries.size() == SLOTS_MAX;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** True if other queues hold one of its messages, too. */
    boolean shared() {
        return shared;
    }

    /** What is freed when all of its messages have left memory. */
    long memoryBytes() {
        return memoryBytes;
    }

    List<Entry> entries() {
        return entries;
    }

    List<StoredMessage> messages() {
        List<StoredMessage> messages = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            messages.add(entry.stored());
        }
        return messages;
    }

    /** Counts what its queues will have less, or no longer. */
    void leave(int sign) {
        for (Entry entry : entries) {
            entry.queue().index().residency().writing += sign * entry.residentBytes();
        }
    }

    Draft copy() {
        Draft copy = new Draft(new ArrayList<>(entries));
        copy.bytes = bytes;
        copy.memoryBytes = memoryBytes;
        copy.shared = shared;
        return copy;
    }

    void clear() {
        entries.clear();
        bytes = 0;
        memoryBytes = 0;
        shared = false;
    }
}
