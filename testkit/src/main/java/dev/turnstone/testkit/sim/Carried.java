package dev.turnstone.testkit.sim;

import dev.turnstone.port.BranchId;
import dev.turnstone.port.CommitOutcome;
import dev.turnstone.port.Message;
import dev.turnstone.port.OutcomeQuery;
import dev.turnstone.port.Session;
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

/**
 * What sends and commits carry beside their messages: identities, for copies and questions to come, and protocol state.
 */
final class Carried {
    private static final String NAMESPACE = "sim";

    /** A commit with an identifier, and the connection that asked for it, at the broker's time. */
    private record Asked(Unit unit, OutcomeQuery query, long atMs) {}

    private static final int ASKED_MAX = 30;

    private final SimulatedBroker broker;
    private final ArrayDeque<Asked> commits = new ArrayDeque<>();
    final Marks marks = new Marks();
    final Prepared prepared;
    final Contents contents;
    /** True if memory may be full. */
    final boolean fullMemory;

    private int decisions;
    /**
     * Persistent messages that were sent with their id as identity, and took effect: a copy of them is a second one.
     */
    final List<Message> repeatable = new ArrayList<>();

    Carried(SimulatedBroker broker, Ledger ledger, Later later) {
        this.contents = new Contents(later.reads());
        this.fullMemory = later.fullMemory();
        this.broker = broker;
        this.prepared = new Prepared(ledger, broker::nowMs);
    }

    /** As {@link SimulatedBroker#full}. */
    int full() {
        return broker.full();
    }

    /** As {@link SimulatedBroker#memoryFull}. */
    boolean memoryFull() {
        return broker.memoryFull();
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
        try (Operator operator = new Operator(broker, null)) {
            decide(operator, all);
            commits.forEach(asked -> asked.unit().told(ask(operator, asked) == CommitOutcome.COMMITTED));
            marks.seen(list(operator));
        }
    }

    /** Removes all marks; no other session is open. */
    void eraseMarks() {
        try (Operator operator = new Operator(broker, null)) {
            List<StateChange> removals = list(operator).stream()
                    .map(key -> StateChange.remove(NAMESPACE, key))
                    .toList();
            operator.session().changeState(removals, Session.NO_TRANSACTION, Operator.granted());
            operator.run();
        }
    }

    private void decide(Operator operator, boolean all) {
        Map<String, BranchId> listed = new HashMap<>();
        operator.session()
                .branches()
                .recover(found -> found.forEach(id -> listed.put(id.toString(), id)), Operator.granted());
        operator.run();
        for (String name : prepared.listed(listed.keySet())) {
            BranchId id = listed.get(name);
            int choice = Math.floorMod(name.hashCode() + ++decisions, 4);
            if (id == null || (choice % 2 == 0 && !all && !prepared.isAsked(name))) {
                continue;
            }
            if (choice == 1) {
                operator.session().branches().rollback(id, Operator.granted());
                operator.run();
                prepared.rolledBack(name);
            } else {
                prepared.commits(name);
                operator.session().branches().commit(id, false, Operator.granted());
                operator.run();
                prepared.committed(name);
            }
        }
    }

    private CommitOutcome ask(Operator operator, Asked asked) {
        OutcomeQuery query = asked.query();
        List<CommitOutcome> answers = new ArrayList<>();
        operator.session()
                .outcome(
                        new OutcomeQuery(query.commitId(), query.connection(), broker.nowMs() - asked.atMs()),
                        answers::add,
                        Operator.granted());
        operator.run();
        if (answers.size() != 1) {
            throw new Violation(
                    Violation.Promise.PROGRESS, "a question for an outcome had " + answers.size() + " answers");
        }
        return answers.get(0);
    }

    private Set<String> list(Operator operator) {
        Set<String> keys = new HashSet<>();
        StateQuery query = StateQuery.of(NAMESPACE, "");
        while (true) {
            List<StatePage> pages = new ArrayList<>();
            operator.session().listState(query, pages::add, Operator.granted());
            operator.run();
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
}
