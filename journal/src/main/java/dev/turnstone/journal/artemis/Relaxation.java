package dev.turnstone.journal.artemis;

import dev.turnstone.journal.JournalLimits;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What was written and is not synced yet, since nobody waits for it; its sync is put off for a bounded time and a
 * bounded number of bytes. Changed by whoever writes groups, one at a time; looked at by any thread.
 */
final class Relaxation {
    private final long mostNanos;
    private final long mostBytes;
    private volatile @Nullable SegmentFile file;
    private volatile long bytes;
    private volatile long overNanos;
    private volatile boolean hurried;

    Relaxation(JournalLimits limits) {
        this.mostNanos = TimeUnit.MILLISECONDS.toNanos(limits.relaxedSyncMs());
        // What is put off counts as outstanding, and must not keep sends waiting.
        this.mostBytes = limits.outstandingBytes() / 4;
    }

    /** Puts off the sync of a group that was written there; false if it must not be. */
    boolean puts(@Nullable SegmentFile written, long groupBytes) {
        long all = bytes + groupBytes;
        if (written == null || hurried || isOver() || all > mostBytes) {
            return false;
        }
        if (file == null) {
            overNanos = System.nanoTime() + mostNanos;
        }
        bytes = all;
        // A file that was left for another was synced then.
        file = written;
        return true;
    }

    /** All is synced; returns the bytes that it was put off for. */
    long end() {
        long were = bytes;
        file = null;
        bytes = 0;
        return were;
    }

    /** From now on nothing is put off: the journal ends. */
    void hurry() {
        hurried = true;
    }

    /** The file to sync; null if there is none. */
    @Nullable
    SegmentFile file() {
        return file;
    }

    /** How many bytes wait for a sync. */
    long bytes() {
        return bytes;
    }

    boolean isOn() {
        return file != null;
    }

    /** True if what was put off must be synced now. */
    boolean isOver() {
        return file != null && (hurried || System.nanoTime() - overNanos >= 0);
    }

    /** How long until then, in nanoseconds; 0 or less if it is time. Only while {@link #isOn}. */
    long leftNanos() {
        return hurried ? 0 : overNanos - System.nanoTime();
    }
}
