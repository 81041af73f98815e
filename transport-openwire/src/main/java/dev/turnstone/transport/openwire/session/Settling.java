package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settles deliveries: neighbours with one command. On the event loop only. */
final class Settling {
    private static final Logger LOG = LoggerFactory.getLogger(Settling.class);
    private static final Completion UNSETTLED =
            Completion.onFailure(cause -> LOG.debug("not settled: {}", cause.getMessage()));

    private final Session session;

    Settling(Session session) {
        this.session = session;
    }

    /** Settles outside of transactions what nobody waits for. */
    void settle(OpenWireConsumer consumer, List<Held> held, Outcome outcome) {
        settle(consumer, held, outcome, Session.NO_TRANSACTION, null, UNSETTLED);
    }

    /**
     * The client cannot be given the message: it becomes a dead letter. If it comes again all the same, as from the
     * dead-letter address, it stays with its consumer, unseen, until that ends.
     */
    void refuse(Delivery delivery, String why) {
        LOG.warn("{} is not delivered: {}", delivery.message(), why);
        if (delivery.deliveryCount() == 1) {
            session.settle(
                    Settle.one(delivery, Outcome.REJECTED).because(why),
                    Completion.onFailure(cause -> LOG.warn("it could not be rejected", cause)));
            session.credit(delivery.consumer(), 1);
        }
    }

    /** A message comes again that the client still has; it may have said what becomes of it. */
    void adopt(OpenWireConsumer consumer, Held held, @Nullable Outcome outcome) {
        consumer.adopted(held);
        if (outcome != null) {
            settle(consumer, List.of(held), outcome);
        }
    }

    /**
     * Settles some of a consumer's deliveries, in their order, and lets others follow them.
     *
     * @param held not empty
     * @param last hears of the last command
     */
    void settle(
            OpenWireConsumer consumer,
            List<Held> held,
            Outcome outcome,
            long transaction,
            @Nullable String reason,
            Completion last) {
        int from = 0;
        for (int to = 1; to <= held.size(); to++) {
            if (to == held.size() || !follows(held.get(to - 1), held.get(to))) {
                Held first = held.get(from);
                if (!consumer.isBrowser()) {
                    Settle run = new Settle(
                            first.port(), first.number(), held.get(to - 1).number(), outcome, transaction);
                    session.settle(run.because(reason), to == held.size() ? last : UNSETTLED);
                }
                credit(consumer, first.port(), to - from);
                from = to;
            }
        }
        held.forEach(Held::settle);
        consumer.window().trim();
        if (consumer.isBrowser()) {
            // What was only looked at needs no settling.
            session.sync(last);
        }
    }

    private static boolean follows(Held one, Held other) {
        return one.port() == other.port() && one.number() + 1 == other.number();
    }

    private void credit(OpenWireConsumer consumer, int port, int settled) {
        int more = consumer.settled(settled);
        if (more > 0 && !consumer.hasEnded()) {
            session.credit(port, more);
        }
    }
}
