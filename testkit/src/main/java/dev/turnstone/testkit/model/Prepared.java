package dev.turnstone.testkit.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The branches of global transactions that were prepared, or may be, and whose outcome is not known: what must be there
 * after each restart until somebody decides.
 */
public final class Prepared {
    /** Behind all that the sender itself has asked for. */
    private static final long LATE = 1_000_000;

    private final Ledger ledger;
    private final LongSupplier clock;
    private final Map<String, Unit> all = new LinkedHashMap<>();
    private long decided;

    /** None yet. */
    public Prepared(Ledger ledger, LongSupplier clock) {
        this.ledger = ledger;
        this.clock = clock;
    }

    /**
     * A branch is to be prepared.
     *
     * @param alone true if its outcome is not asked for in the same breath
     */
    public void asked(String id, Unit unit, boolean alone) {
        all.put(id, unit);
        unit.prepares(alone);
    }

    /** The broker says that it is prepared. */
    public void promised(String id) {
        Unit unit = all.get(id);
        if (unit != null) {
            unit.promised(true);
        }
    }

    /** Its outcome, which its own session has asked for, was confirmed. */
    public void over(String id) {
        all.remove(id);
    }

    /**
     * The broker lists these as prepared; no session is open. What that shows is learnt, and what it must not be is
     * found. Gives those that can be decided.
     */
    public List<String> listed(Set<String> ids) {
        for (String id : ids) {
            Violation.check(
                    all.containsKey(id),
                    Violation.Promise.NOT_HALF_DONE,
                    "branch " + id + " is listed as prepared, and is over or never was");
        }
        for (String id : List.copyOf(all.keySet())) {
            if (!ids.contains(id)) {
                isGone(id, all.remove(id));
            }
        }
        return new ArrayList<>(all.keySet());
    }

    private static void isGone(String id, Unit unit) {
        if (unit.isPreparing()) {
            Violation.check(
                    !unit.isPromised(),
                    Violation.Promise.NOT_LOST,
                    "the prepared branch " + id + " is no longer there");
            unit.undone("its branch is not prepared");
        } else if (unit.isPromised()) {
            // Only its commit can have ended it.
            unit.shownEffective("its prepared branch is over");
        }
    }

    /** True if its commit was asked for before. */
    public boolean isAsked(String id) {
        return !unit(id).isPreparing();
    }

    /** A branch that is listed will be committed; no session is open. */
    public void commits(String id) {
        Unit unit = unit(id);
        // A crash has dropped what is not persistent.
        unit.dropFleeting();
        if (unit.isPreparing()) {
            ledger.commit(unit, LATE + ++decided);
        }
    }

    /** It was. */
    public void committed(String id) {
        ledger.tally().saw(Sight.PREPARED_COMMIT);
        ledger.committed(unit(id));
        all.remove(id);
    }

    /** A branch that is listed was rolled back; no session is open. */
    public void rolledBack(String id) {
        ledger.tally().saw(Sight.PREPARED_ROLLBACK);
        Unit unit = unit(id);
        all.remove(id);
        unit.promised(false);
        unit.undone("its branch was rolled back");
        for (Holding holding : unit.settles) {
            holding.entry.returns(true, null);
            holding.entry.past.attemptsMax++;
            holding.entry.failed(0, false, clock.getAsLong());
        }
    }

    private Unit unit(String id) {
        Unit unit = all.get(id);
        if (unit == null) {
            throw new IllegalStateException("no branch " + id);
        }
        return unit;
    }
}
