package dev.turnstone.broker.route;

import dev.turnstone.broker.settings.LifeSettings;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** The queues that end when they have been idle for long enough, by when that is. Owned by the engine thread. */
final class IdleQueues {
    /** One that was idle, and when it would end. */
    private record Due(QueueHome home, long dueMs) {}

    private final PriorityQueue<Due> waiting = new PriorityQueue<>(Comparator.comparingLong(Due::dueMs));

    /** A queue is idle now; true if it ends at once. */
    boolean ends(QueueHome home, long nowMs) {
        LifeSettings life = home.queue().settings().life();
        if (!life.autoDelete() && home.durable()) {
            return false;
        }
        if (life.autoDeleteDelayMs() > 0) {
            add(home, nowMs + life.autoDeleteDelayMs());
        }
        return life.autoDeleteDelayMs() == 0;
    }

    private void add(QueueHome home, long dueMs) {
        if (home.endsMs == 0) {
            waiting.add(new Due(home, dueMs));
        }
        home.endsMs = dueMs;
    }

    /** Calls back for each queue that has been idle for long enough. */
    void release(long nowMs, Consumer<QueueHome> end) {
        while (dueMs() <= nowMs) {
            QueueHome home = waiting.remove().home();
            long endsMs = home.endsMs;
            home.endsMs = 0;
            if (!home.queue().ended() && home.isIdle()) {
                if (endsMs <= nowMs) {
                    end.accept(home);
                } else {
                    add(home, endsMs);
                }
            }
        }
    }

    /** When the next one may end, in milliseconds since the epoch; {@link Long#MAX_VALUE} for never. */
    long dueMs() {
        Due first = waiting.peek();
        return first == null ? Long.MAX_VALUE : first.dueMs();
    }
}
