package dev.turnstone.broker.queue;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The queues whose senders wait, and those of them that have room again. Owned by the engine thread. */
public final class Waiting {
    private final Set<QueueState> waitedFor = new HashSet<>(0);
    private final ArrayDeque<QueueState> roomy = new ArrayDeque<>(0);

    /** A sender waits until there is room. */
    public void add(QueueState queue) {
        waitedFor.add(queue);
    }

    /** Nobody waits any more. */
    public void remove(QueueState queue) {
        waitedFor.remove(queue);
    }

    /** Something has left a queue, or its settings are others. */
    void changed(QueueState queue) {
        if (!waitedFor.isEmpty() && waitedFor.contains(queue)) {
            waitedFor.remove(queue);
            roomy.add(queue);
        }
    }

    /** True if a queue that was waited for has changed. */
    public boolean any() {
        return !roomy.isEmpty();
    }

    /** The next that has changed, which is then no longer waited for; null if there is none. */
    public @Nullable QueueState next() {
        return roomy.pollFirst();
    }
}
