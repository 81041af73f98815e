package dev.turnstone.jms;

import dev.turnstone.port.Delivery;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The way of a session's deliveries to its consumers: when one may be handed over, credit, and the way back. Guarded by
 * the link's lock; the methods that wait say so.
 */
final class Deliveries {
    private final SessionLink link;
    private final Acknowledgements acknowledgements;
    private final List<ClientConsumer> consumers = new CopyOnWriteArrayList<>();
    /** Whether receives are given what comes, and the broker credit. */
    private boolean giving;
    /** Whether listeners are called, too. */
    private boolean calling;

    Deliveries(SessionLink link, Acknowledgements acknowledgements) {
        this.link = link;
        this.acknowledgements = acknowledgements;
    }

    /** Those that are open; may be read without the lock. */
    List<ClientConsumer> consumers() {
        return consumers;
    }

    /** The consumer's subscription exists: its deliveries are wanted. */
    void add(ClientConsumer consumer) {
        link.attach(consumer.inbox());
        consumers.add(consumer);
        if (giveCredit(consumer.inbox())) {
            link.port().flush();
        }
    }

    /**
     * Tells the broker that the consumer ends, and what its application has seen. False if it has ended before. Does
     * not flush.
     */
    boolean remove(ClientConsumer consumer, Reply reply) {
        if (!consumers.remove(consumer)) {
            return false;
        }
        Inbox inbox = consumer.inbox();
        link.detach(inbox);
        acknowledgements.settleAcknowledged();
        if (inbox.ended() == null) {
            link.port().unsubscribe(inbox.consumer(), inbox.lastSeen(), reply.another());
        }
        return true;
    }

    /** From now on, whether receives are given something, and whether listeners are, too. */
    void open(boolean toReceives, boolean toListeners) {
        giving = toReceives;
        calling = toListeners;
        if (giving) {
            giveCreditToAll();
        }
    }

    /** Whether this inbox has something that a listener, here or of a server session, may be given now. */
    boolean mayCall(Inbox inbox) throws JMSException {
        return calling && mayHandOver(inbox);
    }

    /** Whether listeners are called. */
    boolean calling() {
        return calling;
    }

    /** Whether this inbox has something that a receive may be given now. */
    boolean mayHandOver(Inbox inbox) throws JMSException {
        if (!giving || !acknowledgements.mayHandOver()) {
            return false;
        }
        Delivery first = inbox.first();
        while (first != null && isExpired(first)) {
            // The broker does with it what its queue says about expired messages.
            link.port().settle(Settle.one(inbox.skip(), Outcome.RELEASED), acknowledgements.unheard());
            giveCredit(inbox);
            link.port().flush();
            first = inbox.first();
        }
        return first != null;
    }

    private static boolean isExpired(Delivery delivery) {
        long expiry = delivery.message().expiryMs();
        return expiry != 0 && expiry <= System.currentTimeMillis();
    }

    /** Takes the inbox's first delivery for a listener. */
    Delivery handOver(Inbox inbox) {
        Delivery delivery = acknowledgements.handOver(inbox);
        if (giveCredit(inbox)) {
            link.port().flush();
        }
        return delivery;
    }

    /**
     * Takes up to so many of the inbox's deliveries, which may be handed over, for another session; gives the first and
     * last number, or null if there is none.
     */
    long @Nullable [] pass(Inbox inbox, int most) throws JMSException {
        if (!mayCall(inbox)) {
            return null;
        }
        long first = inbox.skip().number();
        long last = first;
        for (int left = most - 1; left > 0 && !inbox.isEmpty(); left--) {
            last = inbox.skip().number();
        }
        giveCredit(inbox);
        return new long[] {first, last};
    }

    /** Takes the inbox's first delivery for a receive, or null if there is none. */
    @Nullable
    Delivery receive(Inbox inbox) throws JMSException {
        return mayHandOver(inbox) ? take(inbox) : null;
    }

    /** As {@link #receive}, and only if that is this delivery. */
    @Nullable
    Delivery receive(Inbox inbox, Delivery only) throws JMSException {
        Delivery first = mayHandOver(inbox) ? inbox.first() : null;
        return first != null && first.number() == only.number() ? take(inbox) : null;
    }

    private Delivery take(Inbox inbox) {
        Delivery delivery = acknowledgements.handOver(inbox);
        boolean due = giveCredit(inbox);
        due |= acknowledgements.isAutomatic() && acknowledgements.acknowledge(inbox, delivery);
        if (due) {
            link.port().flush();
        }
        return delivery;
    }

    private boolean giveCredit(Inbox inbox) {
        link.tellTaken(inbox);
        int credit = giving ? inbox.creditDue() : 0;
        if (credit > 0) {
            link.port().credit(inbox.consumer(), credit);
        }
        return credit > 0;
    }

    private void giveCreditToAll() {
        for (ClientConsumer consumer : consumers) {
            giveCredit(consumer.inbox());
        }
        link.port().flush();
    }

    /**
     * A listener has returned, or thrown: then its message comes again, if the session acknowledges by itself. Not
     * under the lock; waits in the latter case.
     */
    void afterListener(Inbox inbox, Delivery delivery, @Nullable Throwable failure) throws JMSException {
        if (!acknowledgements.isAutomatic()) {
            return;
        }
        if (failure == null) {
            link.lock();
            try {
                if (acknowledgements.acknowledge(inbox, delivery)) {
                    link.port().flush();
                }
            } finally {
                link.unlock();
            }
        } else {
            acknowledgements.redeliver(
                    inboxes().contains(inbox) ? List.of(inbox) : List.of(), Session.NO_TRANSACTION, failure.toString());
            resume();
        }
    }

    /** After a recall: all consumers have credit again. Not under the lock. */
    void resume() {
        link.lock();
        try {
            giveCreditToAll();
        } finally {
            link.unlock();
        }
    }

    /** Those of the consumers that the broker has not ended; what a recall concerns. May be read without the lock. */
    List<Inbox> inboxes() {
        List<Inbox> inboxes = new ArrayList<>();
        for (ClientConsumer consumer : consumers) {
            if (consumer.inbox().ended() == null) {
                inboxes.add(consumer.inbox());
            }
        }
        return inboxes;
    }
}
