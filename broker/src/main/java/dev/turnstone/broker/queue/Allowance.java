package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Memory;
import dev.turnstone.port.Session;
import org.jspecify.annotations.Nullable;

/**
 * How much more one consumer may be given: messages by its credit, bytes by what it was given and nobody has taken, and
 * by what all consumers were given so. Owned by the engine thread.
 */
final class Allowance {
    /** What any may have that nobody has taken: its edge may have taken so much and not yet said it. */
    private static final long ALWAYS = Session.UNTOLD_BYTES_MAX;

    private int credit;
    private long untaken;
    private long untakenMax = Long.MAX_VALUE;
    private @Nullable Memory memory;

    /** From so many bytes on that are not taken it is given no more; before it is given anything. */
    void most(long bytes, Memory ofAll) {
        untakenMax = bytes;
        memory = ofAll;
    }

    int credit() {
        return credit;
    }

    /** True if something is left: one message may be larger than the bytes that are. */
    boolean any() {
        return credit > 0 && untaken < untakenMax && (untaken < ALWAYS || memory == null || !memory.muchUntaken());
    }

    void add(int messages, int most) {
        credit = (int) Math.min(most, (long) credit + messages);
    }

    /** One message of so many bytes was given. */
    void spend(long bytes) {
        credit--;
        count(bytes);
    }

    /** So many bytes are taken. */
    void taken(long bytes) {
        count(-Math.min(untaken, bytes));
    }

    /** Nothing is given any more, and what was not seen comes back, so that nothing waits to be taken. */
    void clear() {
        credit = 0;
        count(-untaken);
    }

    private void count(long more) {
        untaken += more;
        if (memory != null) {
            memory.untaken(more);
        }
    }
}
