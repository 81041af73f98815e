package dev.turnstone.broker.store;

/**
 * Counts what messages take in memory, and what stands there for them: queues and filters. Owned by the engine thread.
 */
public final class Memory {
    /** A message's objects, beside its bytes. */
    public static final int MESSAGE_OVERHEAD = 128;
    /** One entry of a message in a queue. */
    public static final int ENTRY_OVERHEAD = 104;
    /** One stretch of a queue's entries that a page keeps, without what says which of them it holds. */
    public static final int RUN_OVERHEAD = 120;
    /** One queue, or a subscription's, with its address. */
    public static final int QUEUE_OVERHEAD = 1_280;
    /** One filter of a subscription. */
    public static final int FILTER_OVERHEAD = 512;

    private final long max;
    private long used;
    private long standing;
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

    /** What stands there takes so many bytes more, or so many fewer. */
    public void standing(long more) {
        standing += more;
        used += more;
        Invariant.check(standing >= 0, "what stands in memory is not negative");
    }

    /** True if what stands there leaves so little for messages that no more may be made. */
    public boolean crowded() {
        return standing > max / 4 * 3;
    }

    /** Bytes in use by messages, their entries, and what else comes and goes with them. */
    public long ofMessages() {
        return used - standing;
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
