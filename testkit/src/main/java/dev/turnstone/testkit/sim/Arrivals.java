package dev.turnstone.testkit.sim;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.SessionListener;
import dev.turnstone.testkit.model.Holding;
import dev.turnstone.testkit.model.Ledger;
import dev.turnstone.testkit.model.View;
import dev.turnstone.testkit.model.Violation;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What comes to one session: deliveries for its consumers, each checked, and their bodies. One thread. */
final class Arrivals implements SessionListener {
    private final SimSession session;
    private final Ledger ledger;
    private final Trace trace;
    private final Contents contents;
    private final SimBodies bodies;
    private final Collection<Holding> holdings;
    private final Map<Integer, SimConsumer> consumers = new LinkedHashMap<>();
    /** Those that are shown messages and do not consume them. */
    private final Map<Integer, View> views = new LinkedHashMap<>();

    private int lastNumber;

    /**
     * For one session.
     *
     * @param holdings where what it holds is added
     */
    Arrivals(
            SimSession session,
            Ledger ledger,
            Trace trace,
            Contents contents,
            SimBodies bodies,
            Collection<Holding> holdings) {
        this.session = session;
        this.ledger = ledger;
        this.trace = trace;
        this.contents = contents;
        this.bodies = bodies;
        this.holdings = holdings;
    }

    void add(SimConsumer consumer) {
        consumers.put(consumer.number, consumer);
        lastNumber = consumer.number;
    }

    void add(int number, View view) {
        views.put(number, view);
        lastNumber = number;
    }

    /** The number of another consumer. */
    int nextConsumer() {
        return lastNumber + 1;
    }

    List<SimConsumer> consumers() {
        return List.copyOf(consumers.values());
    }

    boolean hasViews() {
        return !views.isEmpty();
    }

    /** Everything has come to rest: nothing that was asked for is on its way. */
    void rest(long nowMs) {
        if (!bodies.idle()) {
            throw new Violation(Violation.Promise.PROGRESS, "chunks of bodies do not come to " + session);
        }
        views.values().forEach(view -> view.rest(nowMs));
        views.values().removeIf(View::isOver);
    }

    @Override
    public void delivery(Delivery delivery) {
        trace.add(session + " gets " + delivery.consumer() + "#" + delivery.number() + " at " + delivery.position()
                + (delivery.redelivered() ? " flagged" : "") + " count " + delivery.deliveryCount() + ": "
                + delivery.message().id());
        contents.check(delivery);
        View view = views.get(delivery.consumer());
        if (view != null) {
            ledger.shown(view, delivery);
            session.looked(delivery, view);
            return;
        }
        SimConsumer consumer = consumers.get(delivery.consumer());
        if (consumer == null) {
            throw new Violation(Violation.Promise.ROUTING, delivery + " came to no consumer of " + session);
        }
        @Nullable Holding holding = ledger.delivered(consumer.stream, delivery);
        if (holding != null) {
            consumer.add(holding);
            holdings.add(holding);
            if (contents.isRead(delivery.message())) {
                bodies.read(delivery.message());
            }
        }
    }

    @Override
    public void browseEnded(int consumer) {
        trace.add(session + " has browsed with " + consumer);
        View view = views.get(consumer);
        if (view == null) {
            throw new Violation(Violation.Promise.ROUTING, "the end of browser " + consumer + " came to " + session);
        }
        view.ended();
        session.hasLooked(consumer);
    }

    @Override
    public void consumerClosed(int consumer, BrokerException cause) {
        throw new Violation(
                Violation.Promise.REFUSAL, "consumer " + consumer + " of " + session + " was ended: " + cause);
    }
}
