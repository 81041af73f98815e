package dev.turnstone.broker.session;

import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.queue.Waiting;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;

/**
 * The sessions whose posts wait, in the order in which they came: until sends are taken again, or until a full queue
 * has room. Those who wait for the same are looked at when that is there, and not before. Owned by the engine thread.
 */
final class Held {
    /** What a session waits for. */
    enum Cause {
        /** The journal is behind. */
        JOURNAL,
        /** Memory is full. */
        MEMORY,
        /** The disk is full. */
        DISK,
        /** Something that concerns it alone. */
        OWN
    }

    private final SessionContext context;
    private final Waiting waiting;
    private final Map<Cause, LinkedHashMap<SessionWork, SessionState>> lines = new EnumMap<>(Cause.class);
    /** How many stand in the lines. */
    private int count;

    private final Map<QueueState, LinkedHashSet<SessionState>> blocked = new HashMap<>(0);

    Held(SessionContext context) {
        this.context = context;
        this.waiting = context.addresses().admission().waiting();
        for (Cause cause : Cause.values()) {
            lines.put(cause, new LinkedHashMap<>(0));
        }
    }

    private LinkedHashMap<SessionWork, SessionState> line(Cause cause) {
        LinkedHashMap<SessionWork, SessionState> line = lines.get(cause);
        if (line == null) {
            throw new IllegalStateException("invariant broken: no line for " + cause);
        }
        return line;
    }

    private boolean lasts(Cause cause) {
        return switch (cause) {
            case JOURNAL -> !context.log().accepting();
            case MEMORY -> context.memory().full();
            case DISK -> context.disk().mustWait();
            case OWN -> false;
        };
    }

    /** A session waits. */
    void add(SessionWork work, SessionState session, Cause cause) {
        if (line(cause).put(work, session) == null) {
            count++;
        }
    }

    /** A session waits for a full queue. */
    void add(SessionState session, QueueState full) {
        blocked.computeIfAbsent(full, queue -> new LinkedHashSet<>()).add(session);
        waiting.add(full);
    }

    /** A session no longer waits for a queue. */
    void remove(SessionState session, QueueState full) {
        LinkedHashSet<SessionState> all = blocked.get(full);
        if (all != null && all.remove(session) && all.isEmpty()) {
            blocked.remove(full);
            waiting.remove(full);
        }
    }

    /** A session has ended. */
    void remove(SessionWork work) {
        if (count > 0) {
            for (LinkedHashMap<SessionWork, SessionState> line : lines.values()) {
                count -= line.remove(work) == null ? 0 : 1;
            }
        }
    }

    /** A session may free memory from now on, so it need not wait for that. */
    void mayFreeMemory(SessionWork work) {
        SessionState session = count == 0 ? null : line(Cause.MEMORY).remove(work);
        if (session != null) {
            count--;
            add(work, session, Cause.OWN);
        }
    }

    boolean isEmpty() {
        return count == 0 && !waiting.any();
    }

    /** Lets those go on who can; returns how many commands they did. */
    int resume() {
        int commands = 0;
        for (Cause cause : Cause.values()) {
            commands += resume(cause);
        }
        for (QueueState queue = waiting.next(); queue != null; queue = waiting.next()) {
            commands += resume(queue);
        }
        return commands;
    }

    private int resume(Cause cause) {
        LinkedHashMap<SessionWork, SessionState> line = line(cause);
        int commands = 0;
        // Who still waits stands behind the others again.
        for (int left = line.size(); left > 0 && !lasts(cause); left--) {
            Iterator<SessionState> first = line.values().iterator();
            if (first.hasNext()) {
                SessionState session = first.next();
                first.remove();
                count--;
                commands += session.resume();
            }
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

    /** True if one of them could go on, or waits for something else now. */
    boolean canResume() {
        if (waiting.any()) {
            return true;
        }
        for (Cause cause : Cause.values()) {
            LinkedHashMap<SessionWork, SessionState> line = line(cause);
            if (!line.isEmpty() && !lasts(cause) && (cause != Cause.OWN || anyCanResume(line.values()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean anyCanResume(Iterable<SessionState> sessions) {
        for (SessionState session : sessions) {
            if (session.canResume()) {
                return true;
            }
        }
        return false;
    }
}
