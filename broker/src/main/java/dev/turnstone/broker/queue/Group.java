package dev.turnstone.broker.queue;

import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One message group of one queue: whose it is, and what of it is out. Owned by the engine thread. */
final class Group {
    private final String id;
    /** What waits until nothing of the group is with its former consumer. */
    private final TreeSet<Entry> waiting = new TreeSet<>(Cursor.ORDER);

    private @Nullable Consumer owner;
    private long since;
    private int out;
    private int aside;
    private boolean begun;

    Group(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    /** Whose it is; null if nobody's, or his who has left. */
    @Nullable
    Consumer owner() {
        Consumer known = owner;
        if (known != null && !known.attached()) {
            owner = null;
            return null;
        }
        return known;
    }

    /** It is his from now on, with the consumers that there are. */
    void ownedBy(Consumer consumer, long generation) {
        Consumer before = owner();
        since = generation;
        if (before != consumer) {
            if (before != null) {
                before.share().groups--;
            }
            owner = consumer;
            consumer.share().groups++;
            begun = false;
        }
    }

    /** It is nobody's any more, and forgotten. */
    void end() {
        Consumer before = owner();
        if (before != null) {
            before.share().groups--;
            owner = null;
        }
    }

    /** True if consumers have come or gone since it was last looked at. */
    boolean isFrom(long generation) {
        return since == generation;
    }

    /** As long as nobody comes or goes it does not move: something of it waits for its consumer. */
    void stays(long generation) {
        since = generation;
    }

    /** So many more of its entries wait aside, for its consumer or until it may move. */
    void aside(int more) {
        aside += more;
    }

    /** True if something of it waits aside. */
    boolean hasAside() {
        return aside > 0;
    }

    TreeSet<Entry> waiting() {
        return waiting;
    }

    /** True if nothing of it is with a consumer. */
    boolean idle() {
        return out == 0;
    }

    /** One of its entries goes to its consumer; true if that is the consumer's first one. */
    boolean goes() {
        out++;
        boolean first = !begun;
        begun = true;
        return first;
    }

    /**
     * One of its entries is no longer with a consumer.
     *
     * @param unseen true if it was the consumer's first one, and nobody has seen it
     */
    void back(boolean unseen) {
        out--;
        begun &= !unseen;
    }
}
