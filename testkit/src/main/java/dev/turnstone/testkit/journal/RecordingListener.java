package dev.turnstone.testkit.journal;

import static org.awaitility.Awaitility.await;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Remembers what a journal said, and what it must never say. Any thread. */
public final class RecordingListener implements JournalListener {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<String> wrongs = new ArrayList<>();
    private long durable;
    private @Nullable JournalException failure;

    @Override
    public synchronized void durable(long lsn) {
        if (lsn <= durable) {
            wrongs.add("durable " + lsn + " after " + durable);
        }
        if (failure != null) {
            wrongs.add("durable " + lsn + " after the failure");
        }
        durable = lsn;
    }

    @Override
    public synchronized void failed(JournalException cause) {
        if (failure != null) {
            wrongs.add("failed twice");
        }
        failure = cause;
    }

    /** The highest LSN heard of. */
    public synchronized long durable() {
        return durable;
    }

    /** The failure heard of, or null. */
    public synchronized @Nullable JournalException failure() {
        return failure;
    }

    /** What contradicts the listener's contract; empty if nothing. */
    public synchronized List<String> wrongs() {
        return List.copyOf(wrongs);
    }

    /** Waits until this LSN is durable or the journal has failed. */
    public void awaitDurableOrFailed(long lsn) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> durable() >= lsn || failure() != null);
    }

    /** Waits until this LSN is durable. */
    public void awaitDurable(long lsn) {
        awaitDurableOrFailed(lsn);
        JournalException cause = failure();
        if (cause != null && durable() < lsn) {
            throw new AssertionError("failed before LSN " + lsn + " was durable", cause);
        }
    }

    /** Waits for the failure. */
    public JournalException awaitFailure() {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> failure() != null);
        JournalException cause = failure();
        if (cause == null) {
            throw new AssertionError("no failure");
        }
        return cause;
    }
}
