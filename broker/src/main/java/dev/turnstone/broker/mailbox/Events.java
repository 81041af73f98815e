package dev.turnstone.broker.mailbox;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Events on their way from the engine to one edge, in order and without a bound: short pieces, each of which names the
 * next, so that a session that hears nothing keeps one. One thread adds, one takes.
 */
final class Events {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
    /** Where a piece names the next one: behind its events. */
    private static final int LINK = 7;

    // The engine's.
    private @Nullable Object[] last = new @Nullable Object[LINK + 1];
    private int added;
    // The edge's.
    private @Nullable Object[] first = last;
    private int taken;

    /** Engine only. */
    void add(Object event) {
        if (added < LINK) {
            SLOT.setRelease(last, added++, event);
            return;
        }
        @Nullable Object[] next = new @Nullable Object[LINK + 1];
        next[0] = event;
        SLOT.setRelease(last, LINK, next);
        last = next;
        added = 1;
    }

    /** The next one, or null if none is there yet. Edge only. */
    @Nullable
    Object next() {
        if (taken == LINK) {
            Object next = SLOT.getVolatile(first, LINK);
            if (next == null) {
                return null;
            }
            first = (Object[]) next;
            taken = 0;
        }
        // Volatile, so that the look after an edge has said that it sleeps comes after that.
        Object event = SLOT.getVolatile(first, taken);
        if (event != null) {
            first[taken++] = null;
        }
        return event;
    }
}
