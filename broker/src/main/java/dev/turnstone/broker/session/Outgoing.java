package dev.turnstone.broker.session;

import dev.turnstone.broker.mailbox.Channel;
import org.jspecify.annotations.Nullable;

/**
 * What one session will hear, in order, each parked until its cause is durable; so nothing overtakes what came before
 * it. Owned by the engine thread.
 */
final class Outgoing {
    private static final int LEAST = 16;

    private @Nullable Object[] events = new @Nullable Object[LEAST];
    private long[] lsns = new long[LEAST];
    private int head;
    private int size;

    void add(Object event, long causeLsn) {
        if (size == events.length) {
            grow();
        }
        int slot = (head + size) & (events.length - 1);
        events[slot] = event;
        lsns[slot] = causeLsn;
        size++;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Hands over what is due, up to the first whose cause is not durable; returns true if anything was. */
    boolean release(long durableLsn, Channel channel) {
        int before = size;
        while (size > 0 && lsns[head] <= durableLsn) {
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
        long[] moreLsns = new long[2 * length];
        for (int i = 0; i < size; i++) {
            int slot = (head + i) & (length - 1);
            moreEvents[i] = events[slot];
            moreLsns[i] = lsns[slot];
        }
        events = moreEvents;
        lsns = moreLsns;
        head = 0;
    }
}
