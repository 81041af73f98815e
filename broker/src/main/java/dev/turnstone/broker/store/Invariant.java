package dev.turnstone.broker.store;

import java.util.function.Supplier;

/** Checks of what must be true whatever a peer does. Always on; a failed one stops the broker. Any thread. */
public final class Invariant {
    private Invariant() {}

    /** Throws if the condition does not hold. */
    public static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("invariant broken: " + what);
        }
    }

    /** As above; what is broken is put into words only then. */
    public static void check(boolean holds, Supplier<String> what) {
        if (!holds) {
            throw new IllegalStateException("invariant broken: " + what.get());
        }
    }
}
