package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.AttemptRecord;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.PageRecord.Stretch;
import dev.turnstone.broker.store.Survivors.Kept;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts runs that recovery found in their places between the entries that it found. Used before the first turn, by the
 * thread that starts the engine.
 */
public final class RunRecovery {
    private final Pager pager;
    private final Timers timers;
    private final Memory memory;
    private final List<Run> found = new ArrayList<>();
    private final Map<QueueState, ArrayDeque<Run>> byQueue = new LinkedHashMap<>();
    /** What memory had when nothing more could be moved. */
    private long relieved;

    RunRecovery(Pager pager, Timers timers, Memory memory) {
        this.pager = pager;
        this.timers = timers;
        this.memory = memory;
    }

    /** A queue holds what a page's marker speaks of, but what it has passed. */
    public void add(QueueState queue, Page page, Stretch stretch, long nowMs) {
        if (stretch.lastPosition() <= queue.recovery().floor()) {
            return;
        }
        Run run = pager.recovered(queue, page, stretch, nowMs);
        if (run != null) {
            page.hold(run.count());
            found.add(run);
        }
    }

    /** All have been added. */
    public void sort() {
        found.sort(Comparator.comparingLong(Run::position));
        for (Run run : found) {
            byQueue.computeIfAbsent(run.queue(), queue -> new ArrayDeque<>()).add(run);
        }
        found.clear();
    }

    /** The next entry of a queue has this position: runs with lower ones come first. */
    void before(QueueState queue, long position) {
        ArrayDeque<Run> runs = byQueue.get(queue);
        if (runs != null) {
            while (!runs.isEmpty() && runs.getFirst().position() < position) {
                place(runs.removeFirst());
            }
        }
    }

    /** No more entries come. */
    public void rest() {
        byQueue.forEach((queue, runs) -> runs.forEach(this::place));
        byQueue.clear();
    }

    /** Moves to pages what is too much for memory. */
    public void relieve(long nowMs, Runnable hearPages) {
        pager.relieve(nowMs, hearPages);
    }

    /** The same if memory is full, as many may hold each message, and has more than it had after the last time. */
    public void relieveIfFull(long nowMs, Runnable hearPages) {
        if (memory.full() && memory.used() > relieved + memory.max() / 16) {
            relieve(nowMs, hearPages);
            relieved = memory.used();
        }
    }

    private void place(Run run) {
        run.queue().index().append(run);
        memory.add(run.overheadBytes());
        if (run.queue().index().residency().hasLocks(run.position(), run.lastPosition())) {
            // A prepared branch waits for an entry of it.
            run.wantAll();
            timers.expiry().add(run);
        } else {
            timers.add(run);
        }
    }

    /** Takes over the attempts at entries that are in pages; false if the queue has none there. */
    public boolean adoptAttempts(QueueState queue, Map<Long, Kept<AttemptRecord>> attempts) {
        if (queue.index().residency().runs == 0) {
            return false;
        }
        queue.index().residency().attempts = attempts;
        queue.returns().wantLeaving(attempts);
        return true;
    }
}
