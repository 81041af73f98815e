package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.AttemptRecord;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.RecordType;

/** Records that entries may have been seen, one by one, where the dispatch mark does not say it. Engine thread. */
final class Seen {
    private Seen() {}

    /** Records that an entry may have been seen, and how many attempts at it count. */
    static void record(long queue, Entry entry, int attempts, Log log) {
        record(queue, entry, attempts, 0, log);
    }

    /** As {@link #record(long, Entry, int, Log)}, and when it may be delivered again. */
    static void record(long queue, Entry entry, int attempts, long retryMs, Log log) {
        long before = entry.attemptRecord;
        entry.attemptRecord =
                log.add(RecordType.ATTEMPT, new AttemptRecord(queue, entry.position(), attempts, retryMs));
        if (before != 0) {
            log.delete(before);
        }
        entry.causeLsn = log.lsn();
    }

    /** Records exactly which entries may have been seen, in place of the mark that reaches ahead of them. */
    static void recordExactly(long queue, EntryIndex index, DispatchMark mark, Log log) {
        long paged = 0;
        for (int lane = 0; lane < EntryIndex.LANES; lane++) {
            for (Place place = index.head(lane); place != null && mark.covers(place.position()); place = place.next) {
                if (place instanceof Entry entry) {
                    // What a prepared branch has settled was seen, and comes back if the branch rolls back.
                    if ((entry.flagged || entry.state == EntryState.LOCKED)
                            && entry.attemptRecord == 0
                            && entry.stored().recorded()) {
                        record(queue, entry, entry.attempts, log);
                    }
                } else if (index.residency().flags(place.position(), 0)) {
                    paged = index.residency().flaggedUpTo;
                }
            }
        }
        if (paged > 0) {
            // What is flagged in pages has no records of its own: the mark goes back to where recovery found it.
            mark.reserve(queue, paged, log);
        } else {
            mark.erase(log);
        }
    }
}
