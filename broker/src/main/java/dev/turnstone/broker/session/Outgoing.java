package dev.turnstone.broker.session;

import dev.turnstone.broker.mailbox.Channel;
import org.jspecify.annotations.Nullable;

/**
 * What one session will hear, in order, each parked until its cause is durable, or, where that was asked for, written;
 * so nothing overtakes what came before it. Owned by the engine thread.
 */
final class Outgoing {
    private static final int LEAST = 4;

    private @Nullable Object[] events = new @Nullable Object[LEAST];
    /** For each event the LSN that must be durable, and the one that must be written. */
    private long[] lsns = new long[2 * LEAST];

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
        return size < before;
    }

    private void grow() {
        int length = events.length;
        @Nullable Object[] moreEvents = new @Nullable Object[2 * length];
        long[] moreLsns = new long[4 * length];
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
