package dev.turnstone.broker.session;

import dev.turnstone.broker.mailbox.Channel;
import org.jspecify.annotations.Nullable;

/**
 * What one session will hear, in order, each parked until its cause is durable, or, where that was asked for, written;
 * so nothing overtakes what came before it. Keeps nothing while it is empty, which it mostly is. Owned by the engine
 * thread.
 */
final class Outgoing {
    private static final int LEAST = 4;
    private static final @Nullable Object[] NOTHING = {};
    private static final long[] NO_LSNS = {};

    private @Nullable Object[] events = NOTHING;
    /** For each event the LSN that must be durable, and the one that must be written. */
    private long[] lsns = NO_LSNS;

    private int head;
    private int size;

    void add(Object event, long durableLsn, long writtenLsn) {
        if (size == events.length) {
            grow();
        }
        int slot = (head + size) & (events.length - 1);
        events[slot] = event;
        lsns[2 * slot] = durableLsn;
        lsns[2 * slot + 1] = writtenLsn;
        size++;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Hands over what is due, up to the first whose cause is not durable; returns true if anything was. */
    boolean release(long durableLsn, long writtenLsn, Channel channel) {
        int before = size;
        while (size > 0 && lsns[2 * head] <= durableLsn && lsns[2 * head + 1] <= writtenLsn) {
            Object event = events[head];
            events[head] = null;
            head = (head + 1) & (events.length - 1);
            size--;
            if (event != null) {
                channel.add(event);
            }
        }
        if (size == 0) {
            events = NOTHING;
            lsns = NO_LSNS;
            head = 0;
        }
        return size < before;
    }

    private void grow() {
        int length = events.length;
        int more = Math.max(LEAST, 2 * length);
        @Nullable Object[] moreEvents = new @Nullable Object[more];
        long[] moreLsns = new long[2 * more];
        // From the head to the array's end, then what has gone round to its beginning.
        System.arraycopy(events, head, moreEvents, 0, length - head);
        System.arraycopy(events, 0, moreEvents, length - head, head);
        System.arraycopy(lsns, 2 * head, moreLsns, 0, 2 * (length - head));
        System.arraycopy(lsns, 0, moreLsns, 2 * (length - head), 2 * head);
        events = moreEvents;
        lsns = moreLsns;
        head = 0;
    }
}
