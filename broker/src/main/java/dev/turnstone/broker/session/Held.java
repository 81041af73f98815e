package dev.turnstone.broker.session;

import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.queue.Waiting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sessions whose posts wait: until sends are taken again, or, in the order in which they came, until a full queue
 * has room. Owned by the engine thread.
 */
final class Held {
    private final Waiting waiting;
    private List<SessionState> holding = new ArrayList<>();
    private final Map<QueueState, LinkedHashSet<SessionState>> blocked = new HashMap<>(0);

    Held(Waiting waiting) {
        this.waiting = waiting;
    }

    /** A session waits, for a full queue if that is not null. */
    void add(SessionState session, @Nullable QueueState full) {
        if (full == null) {
            holding.add(session);
        } else {
            blocked.computeIfAbsent(full, queue -> new LinkedHashSet<>()).add(session);
            waiting.add(full);
        }
    }

    /** A session no longer waits for a queue. */
    void remove(SessionState session, QueueState full) {
        LinkedHashSet<SessionState> all = blocked.get(full);
        if (all != null && all.remove(session) && all.isEmpty()) {
            blocked.remove(full);
            waiting.remove(full);
        }
    }

    boolean isEmpty() {
        return holding.isEmpty() && !waiting.any();
    }

    /** Lets those go on who can; returns how many commands they did. */
    int resume() {
        List<SessionState> some = holding;
        holding = new ArrayList<>();
        int commands = 0;
        for (SessionState session : some) {
            commands += session.resume();
        }
        for (QueueState queue = waiting.next(); queue != null; queue = waiting.next()) {
            commands += resume(queue);
        }
        return commands;
    }

    private int resume(QueueState queue) {
        LinkedHashSet<SessionState> all = blocked.remove(queue);
        int commands = 0;
        while (all != null && !all.isEmpty()) {
            SessionState first = all.iterator().next();
            all.remove(first);
            commands += first.resume();
            LinkedHashSet<SessionState> again = blocked.get(queue);
            if (again != null) {
                // It is full again, so the others need not try.
                again.addAll(all);
                return commands;
            }
        }
        return commands;
    }

    /** True if one of them could go on. */
    boolean canResume() {
        if (waiting.any()) {
            return true;
        }
        for (int i = 0; i < holding.size(); i++) {
            if (holding.get(i).canResume()) {
                return true;
            }
        }
        return false;
    }
}
