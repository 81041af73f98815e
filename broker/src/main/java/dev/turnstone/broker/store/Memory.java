package dev.turnstone.broker.store;

/** Counts what messages take in memory. Owned by the engine thread. */
public final class Memory {
    /** A message's objects, beside its bytes. */
    static final int MESSAGE_OVERHEAD = 128;
    /** One entry of a message in a queue. */
    public static final int ENTRY_OVERHEAD = 80;
    /** One stretch of a queue's entries that a page keeps. */
    public static final int RUN_OVERHEAD = 112;

    private final long max;
    private long used;
    private long untaken;

    /** Nothing used. */
    public Memory(long max) {
        this.max = max;
    }

    /** True if producers should pause. */
    public boolean full() {
        return used >= max;
    }

    /**
     * True if even a session that consumes must not send: its sends are refused, since waiting could wait for itself.
     */
    public boolean exhausted() {
        return used >= max + max / 4;
    }

    /** Bytes that may be taken before producers should pause; negative if it is more already. */
    public long left() {
        return max - used;
    }

    /** Bytes that may be in use before producers should pause. */
    public long max() {
        return max;
    }

    /** Consumers were given so many bytes more that nobody has taken, or so many fewer. */
    public void untaken(long more) {
        untaken += more;
        Invariant.check(untaken >= 0, "what nobody has taken is not negative");
    }

    /** True if what consumers were given and nobody has taken is more than a quarter of what may be in use. */
    public boolean muchUntaken() {
        return untaken > max / 4;
    }

    /** Bytes in use. */
    public long used() {
        return used;
    }

    /** Takes bytes. */
    public void add(long bytes) {
        used += bytes;
    }

    /** Gives bytes back. */
    public void remove(long bytes) {
        used -= bytes;
        Invariant.check(used >= 0, "memory in use is not negative");
    }
}
