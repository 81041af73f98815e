package dev.turnstone.testkit.sim;

import dev.turnstone.port.BranchId;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.Session;
import dev.turnstone.testkit.model.Ledger;
import dev.turnstone.testkit.model.Producer;
import dev.turnstone.testkit.model.Sent;
import dev.turnstone.testkit.model.Unit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The transactions of one session that are not over for certain, branches of global ones among them. One thread. */
final class SimUnits {
    /** Why a transaction may be refused that did something wrong. */
    static final Set<ErrorCode> REFUSED =
            Set.of(ErrorCode.NO_SUCH_DELIVERY, ErrorCode.NO_SUCH_CONSUMER, ErrorCode.TRANSACTION_TOO_LARGE);

    private final SimSession session;
    private final Session port;
    private final Ledger ledger;
    private final Carried carried;
    private final Map<Long, Unit> units = new LinkedHashMap<>();
    private String connectionId = "";

    SimUnits(SimSession session, Session port, Ledger ledger, Carried carried) {
        this.session = session;
        this.port = port;
        this.ledger = ledger;
        this.carried = carried;
    }

    /** The broker's name of its connection. */
    void on(String connection) {
        connectionId = connection;
    }

    /** All of them. */
    Collection<Unit> all() {
        return units.values();
    }

    /** The transaction of this number, or null. */
    @Nullable
    Unit find(long transaction) {
        return units.get(transaction);
    }

    /** Open transactions by number. */
    List<Long> open() {
        return units.entrySet().stream()
                .filter(unit -> unit.getValue().isOpen())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** How many messages the transaction would send. */
    int sendCount(long transaction) {
        return get(transaction).sendCount();
    }

    /** A transaction begins: a branch of a global one if there is an identifier. */
    void begin(@Nullable BranchId branch) {
        long transaction = session.commandCount() + 1;
        units.put(transaction, ledger.begin(session + "/" + transaction));
        if (branch == null) {
            port.begin(transaction, session.command("begins " + transaction));
        } else {
            session.branches.start(transaction, branch);
        }
    }

    void endBranch(long transaction, SimBranches.Ending how) {
        session.branches.end(transaction, get(transaction), how);
    }

    void committed(long transaction, Unit unit) {
        units.remove(transaction);
        ledger.committed(unit);
    }

    /** Commits, under an identifier by which its outcome can be asked for if there is one. */
    void commit(long transaction, @Nullable String commitId) {
        Command command = session.command("commits " + transaction);
        Unit unit = get(transaction);
        if (unit.isRefused()) {
            ledger.rollback(unit);
            command.mustRefuse(REFUSED, () -> rolledBack(transaction, unit));
        } else {
            ledger.commit(unit, session.commandCount());
            command.whenDone(() -> committed(transaction, unit));
        }
        if (commitId == null) {
            port.commit(transaction, command);
            return;
        }
        if (!unit.isRefused()) {
            carried.commits(unit, commitId, connectionId);
        }
        port.commit(transaction, commitId, command);
    }

    void rollback(long transaction) {
        Unit unit = get(transaction);
        ledger.rollback(unit);
        port.rollback(
                transaction,
                session.command("rolls back " + transaction).whenDone(() -> rolledBack(transaction, unit)));
    }

    void rolledBack(long transaction, Unit unit) {
        units.remove(transaction);
        ledger.rolledBack(unit);
    }

    /** A branch whose work had failed was rolled back. */
    void failed(long transaction, Unit unit) {
        units.remove(transaction);
        unit.failed();
    }

    /** The work for a branch is suspended, and goes on. */
    void pause(long transaction) {
        Unit unit = get(transaction);
        long next = session.commandCount() + 2;
        session.branches.pause(transaction, next);
        units.remove(transaction);
        units.put(next, unit);
    }

    /** Another session of the connection sends messages in a branch of this one. */
    void help(long transaction, SimSession helper, Map<Message, Sent.Content> sends, Producer producer) {
        Unit unit = get(transaction);
        long number = helper.commandCount() + 1;
        session.branches.help(
                transaction,
                helper.branches,
                number,
                () -> sends.forEach((message, content) -> helper.helpWith(message, content, unit, producer, number)));
    }

    /** True if one of the transaction's commands is refused. */
    boolean isRefused(long transaction) {
        return get(transaction).isRefused();
    }

    /** Asks for the outcome of a transaction that does not exist. */
    void commitWrongly() {
        port.commit(
                Long.MAX_VALUE,
                session.command("commits wrongly").mustRefuse(Set.of(ErrorCode.NO_SUCH_TRANSACTION), () -> {}));
    }

    /** The transaction of this number. */
    Unit get(long transaction) {
        Unit unit = units.get(transaction);
        if (unit == null) {
            throw new IllegalStateException("no transaction " + transaction);
        }
        return unit;
    }
}
