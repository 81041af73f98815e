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
    /** The first piece is for one event, so that a session that hears nothing at all keeps next to nothing. */
    private static final int FIRST = 2;

    private static final int PIECE = 8;

    // The engine's. The last place of a piece names the next one.
    private @Nullable Object[] last = new @Nullable Object[FIRST];
    private int added;
    // The edge's.
    private @Nullable Object[] first = last;
    private int taken;

    /** Engine only. */
    void add(Object event) {
        if (added < last.length - 1) {
            SLOT.setRelease(last, added++, event);
            return;
        }
        @Nullable Object[] next = new @Nullable Object[PIECE];
        next[0] = event;
        SLOT.setRelease(last, added, next);
        last = next;
        added = 1;
    }

    /** The next one, or null if none is there yet. Edge only. */
    @Nullable
    Object next() {
        if (taken == first.length - 1) {
            Object next = SLOT.getVolatile(first, taken);
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
