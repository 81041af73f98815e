package dev.turnstone.testkit.sim;

import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.Branches;
import dev.turnstone.testkit.model.Ledger;
import dev.turnstone.testkit.model.Prepared;
import dev.turnstone.testkit.model.Unit;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The branches of global transactions that one session works for; each is one of its transactions. */
final class SimBranches {
    /** How a branch ends. */
    enum Ending {
        ROLLBACK,
        ONE_PHASE,
        TWO_PHASES,
        /** Prepared, and left to be decided after a restart. */
        PREPARED
    }

    private static final int FORMAT = 7;

    private final SimSession session;
    private final Branches port;
    private final Ledger ledger;
    private final Prepared prepared;
    private final Map<Long, BranchId> ids = new HashMap<>();

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
                session.command("starts " + id + " as " + transaction));
    }

    void end(long transaction, Unit unit, Ending how) {
        BranchId id = ids.remove(transaction);
        if (id == null) {
            throw new IllegalStateException("no branch " + transaction);
        }
        port.end(id, BranchEnd.SUCCESS, session.command("ends its work for " + id));
        switch (unit.isEmpty() && how != Ending.ROLLBACK ? Ending.ONE_PHASE : how) {
            case ROLLBACK -> {
                ledger.rollback(unit);
                port.rollback(
                        id, session.command("rolls back " + id).whenDone(() -> session.rolledBack(transaction, unit)));
            }
            case ONE_PHASE -> commit(transaction, id, unit, true);
            case TWO_PHASES -> {
                prepare(id, unit, false);
                commit(transaction, id, unit, false);
            }
            case PREPARED -> prepare(id, unit, true);
        }
    }

    private void prepare(BranchId id, Unit unit, boolean alone) {
        prepared.asked(id.toString(), unit, alone);
        port.prepare(id, vote -> prepared.promised(id.toString()), session.command("prepares " + id));
    }

    private void commit(long transaction, BranchId id, Unit unit, boolean onePhase) {
        Command command = session.command((onePhase ? "commits at once " : "commits ") + id);
        ledger.commit(unit, session.commandCount());
        port.commit(id, onePhase, command.whenDone(() -> {
            prepared.over(id.toString());
            session.committed(transaction, unit);
        }));
    }
}
