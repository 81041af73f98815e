package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import java.util.ArrayList;
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
    private final Kept kept;

    Settling(Session session, Kept kept) {
        this.session = session;
        this.kept = kept;
    }

    /** Settles outside of transactions what nobody waits for. */
    void settle(OpenWireConsumer consumer, List<Held> held, Outcome outcome) {
        settle(consumer, held, outcome, null, UNSETTLED);
    }

    /**
     * The client cannot be given the message: it becomes a dead letter. If it comes again all the same, as from the
     * dead-letter address, it stays with its consumer, unseen, until that ends.
     */
    void refuse(OpenWireConsumer consumer, Delivery delivery, String why) {
        LOG.warn("{} is not delivered: {}", delivery.message(), why);
        if (!consumer.isBrowser() && consumer.meetsUnfit(delivery.position())) {
            session.settle(
                    Settle.one(delivery, Outcome.REJECTED).because(why),
                    Completion.onFailure(cause -> LOG.warn("it could not be rejected", cause)));
        }
        session.credit(delivery.consumer(), 1);
    }

    /** A message comes again, to this consumer, that the client still has: it goes on with that. */
    void again(OpenWireConsumer receiver, Held held, Kept.Entry known) {
        OpenWireConsumer owner = known.owner();
        receiver.passedOver(held);
        owner.window().insert(held);
        kept.back(known, held);
        boolean another = owner != receiver;
        if (receiver.asking().isOpen() || another && receiver.prefetch() > 0) {
            // That is still to be given what it has asked for.
            session.credit(held.port(), 1);
        }
        if (another) {
            owner.owe(1);
        }
        Outcome said = known.said();
        if (said != null) {
            settle(owner, List.of(held), said);
        }
    }

    /**
     * Settles some of a consumer's deliveries, in their order and outside of transactions, and lets others follow them.
     *
     * @param held not empty
     * @param last hears of the last command
     */
    void settle(OpenWireConsumer consumer, List<Held> held, Outcome outcome, @Nullable String reason, Completion last) {
        List<List<Held>> runs = runs(held);
        for (int i = 0; i < runs.size(); i++) {
            List<Held> run = runs.get(i);
            if (!consumer.isBrowser()) {
                Settle settle = settle(run, outcome, Session.NO_TRANSACTION).because(reason);
                session.settle(settle, i == runs.size() - 1 ? last : UNSETTLED);
            }
            letFollow(consumer, run);
        }
        consumer.window().trim();
        if (consumer.isBrowser()) {
            // What was only looked at needs no settling.
            session.sync(last);
        }
    }

    /**
     * The transaction gets all that the client has acknowledged in it. What is refused the client has as before, and
     * the transaction can only roll back.
     */
    void handOver(Work work) {
        for (Work.Acknowledged some : work.acknowledged()) {
            OpenWireConsumer consumer = some.consumer();
            if (some.outcome() == Outcome.ACCEPTED && !consumer.hasEnded()) {
                some.held().forEach(held -> kept.hand(consumer, held));
            }
            for (List<Held> run : runs(some.held())) {
                session.settle(settle(run, some.outcome(), work.number()), Completion.onFailure(cause -> {
                    work.fail(cause);
                    takeBack(consumer, run);
                }));
                letFollow(consumer, run);
            }
            consumer.window().trim();
        }
    }

    private void takeBack(OpenWireConsumer consumer, List<Held> run) {
        for (Held held : run) {
            kept.forget(held);
            held.unsettle();
            consumer.window().restore(held);
        }
        consumer.owe(run.size());
        if (consumer.hasEnded()) {
            settle(consumer, run, Outcome.MODIFIED);
        }
    }

    /** The client goes on with what it had acknowledged and not handed over; what its consumer has left goes back. */
    void giveBack(Work work) {
        for (Work.Acknowledged some : work.acknowledged()) {
            some.held().forEach(Held::delist);
            if (some.consumer().hasEnded()) {
                settle(some.consumer(), some.held(), Outcome.MODIFIED);
            }
        }
    }

    /** What was handed over is consumed, or nobody will say what becomes of it. */
    void forget(List<Work.Acknowledged> some) {
        some.forEach(acknowledged -> acknowledged.held().forEach(kept::forget));
    }

    /**
     * What was handed over is back in its queues, and the client, when it hears of that, goes on with it. So before it
     * does it comes here again, as far as it has not gone elsewhere.
     */
    void goOn(List<Work.Acknowledged> some, Runnable then) {
        boolean any = false;
        for (Work.Acknowledged acknowledged : some) {
            for (Held held : acknowledged.held()) {
                if (kept.goesOn(held)) {
                    session.credit(acknowledged.consumer().portOf(held.queue()), 1);
                    acknowledged.consumer().owe(1);
                    any = true;
                }
            }
        }
        if (any) {
            // The broker may hand out what credit allows after answering a sync that followed the credit; the answer
            // to a second one comes behind that.
            session.sync(new Then(() -> session.sync(new Then(then))));
        } else {
            then.run();
        }
    }

    private static Settle settle(List<Held> run, Outcome outcome, long transaction) {
        Held first = run.get(0);
        return new Settle(first.port(), first.number(), run.get(run.size() - 1).number(), outcome, transaction);
    }

    /** Neighbours together. */
    private static List<List<Held>> runs(List<Held> held) {
        List<List<Held>> runs = new ArrayList<>(1);
        int from = 0;
        for (int to = 1; to <= held.size(); to++) {
            if (to == held.size() || !follows(held.get(to - 1), held.get(to))) {
                runs.add(held.subList(from, to));
                from = to;
            }
        }
        return runs;
    }

    private static boolean follows(Held one, Held other) {
        return one.port() == other.port() && one.number() + 1 == other.number();
    }

    private void letFollow(OpenWireConsumer consumer, List<Held> run) {
        run.forEach(Held::settle);
        int more = consumer.settled(run.size());
        if (more > 0 && !consumer.hasEnded()) {
            int port = run.get(0).port();
            session.credit(
                    consumer.ports().containsKey(port)
                            ? port
                            : consumer.portOf(run.get(0).queue()),
                    more);
        }
    }

    /** Goes on when a command has come back, done or not. */
    private record Then(Runnable then) implements Completion {
        @Override
        public void done() {
            then.run();
        }

        @Override
        public void failed(BrokerException cause) {
            then.run();
        }
    }
}
