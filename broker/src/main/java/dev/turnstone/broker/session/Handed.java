package dev.turnstone.broker.session;

import dev.turnstone.port.Session;

/**
 * What a session's edge has taken of its consumers' deliveries and the engine has not been told of, in bytes: it is
 * told now and then. Used by the edge's thread.
 */
final class Handed {
    /** Tells the engine. */
    @FunctionalInterface
    interface Told {
        void taken(int consumer, long bytes);
    }

    /** Consumers that take turns without the engine being told at each turn; a power of two. */
    private static final int SLOTS = 8;

    private final Told told;
    private final int[] consumers = new int[SLOTS];
    private final long[] bytes = new long[SLOTS];

    Handed(Told told) {
        this.told = told;
    }

    /** A delivery was handed out. */
    void add(int consumer, int more) {
        int slot = consumer & (SLOTS - 1);
        if (consumers[slot] != consumer) {
            tell(slot);
            consumers[slot] = consumer;
        }
        bytes[slot] += more;
        if (bytes[slot] >= Session.UNTOLD_BYTES_MAX) {
            tell(slot);
        }
    }

    private void tell(int slot) {
        if (bytes[slot] > 0) {
            told.taken(consumers[slot], bytes[slot]);
            bytes[slot] = 0;
        }
    }
}
