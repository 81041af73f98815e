package dev.turnstone.broker.dedup;

import org.jspecify.annotations.Nullable;

/**
 * A set of fingerprints in flat arrays: about 27 bytes each. It is cut into segments that grow one at a time, so that
 * growing never takes long. Owned by the engine thread.
 */
final class FingerprintSet {
    private static final int SEGMENTS = 256;
    private static final int LEAST = 8;

    private final long[] @Nullable [] segments = new long[SEGMENTS] @Nullable [];
    private final int[] sizes = new int[SEGMENTS];
    private int size;

    int size() {
        return size;
    }

    boolean contains(Fingerprint print) {
        long[] slots = segments[segment(print)];
        return slots != null && slots[find(slots, print)] != 0;
    }

    /** Adds it; returns by how many bytes the set grew. */
    int add(Fingerprint print) {
        int segment = segment(print);
        long[] slots = segments[segment];
        int grown = 0;
        if (slots == null) {
            slots = new long[2 * LEAST];
            segments[segment] = slots;
            grown = slots.length * Long.BYTES;
        }
        int at = find(slots, print);
        if (slots[at] != 0) {
            return grown;
        }
        put(slots, at, print);
        size++;
        if (++sizes[segment] * 10 > slots.length / 2 * 7) {
            segments[segment] = doubled(slots);
            grown += slots.length * Long.BYTES;
        }
        return grown;
    }

    private static int segment(Fingerprint print) {
        return (int) (print.high() >>> (Long.SIZE - Byte.SIZE));
    }

    /** Where it stands, or would. A slot is empty if its first half is 0. */
    private static int find(long[] slots, Fingerprint print) {
        int mask = slots.length / 2 - 1;
        int slot = (int) print.low() & mask;
        while (true) {
            int at = 2 * slot;
            if (slots[at] == 0 || (slots[at] == first(print) && slots[at + 1] == print.low())) {
                return at;
            }
            slot = (slot + 1) & mask;
        }
    }

    private static long first(Fingerprint print) {
        return print.high() == 0 ? 1 : print.high();
    }

    private static void put(long[] slots, int at, Fingerprint print) {
        slots[at] = first(print);
        slots[at + 1] = print.low();
    }

    private static long[] doubled(long[] slots) {
        long[] larger = new long[2 * slots.length];
        for (int at = 0; at < slots.length; at += 2) {
            if (slots[at] != 0) {
                Fingerprint print = new Fingerprint(slots[at], slots[at + 1]);
                put(larger, find(larger, print), print);
            }
        }
        return larger;
    }
}
