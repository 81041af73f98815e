package dev.turnstone.testkit.sim;

import dev.turnstone.port.BranchId;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.CommitOutcome;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Login;
import dev.turnstone.port.Message;
import dev.turnstone.port.OutcomeQuery;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StateEntry;
import dev.turnstone.port.StatePage;
import dev.turnstone.port.StateQuery;
import dev.turnstone.testkit.model.Ledger;
import dev.turnstone.testkit.model.Marks;
import dev.turnstone.testkit.model.Prepared;
import dev.turnstone.testkit.model.Unit;
import dev.turnstone.testkit.model.Violation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What sends and commits carry beside their messages: identities, for copies and questions to come, and protocol state.
 */
final class Carried {
    private static final String NAMESPACE = "sim";
    private static final int EVENTS_MAX = 100;

    /** A commit with an identifier, and the connection that asked for it, at the broker's time. */
    private record Asked(Unit unit, OutcomeQuery query, long atMs) {}

    private static final int ASKED_MAX = 30;

    private final SimulatedBroker broker;
    private final ArrayDeque<Asked> commits = new ArrayDeque<>();
    final Marks marks = new Marks();
    final Prepared prepared;
    final Contents contents = new Contents();
    private int decisions;
    /** True if a dead letter may be where the model does not look. */
    boolean rejected;
    /**
     * Persistent messages that were sent with their id as identity, and took effect: a copy of them is a second one.
     */
    final List<Message> repeatable = new ArrayList<>();

    Carried(SimulatedBroker broker, Ledger ledger) {
        this.broker = broker;
        this.prepared = new Prepared(ledger, broker::nowMs);
    }

    /** As {@link SimulatedBroker#full}. */
    int full() {
        return broker.full();
    }

    /** A commit is asked for under an identifier. */
    void commits(Unit unit, String commitId, String connection) {
        commits.add(new Asked(unit, new OutcomeQuery(commitId, connection, 0), broker.nowMs()));
        if (commits.size() > ASKED_MAX) {
            commits.remove();
        }
    }

    /** The state that marks a send's effect. */
    static StateChange mark(String id) {
        return StateChange.put(NAMESPACE, id, new byte[] {1});
    }

    /**
     * Asks which branches are prepared and decides them, or all but a few, asks what became of commits, lists all marks
     * and compares all with what is known. No other session is open.
     */
    void check(boolean all) {
        CompletableFuture<Connection> connecting = broker.port()
                .connect(new Login(null, null, null, "sim", "marks"), cause -> {})
                .toCompletableFuture();
        broker.runAndSync();
        Connection connection = connecting.join();
        Session session = connection.openSession(() -> {});
        decide(session, all);
        commits.forEach(asked -> asked.unit().told(ask(session, asked) == CommitOutcome.COMMITTED));
        marks.seen(list(session));
        connection.close();
        broker.runAndSync();
    }

    private void decide(Session session, boolean all) {
        Map<String, BranchId> listed = new HashMap<>();
        session.branches()
                .recover(
                        found -> found.forEach(id -> listed.put(id.toString(), id)),
                        Completion.onFailure(Carried::refused));
        run(session);
        for (String name : prepared.listed(listed.keySet())) {
            BranchId id = listed.get(name);
            int choice = Math.floorMod(name.hashCode() + ++decisions, 4);
            if (id == null || (choice % 2 == 0 && !all && !prepared.isAsked(name))) {
                continue;
            }
            if (choice == 1) {
                session.branches().rollback(id, Completion.onFailure(Carried::refused));
                run(session);
                prepared.rolledBack(name);
            } else {
                prepared.commits(name);
                session.branches().commit(id, false, Completion.onFailure(Carried::refused));
                run(session);
                prepared.committed(name);
            }
        }
    }

    private void run(Session session) {
        session.flush();
        broker.runAndSync();
        session.drain(new Deaf(), EVENTS_MAX);
    }

    private CommitOutcome ask(Session session, Asked asked) {
        OutcomeQuery query = asked.query();
        List<CommitOutcome> answers = new ArrayList<>();
        session.outcome(
                new OutcomeQuery(query.commitId(), query.connection(), broker.nowMs() - asked.atMs()),
                answers::add,
                Completion.onFailure(Carried::refused));
        session.flush();
        broker.runAndSync();
        session.drain(new Deaf(), EVENTS_MAX);
        if (answers.size() != 1) {
            throw new Violation(
                    Violation.Promise.PROGRESS, "a question for an outcome had " + answers.size() + " answers");
        }
        return answers.get(0);
    }

    private Set<String> list(Session session) {
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
        throw new Violation(Violation.Promise.REFUSAL, "a question was refused: " + cause.getMessage());
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
