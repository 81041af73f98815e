package dev.turnstone.broker.queue;

/**
 * How much more one consumer may be given: messages by its credit, bytes by what it was given and nobody has taken.
 * Owned by the engine thread.
 */
final class Allowance {
    private int credit;
    private long untaken;
    private long untakenMax = Long.MAX_VALUE;

    /** From so many bytes on that are not taken it is given no more. */
    void most(long bytes) {
        untakenMax = bytes;
    }

    int credit() {
        return credit;
    }

    /** True if something is left: one message may be larger than the bytes that are. */
    boolean any() {
        return credit > 0 && untaken < untakenMax;
    }

    void add(int messages, int most) {
        credit = (int) Math.min(most, (long) credit + messages);
    }

    /** One message of so many bytes was given. */
    void spend(long bytes) {
        credit--;
        untaken += bytes;
    }

    /** So many bytes are taken. */
    void taken(long bytes) {
        untaken = Math.max(0, untaken - bytes);
    }

    /** Nothing is given any more, and what was not seen comes back, so that nothing waits to be taken. */
    void clear() {
        credit = 0;
        untaken = 0;
    }
}
