package dev.turnstone.broker.queue;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The queues that have something to do in this turn or the next. Owned by the engine thread. */
public final class Agenda {
    private final ArrayDeque<QueueState> queues = new ArrayDeque<>();

    /** Puts a queue on it, if it does not stand there. */
    public void add(QueueState queue) {
        if (!queue.onAgenda) {
            queue.onAgenda = true;
            queues.addLast(queue);
        }
    }

    /** The next queue, which is then no longer on the agenda; null if there is none. */
    public @Nullable QueueState next() {
        QueueState queue = queues.pollFirst();
        if (queue != null) {
            queue.onAgenda = false;
        }
        return queue;
    }

    /** How many queues stand on it. */
    public int size() {
        return queues.size();
    }
}
