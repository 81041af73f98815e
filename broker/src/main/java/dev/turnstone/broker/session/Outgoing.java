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
    private long[] durable = new long[LEAST];
    private long[] written = new long[LEAST];
    private int head;
    private int size;

    void add(Object event, long durableLsn, long writtenLsn) {
        if (size == events.length) {
            grow();
        }
        int slot = (head + size) & (events.length - 1);
        events[slot] = event;
        durable[slot] = durableLsn;
        written[slot] = writtenLsn;
        size++;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Hands over what is due, up to the first whose cause is not durable; returns true if anything was. */
    boolean release(long durableLsn, long writtenLsn, Channel channel) {
        int before = size;
        while (size > 0 && durable[head] <= durableLsn && written[head] <= writtenLsn) {
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
        long[] moreDurable = new long[2 * length];
        long[] moreWritten = new long[2 * length];
        for (int i = 0; i < size; i++) {
            int slot = (head + i) & (length - 1);
            moreEvents[i] = events[slot];
            moreDurable[i] = durable[slot];
            moreWritten[i] = written[slot];
        }
        events = moreEvents;
        durable = moreDurable;
        written = moreWritten;
        head = 0;
    }
}
