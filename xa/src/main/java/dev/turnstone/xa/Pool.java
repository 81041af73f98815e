package dev.turnstone.xa;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is not in use and may be used again, by its user. Any thread. */
final class Pool<T extends Pool.Pooled> {
    private final Map<Owner, ArrayDeque<T>> idle = new HashMap<>();
    private final int idleMax;
    private boolean closed;

    /** Something that is in a pool, or was taken from one. */
    interface Pooled {
        Owner owner();

        /** Makes it as good as new; false if it cannot be used again. */
        boolean renew();

        /** Ends it. */
        void end();
    }

    /** Whose connection it is: the factory's own if there is no name. */
    record Owner(
            boolean named, @Nullable String user, @Nullable String password) {
        static final Owner FACTORY = new Owner(false, null, null);

        @Override
        public String toString() {
            return "Owner[" + Objects.toString(user, "the factory's") + "]";
        }
    }

    /** Keeps so many of each owner. */
    Pool(int idleMax) {
        this.idleMax = idleMax;
    }

    synchronized @Nullable T take(Owner owner) {
        ArrayDeque<T> free = idle.get(owner);
        return free == null ? null : free.pollLast();
    }

    /** Takes it back, or ends it. */
    void giveBack(T used) {
        if (!used.renew() || !keep(used)) {
            used.end();
        }
    }

    private synchronized boolean keep(T used) {
        ArrayDeque<T> free = idle.computeIfAbsent(used.owner(), owner -> new ArrayDeque<>());
        if (closed || free.size() >= idleMax) {
            return false;
        }
        free.addLast(used);
        return true;
    }

    /** Ends all that is idle; what comes back later is ended too. */
    void close() {
        Map<Owner, ArrayDeque<T>> ended;
        synchronized (this) {
            closed = true;
            ended = new HashMap<>(idle);
            idle.clear();
        }
        ended.values().forEach(free -> free.forEach(Pooled::end));
    }
}
