package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Session;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One consumer's deliveries: those prefetched, and which of those handed over are not settled yet. Outlives its
 * consumer until all that the application has seen is settled. Guarded by the session link's lock.
 */
final class Inbox {
    private final int consumer;
    private final int prefetch;
    private final ArrayDeque<Delivery> prefetched = new ArrayDeque<>();
    private int usedCredit;
    /** What was taken since the broker was told, in bytes. */
    private long taken;

    private long lastSeen;
    /** The first delivery that was handed over and is not settled; 0 if there is none. */
    private long firstUnsettled;
    /** The last delivery that is acknowledged, though the broker may not have been told. */
    private long acknowledged;

    private boolean credited;
    /** Recalls that are not answered. */
    private int recalls;

    private boolean shown;
    private @Nullable BrokerException ended;

    Inbox(int consumer, int prefetch) {
        this.consumer = consumer;
        this.prefetch = prefetch;
    }

    int consumer() {
        return consumer;
    }

    /** The number of the last delivery that the application has seen; 0 if none. */
    long lastSeen() {
        return lastSeen;
    }

    void add(Delivery delivery) {
        if (recalls == 0) {
            prefetched.add(delivery);
        }
    }

    /** The broker has ended the consumer. */
    void end(BrokerException cause) {
        prefetched.clear();
        ended = cause;
    }

    /** All that there was for a browser has come. */
    void endBrowsing() {
        shown = true;
    }

    /** Whether nothing more comes for a browser. */
    boolean browsed() {
        return shown || ended != null;
    }

    @Nullable
    BrokerException ended() {
        return ended;
    }

    /** The next delivery, without taking it. */
    @Nullable
    Delivery first() {
        return prefetched.peekFirst();
    }

    boolean isEmpty() {
        return prefetched.isEmpty();
    }

    /** Takes the first delivery to hand it to the application. */
    Delivery take() {
        Delivery delivery = skip();
        lastSeen = delivery.number();
        if (firstUnsettled == 0) {
            firstUnsettled = lastSeen;
        }
        return delivery;
    }

    /** Takes the first delivery, which the application will not see. */
    Delivery skip() {
        usedCredit++;
        Delivery delivery = prefetched.removeFirst();
        taken += delivery.message().encodedBytes();
        return delivery;
    }

    /** How many bytes to tell the broker of now that were taken; seldom, as with credit. */
    long takenDue() {
        if (taken < Session.UNTOLD_BYTES_MAX) {
            return 0;
        }
        long due = taken;
        taken = 0;
        return due;
    }

    /**
     * How much credit to give now; returned in halves, so that the broker hears seldom and the inbox need not run dry.
     */
    int creditDue() {
        if (recalls > 0) {
            return 0;
        } else if (!credited) {
            credited = true;
            return prefetch;
        }
        if (usedCredit * 2 < prefetch) {
            return 0;
        }
        int due = usedCredit;
        usedCredit = 0;
        return due;
    }

    /** All that was handed over counts as acknowledged. */
    void acknowledgeSeen() {
        acknowledged = lastSeen;
    }

    /** The number of the first delivery that is acknowledged and not settled; 0 if there is none. */
    long firstToSettle() {
        return acknowledged >= firstUnsettled ? firstUnsettled : 0;
    }

    long lastToSettle() {
        return acknowledged;
    }

    /** How many deliveries are acknowledged and not settled. */
    long toSettle() {
        return firstToSettle() == 0 ? 0 : acknowledged - firstUnsettled + 1;
    }

    /** The broker was told of all that is acknowledged. */
    void settled() {
        firstUnsettled = acknowledged < lastSeen ? acknowledged + 1 : 0;
    }

    /** True if something was handed over and is not settled. */
    boolean hasUnsettled() {
        return firstUnsettled != 0;
    }

    /** Prefetched deliveries go back; what comes until {@link #resume} is void. */
    void recall() {
        prefetched.clear();
        usedCredit = 0;
        taken = 0;
        recalls++;
    }

    /** A recall was answered: with the last one deliveries are welcome again, once new credit was given. */
    void resume() {
        recalls--;
        credited = false;
    }
}
