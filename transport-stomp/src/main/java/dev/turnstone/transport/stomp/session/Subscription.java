package dev.turnstone.transport.stomp.session;

import org.jspecify.annotations.Nullable;

/** One subscription of a connection, and how far its deliveries have gone. */
final class Subscription {
    private final @Nullable String id;
    private final int consumer;
    private final AckMode mode;
    private long delivered;
    private long acknowledged;
    private int unsettled;
    private boolean ended;

    Subscription(@Nullable String id, int consumer, AckMode mode) {
        this.id = id;
        this.consumer = consumer;
        this.mode = mode;
    }

    /** As the client names it; null only in STOMP 1.0. */
    @Nullable
    String id() {
        return id;
    }

    /** As the port knows it. */
    int consumer() {
        return consumer;
    }

    AckMode mode() {
        return mode;
    }

    /** A delivery was written. */
    void delivered(long number) {
        delivered = number;
        unsettled++;
    }

    /** The number of the last delivery that was written. */
    long delivered() {
        return delivered;
    }

    /** Settles from the first one that is not yet, up to this delivery. Answers the first one. */
    long acknowledgeUpTo(long number) {
        long first = acknowledged + 1;
        acknowledged = number;
        unsettled -= (int) (number - first + 1);
        return first;
    }

    /** In the modes that settle from the front, the last one that is settled. */
    long acknowledged() {
        return acknowledged;
    }

    void acknowledgeAll() {
        acknowledged = delivered;
        unsettled = 0;
    }

    void acknowledgeOne() {
        unsettled--;
    }

    /** Says that the client has unsubscribed; what it has got it may still acknowledge. */
    void end() {
        ended = true;
    }

    boolean ended() {
        return ended;
    }

    boolean allSettled() {
        return unsettled <= 0;
    }
}
