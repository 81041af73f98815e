package dev.turnstone.broker.tx;

import dev.turnstone.broker.store.Log;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Whether a full disk still has room for what a transaction sends: what is left is for settles and small commits, and
 * without a byte the broker stops. Owned by the engine thread.
 */
public final class CommitRoom {
    private final Log log;
    private long freeBytes = Long.MAX_VALUE;
    /** What was let pass since so much was free. */
    private long passed;

    CommitRoom(Log log) {
        this.log = log;
    }

    /**
     * Why a transaction cannot commit: the disk is full, and its messages would take more than half of what is left.
     * Null if it can; then it is to do so.
     */
    public @Nullable BrokerException refusal(Transaction transaction) {
        return refusal(transaction, 1);
    }

    /** The same for one that records its messages so many times until it is over. */
    @Nullable
    BrokerException refusal(Transaction transaction, int times) {
        if (log.hasRoom()) {
            return null;
        }
        long bytes = times * transaction.recordBytes();
        if (bytes == 0) {
            return null;
        }
        if (log.freeBytes() != freeBytes) {
            freeBytes = log.freeBytes();
            passed = 0;
        }
        if (passed + bytes > freeBytes / 2) {
            return new BrokerException(
                    ErrorCode.DISK_FULL,
                    "the broker's disk is full: less than disk.lowWater is free, and the transaction's messages would"
                            + " take " + bytes + " bytes of the " + freeBytes + " that are left");
        }
        passed += bytes;
        return null;
    }
}
