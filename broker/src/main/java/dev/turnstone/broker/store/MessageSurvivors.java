package dev.turnstone.broker.store;

import dev.turnstone.broker.store.Survivors.Kept;
import dev.turnstone.journal.Journal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The messages that a journal still had: in memory if they fit, which a store that was written with a larger heap may
 * not; else only where they are, and they are read again, some at a time. Owned by the engine thread.
 */
final class MessageSurvivors {
    /** Neighbouring positions whose messages are counted together. */
    private static final int BUCKET_BITS = 6;

    private final Journal journal;
    private final long keepBytes;
    private final List<Kept<MessageRecord>> kept = new ArrayList<>();
    private long bytes;
    /** What the messages of each bucket take; null while all are kept. */
    private final TreeMap<Long, Long> buckets = new TreeMap<>();

    private boolean tooMany;

    /** None; those of more bytes than this are not kept. */
    MessageSurvivors(Journal journal, long keepBytes) {
        this.journal = journal;
        this.keepBytes = keepBytes;
    }

    void take(long id, ByteBuffer payload) {
        long size = (long) payload.remaining() + Memory.MESSAGE_OVERHEAD;
        bytes += size;
        if (!tooMany && bytes > keepBytes) {
            tooMany = true;
            kept.forEach(message -> count(message.id(), (long) message.record().sizeBytes() + Memory.MESSAGE_OVERHEAD));
            kept.clear();
        }
        if (tooMany) {
            count(id, size);
        } else {
            kept.add(new Kept<>(id, MessageRecord.read(payload)));
        }
    }

    private void count(long id, long size) {
        buckets.merge(id >> BUCKET_BITS, size, Long::sum);
    }

    /** True if they do not fit into memory together. */
    boolean tooMany() {
        return tooMany;
    }

    /** Hands out all, in the order of their positions, so many at a time as fit. */
    void inOrder(Consumer<List<Kept<MessageRecord>>> taker) {
        if (!tooMany) {
            taker.accept(sorted(kept));
            return;
        }
        long first = 0;
        long taken = 0;
        for (Map.Entry<Long, Long> bucket : buckets.entrySet()) {
            taken += bucket.getValue();
            if (taken > keepBytes / 4) {
                taker.accept(read(first, bucket.getKey()));
                first = bucket.getKey() + 1;
                taken = 0;
            }
        }
        if (taken > 0) {
            taker.accept(read(first, buckets.lastKey()));
        }
        buckets.clear();
    }

    private List<Kept<MessageRecord>> read(long firstBucket, long lastBucket) {
        List<Kept<MessageRecord>> some = new ArrayList<>();
        long end = (lastBucket + 1) << BUCKET_BITS;
        journal.visit(firstBucket << BUCKET_BITS, end - 1, (id, type, payload) -> {
            if (type == RecordType.MESSAGE.code()) {
                some.add(new Kept<>(id, MessageRecord.read(payload)));
            }
        });
        return sorted(some);
    }

    private static List<Kept<MessageRecord>> sorted(List<Kept<MessageRecord>> messages) {
        messages.sort(Comparator.comparingLong(Kept::id));
        return messages;
    }
}
