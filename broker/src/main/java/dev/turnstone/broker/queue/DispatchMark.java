package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.MarkRecord;
import dev.turnstone.broker.store.RecordType;

/**
 * How far a queue's messages may have been seen, durably and ahead of time, so that a crash returns them flagged and a
 * dispatch seldom costs a record. Owned by the engine thread.
 */
final class DispatchMark {
    private long position;
    private long record;
    private long lsn;

    boolean covers(long messagePosition) {
        return messagePosition <= position;
    }

    long position() {
        return position;
    }

    /** What must be durable before anything that the mark covers leaves. */
    long lsn() {
        return lsn;
    }

    /** Moves the mark forward. */
    void reserve(long queue, long upTo, Log log) {
        long id = log.add(RecordType.MARK, new MarkRecord(queue, upTo));
        // The new one first: a crash between the two keeps both, and the higher counts.
        erase(log);
        position = upTo;
        record = id;
        lsn = log.lsn();
    }

    /** Deletes the record. */
    void erase(Log log) {
        if (record != 0) {
            log.delete(record);
            record = 0;
        }
    }

    /** Takes over what recovery found: the higher of two, if a crash left both. */
    void recovered(long markPosition, long markRecord, Log log) {
        if (markPosition >= position) {
            erase(log);
            position = markPosition;
            record = markRecord;
        } else {
            log.delete(markRecord);
        }
    }
}
