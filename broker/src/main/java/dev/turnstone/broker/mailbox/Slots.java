package dev.turnstone.broker.mailbox;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what exists against a limit, until closed. Any thread. */
public final class Slots {
    private final AtomicInteger used = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final int max;

    /** None used. */
    public Slots(int max) {
        this.max = max;
    }

    /** Takes a slot; false if none is free. */
    public boolean take() {
        if (used.incrementAndGet() <= max) {
            return true;
        }
        used.decrementAndGet();
        return false;
    }

    /** Gives a slot back. */
    public void free() {
        used.decrementAndGet();
    }

    /** The limit. */
    public int max() {
        return max;
    }

    /** Nothing may be taken any more; what is taken stays. */
    public void close() {
        closed.set(true);
    }

    /** True after {@link #close}. */
    public boolean closed() {
        return closed.get();
    }
}
