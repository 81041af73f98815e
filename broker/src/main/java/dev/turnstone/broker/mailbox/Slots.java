package dev.turnstone.broker.mailbox;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Counts what exists against a limit, until closed. Any thread. */
public final class Slots {
    private static final AtomicIntegerFieldUpdater<Slots> USED =
            AtomicIntegerFieldUpdater.newUpdater(Slots.class, "used");

    private volatile int used;
    private volatile boolean closed;
    private final int max;

    /** None used. */
    public Slots(int max) {
        this.max = max;
    }

    /** Takes a slot; false if none is free. */
    public boolean take() {
        if (used < max) {
            if (USED.incrementAndGet(this) <= max) {
                return true;
            }
            free();
        }
        return false;
    }

    /** Gives a slot back. */
    public void free() {
        USED.decrementAndGet(this);
    }

    /** The limit. */
    public int max() {
        return max;
    }

    /** Nothing may be taken any more; what is taken stays. */
    public void close() {
        closed = true;
    }

    /** True after {@link #close}. */
    public boolean closed() {
        return closed;
    }
}
