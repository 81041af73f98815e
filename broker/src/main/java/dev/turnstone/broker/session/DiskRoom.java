package dev.turnstone.broker.session;

import dev.turnstone.broker.store.Log;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;

/**
 * What sends do while the disk is full: they wait for a time after it has become so, then they are refused, until there
 * is room again. Settles, commits and what is not persistent go on. Owned by the engine thread.
 */
final class DiskRoom {
    private static final long NOT_FULL = Long.MIN_VALUE;

    private final Log log;
    private final long waitMs;
    private long fullSinceMs = NOT_FULL;
    private long nowMs;

    DiskRoom(Log log, long waitMs) {
        this.log = log;
        this.waitMs = waitMs;
    }

    /** A turn begins. */
    void turn(long turnMs) {
        nowMs = turnMs;
        if (log.hasRoom()) {
            fullSinceMs = NOT_FULL;
        } else if (fullSinceMs == NOT_FULL) {
            fullSinceMs = turnMs;
        }
    }

    /** True while sends wait for room. */
    boolean mustWait() {
        return fullSinceMs != NOT_FULL && nowMs < fullSinceMs + waitMs;
    }

    /** When those that wait are to be refused, in milliseconds since the epoch; {@link Long#MAX_VALUE} for never. */
    long dueMs() {
        return mustWait() ? fullSinceMs + waitMs : Long.MAX_VALUE;
    }

    /** Refuses a persistent send, or a chunk of a body, that there is no room for. */
    void check() {
        if (fullSinceMs != NOT_FULL) {
            throw new BrokerException(
                    ErrorCode.DISK_FULL,
                    "the broker's disk is full: less than disk.lowWater is free; it takes persistent messages again"
                            + " when there is room or messages were consumed");
        }
    }
}
