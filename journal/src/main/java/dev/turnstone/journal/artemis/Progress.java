package dev.turnstone.journal.artemis;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the disk has followed, and whether it still does: the one place that speaks to the listener, so that a
 * failure is final and nothing is confirmed after it. Any thread.
 */
final class Progress {
    private static final Logger LOG = LoggerFactory.getLogger(Progress.class);

    private final JournalListener listener;
    private final JournalLimits limits;
    private final AtomicLong outstandingBytes = new AtomicLong();
    private volatile long durableLsn;
    private volatile @Nullable JournalException failure;
    private Runnable whenFailed = () -> {};
    private boolean speaking;

    Progress(JournalLimits limits, JournalListener listener) {
        this.listener = listener;
        this.limits = limits;
    }

    JournalLimits limits() {
        return limits;
    }

    void handedOver(long bytes) {
        outstandingBytes.addAndGet(bytes);
    }

    long outstandingBytes() {
        return outstandingBytes.get();
    }

    boolean accepting() {
        return outstandingBytes.get() <= limits.outstandingBytes();
    }

    long durableLsn() {
        return durableLsn;
    }

    /** Confirms up to an LSN, unless the journal has failed. */
    synchronized void durable(long lsn, long bytes) {
        if (failure != null) {
            return;
        }
        outstandingBytes.addAndGet(-bytes);
        if (lsn > durableLsn) {
            durableLsn = lsn;
            listener.durable(lsn);
        }
    }

    /** Tells that all up to an LSN is written, unless the journal has failed. */
    synchronized void written(long lsn) {
        if (failure == null) {
            listener.written(lsn);
        }
    }

    /** Tells how long a sync took. */
    void synced(long nanos) {
        listener.synced(nanos);
    }

    /** Tells that the disk has become full, or has room again. */
    void roomChanged(Path folder, boolean room, long freeBytes) {
        if (room) {
            LOG.info("{}: the disk has room again: {} bytes are free; sends are taken", folder, freeBytes);
        } else {
            LOG.warn(
                    "{}: the disk is full: {} bytes are free, less than disk.lowWater; no sends are taken",
                    folder,
                    freeBytes);
        }
        listener.roomChanged();
    }

    /** Sets what to do at once when the journal fails. */
    synchronized void whenFailed(Runnable action) {
        whenFailed = action;
    }

    /** Stops everything for good; the first cause counts. */
    synchronized void fail(JournalException cause) {
        if (failure == null) {
            failure = cause;
            whenFailed.run();
            if (speaking) {
                listener.failed(cause);
            }
        }
    }

    /** From here on the listener hears of failures; before, load throws them. */
    synchronized void speak() {
        speaking = true;
        if (failure != null) {
            listener.failed(failure);
        }
    }

    /** From here on nobody hears of failures: the journal is closed and everything confirmed. */
    synchronized void mute() {
        speaking = false;
    }

    /** Fails with the cause of an I/O operation and returns what to throw. */
    JournalException failed(String what, Throwable cause) {
        JournalException wrapped = cause instanceof JournalException known
                ? known
                : new JournalException(JournalException.Kind.IO, what + " failed: " + cause, cause);
        fail(wrapped);
        return wrapped;
    }

    boolean hasFailed() {
        return failure != null;
    }

    /** Throws if the journal has failed. */
    void check() {
        JournalException cause = failure;
        if (cause != null) {
            throw new JournalException(cause.kind(), "the journal has failed: " + cause.getMessage(), cause);
        }
    }
}
