package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.FloorRecord;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.RecordType;

/**
 * Up to where one durable queue holds nothing, recorded when it leaves a page that others hold still: who takes its
 * messages in order needs this one record, however many pages it has left behind. Owned by the engine thread.
 */
final class Floor {
    private long position;
    private long record;

    /** The last position that is recorded. */
    long position() {
        return position;
    }

    /** Takes over a record that recovery found; the higher of two counts. */
    void recovered(long found, long foundRecord, Log log) {
        if (record == 0 || found > position) {
            erase(log);
            position = found;
            record = foundRecord;
        } else {
            log.delete(foundRecord);
        }
    }

    /**
     * An entry is about to leave. If it is the last that the queue has of its page, and others have more, that is
     * recorded in place of all that was recorded for the two: true. If not, nothing happens.
     */
    boolean leaves(long queue, Entry entry, Page page, EntryIndex index, Log log) {
        if (!page.shared()) {
            return false;
        }
        long front = index.frontWithout(entry);
        if (front > page.lastPosition()) {
            advance(queue, front == Long.MAX_VALUE ? page.lastPosition() : front - 1, log);
            page.passedAll(queue, log);
            return true;
        }
        if (index.isAlone(entry, page.firstPosition(), page.lastPosition())) {
            page.passAll(queue, log);
            return true;
        }
        return false;
    }

    private void advance(long queue, long upTo, Log log) {
        long before = record;
        position = upTo;
        record = log.add(RecordType.FLOOR, new FloorRecord(queue, upTo));
        if (before != 0) {
            log.delete(before);
        }
    }

    /** Deletes the record. */
    void erase(Log log) {
        if (record != 0) {
            log.delete(record);
            record = 0;
        }
    }
}
