package dev.turnstone.testkit.sim;

import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.Branches;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.testkit.model.Ledger;
import dev.turnstone.testkit.model.Prepared;
import dev.turnstone.testkit.model.Unit;
import dev.turnstone.testkit.model.Violation;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The branches of global transactions that one session works for; each is one of its transactions. */
final class SimBranches {
    /** How a branch ends. */
    enum Ending {
        ROLLBACK,
        ONE_PHASE,
        TWO_PHASES,
        /** Prepared, and left to be decided after a restart. */
        PREPARED,
        /** Its work has failed, so that it can only roll back. */
        FAILED;

        boolean commits() {
            return this != ROLLBACK && this != FAILED;
        }
    }

    private static final int FORMAT = 7;
    private static final Set<ErrorCode> DOOMED = Set.of(ErrorCode.BRANCH_ROLLED_BACK);
    /** What a session may hear that works for a branch whose own session has ended. */
    private static final Set<ErrorCode> OVER = Set.of(
            ErrorCode.BRANCH_ROLLED_BACK,
            ErrorCode.NO_SUCH_BRANCH,
            ErrorCode.NO_SUCH_TRANSACTION,
            ErrorCode.BRANCH_STATE);

    private final SimSession session;
    private final Branches port;
    private final Ledger ledger;
    private final Prepared prepared;
    private final Map<Long, BranchId> ids = new HashMap<>();
    /** Those that have begun for certain, so that other sessions may work for them too. */
    private final Set<BranchId> begun = new HashSet<>();
    /** How often other sessions are at work for them. */
    private int helped;
    /** The one that it helps, or has helped last. */
    private @Nullable SimSession helps;

    SimBranches(SimSession session, Branches port, Ledger ledger, Prepared prepared) {
        this.session = session;
        this.port = port;
        this.ledger = ledger;
        this.prepared = prepared;
    }

    static BranchId id(int number) {
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
        return new BranchId(FORMAT, bytes, bytes);
    }

    boolean has(long transaction) {
        return ids.containsKey(transaction);
    }

    void start(long transaction, BranchId id) {
        ids.put(transaction, id);
        port.start(
                new BranchStart(id, BranchStart.Mode.NEW, transaction, 0),
                session.command("starts " + id + " as " + transaction).whenDone(() -> begun.add(id)));
    }

    /** True while another session may be at work for one of them: they cannot end. */
    boolean helped() {
        return helped > 0;
    }

    /** True if another session may work for it too. */
    boolean begun(long transaction) {
        return begun.contains(ids.get(transaction));
    }

    /** Its work is suspended, and goes on under another number. */
    void pause(long transaction, long next) {
        BranchId id = remove(transaction);
        port.end(id, BranchEnd.SUSPEND, session.command("suspends " + id));
        port.start(
                new BranchStart(id, BranchStart.Mode.RESUME, next, 0),
                session.command("resumes " + id + " as " + next));
        ids.put(next, id);
    }

    /** Another session of the connection does some work for one of them, all of it at once. */
    void help(long transaction, SimBranches helper, long number, Runnable work) {
        BranchId id = ids.get(transaction);
        if (id == null) {
            throw new IllegalStateException("no branch " + transaction);
        }
        helped++;
        helper.helps = session;
        helper.port.start(
                new BranchStart(id, BranchStart.Mode.JOIN, number, 0),
                helper.ofHelper("joins " + id + " as " + number, () -> {}));
        work.run();
        helper.port.end(id, BranchEnd.SUCCESS, helper.ofHelper("ends its work for " + id, () -> helped--));
    }

    /** A command of this session for another one that it helps; it is refused only if that one has ended. */
    Command ofHelper(String what, Runnable then) {
        SimSession host = helps;
        Command command = session.command(what).whenDone(then);
        return command.mayRefuse(OVER, () -> {
            if (host == null || host.open()) {
                throw new Violation(Violation.Promise.REFUSAL, command + " was refused, but " + host + " is there");
            }
            then.run();
        });
    }

    private BranchId remove(long transaction) {
        BranchId id = ids.remove(transaction);
        if (id == null) {
            throw new IllegalStateException("no branch " + transaction);
        }
        return id;
    }

    void end(long transaction, Unit unit, Ending how) {
        BranchId id = remove(transaction);
        Command ends = session.command("ends its work for " + id);
        if (unit.isRefused() && how != Ending.FAILED) {
            ends.mustRefuse(DOOMED, () -> {});
        }
        port.end(id, how == Ending.FAILED ? BranchEnd.FAIL : BranchEnd.SUCCESS, ends);
        switch (unit.isEmpty() && how.commits() ? Ending.ONE_PHASE : how) {
            case ROLLBACK -> rollback(transaction, id, unit);
            case FAILED -> fail(transaction, id, unit);
            case ONE_PHASE -> commit(transaction, id, unit, true);
            case TWO_PHASES -> {
                if (prepare(transaction, id, unit, false)) {
                    commit(transaction, id, unit, false);
                }
            }
            case PREPARED -> prepare(transaction, id, unit, true);
        }
    }

    /** It can only roll back: it is asked to, or says so when it is asked to be prepared. */
    private void fail(long transaction, BranchId id, Unit unit) {
        unit.fails();
        Runnable over = () -> session.units.failed(transaction, unit);
        if (transaction % 2 == 0) {
            port.rollback(id, session.command("rolls back " + id).whenDone(over));
        } else {
            port.prepare(id, vote -> {}, session.command("prepares " + id).mustRefuse(DOOMED, over));
        }
    }

    private void rollback(long transaction, BranchId id, Unit unit) {
        ledger.rollback(unit);
        port.rollback(
                id, session.command("rolls back " + id).whenDone(() -> session.units.rolledBack(transaction, unit)));
    }

    /** False if it must be refused. */
    private boolean prepare(long transaction, BranchId id, Unit unit, boolean alone) {
        Command command = session.command("prepares " + id);
        boolean refused = isRefused(transaction, unit, command);
        if (!refused) {
            prepared.asked(id.toString(), unit, alone);
        }
        port.prepare(id, vote -> prepared.promised(id.toString()), command);
        return !refused;
    }

    private void commit(long transaction, BranchId id, Unit unit, boolean onePhase) {
        Command command = session.command((onePhase ? "commits at once " : "commits ") + id);
        if (!isRefused(transaction, unit, command)) {
            ledger.commit(unit, session.commandCount());
            command.whenDone(() -> {
                prepared.over(id.toString());
                session.units.committed(transaction, unit);
            });
        }
        port.commit(id, onePhase, command);
    }

    /** True if the command can only undo the branch, since one of its commands was refused. */
    private boolean isRefused(long transaction, Unit unit, Command command) {
        if (unit.isRefused()) {
            ledger.rollback(unit);
            command.mustRefuse(DOOMED, () -> session.units.rolledBack(transaction, unit));
        }
        return unit.isRefused();
    }
}
