package dev.turnstone.testkit.sim;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Login;
import dev.turnstone.port.Message;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StateEntry;
import dev.turnstone.port.StatePage;
import dev.turnstone.port.StateQuery;
import dev.turnstone.testkit.model.Marks;
import dev.turnstone.testkit.model.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** What sends carry beside their messages: identities, for copies to come, and protocol state. */
final class Carried {
    private static final String NAMESPACE = "sim";
    private static final int EVENTS_MAX = 100;

    final Marks marks = new Marks();
    /**
     * Persistent messages that were sent with their id as identity, and took effect: a copy of them is a second one.
     */
    final List<Message> repeatable = new ArrayList<>();

    /** The state that marks a send's effect. */
    static StateChange mark(String id) {
        return StateChange.put(NAMESPACE, id, new byte[] {1});
    }

    /** Lists all marks and compares them with what is known. No other session is open. */
    void check(SimulatedBroker broker) {
        CompletableFuture<Connection> connecting = broker.port()
                .connect(new Login(null, null, null, "sim", "marks"), cause -> {})
                .toCompletableFuture();
        broker.runAndSync();
        Connection connection = connecting.join();
        marks.seen(list(connection.openSession(() -> {}), broker));
        connection.close();
        broker.runAndSync();
    }

    private static Set<String> list(Session session, SimulatedBroker broker) {
        Set<String> keys = new HashSet<>();
        StateQuery query = StateQuery.of(NAMESPACE, "");
        while (true) {
            List<StatePage> pages = new ArrayList<>();
            session.listState(query, pages::add, Completion.onFailure(Carried::refused));
            session.flush();
            broker.runAndSync();
            session.drain(new Deaf(), EVENTS_MAX);
            if (pages.size() != 1) {
                throw new Violation(Violation.Promise.PROGRESS, "a listing of state gave " + pages.size() + " pages");
            }
            StatePage page = pages.get(0);
            page.entries().stream().map(StateEntry::key).forEach(keys::add);
            if (!page.more()) {
                return keys;
            }
            query = query.next(page);
        }
    }

    private static void refused(BrokerException cause) {
        throw new Violation(Violation.Promise.REFUSAL, "a listing of state was refused: " + cause.getMessage());
    }

    /** Expects no delivery. */
    private static final class Deaf implements SessionListener {
        @Override
        public void delivery(Delivery delivery) {
            throw new Violation(Violation.Promise.ROUTING, delivery + " came to nobody");
        }

        @Override
        public void consumerClosed(int consumer, BrokerException cause) {
            throw new Violation(Violation.Promise.REFUSAL, "a consumer that is not there was ended: " + cause);
        }
    }
}
