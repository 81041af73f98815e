package dev.turnstone.testkit.model;

import java.util.ArrayList;
import java.util.List;

/** A transaction: its sends, its settles and what is known of its outcome. */
public final class Unit {
    enum State {
        /** Open. */
        OPEN,
        /** Prepare was asked for, and no outcome. */
        PREPARING,
        /** Commit was asked for. */
        COMMITTING,
        /** Effective, as a confirmation or a delivery has shown. */
        EFFECTIVE,
        /** Without effect. */
        UNDONE
    }

    private final String name;
    private final Tally tally;
    final List<Sent> sends = new ArrayList<>();
    final List<Holding> settles = new ArrayList<>();
    State state = State.OPEN;
    /** When its rollback was asked for. */
    long askedMs;
    /** True if its commit was confirmed, so that nothing else had to show it. */
    boolean confirmed;

    private String evidence = "";
    private boolean refused;
    /** True if it is a branch that was prepared, perhaps: the end of its session does not decide it. */
    private boolean branch;

    private boolean promised;

    Unit(String name, Tally tally) {
        this.name = name;
        this.tally = tally;
    }

    /** One of its commands is refused, so its commit will be. */
    public void refuse() {
        refused = true;
    }

    /** True if its commit must be refused. */
    public boolean isRefused() {
        return refused;
    }

    /** It is a branch that is to be prepared; alone if no outcome is asked for. */
    void prepares(boolean alone) {
        branch = true;
        if (alone) {
            state = State.PREPARING;
        }
    }

    /** The broker says that it is prepared: it has no end of its own any more; or its rollback was asked for. */
    void promised(boolean is) {
        promised = is;
    }

    boolean isPromised() {
        return promised;
    }

    /** True if prepare was asked for, and no outcome. */
    boolean isPreparing() {
        return state == State.PREPARING;
    }

    /** True if it may take effect though its session is gone. */
    boolean outlives() {
        return branch && (state == State.PREPARING || state == State.COMMITTING);
    }

    /** What is not persistent will not be sent: the broker has restarted since it was prepared. */
    void dropFleeting() {
        for (Sent sent : sends) {
            if (!sent.content.persistent()) {
                sent.state = Sent.State.ABSENT;
            }
        }
        sends.removeIf(sent -> !sent.content.persistent());
    }

    /** True if it has neither sends nor settles. */
    public boolean isEmpty() {
        return sends.isEmpty() && settles.isEmpty();
    }

    /** How many messages it would send. */
    public int sendCount() {
        return sends.size();
    }

    /** Something else than an answer shows that it took effect. */
    void shownEffective(String shown) {
        if (state == State.COMMITTING) {
            tally.saw(Sight.DOUBT_EFFECTIVE);
        }
        effective(shown);
    }

    /** Something else than an answer shows that it had no effect. */
    void shownUndone(String shown) {
        if (state == State.COMMITTING) {
            tally.saw(Sight.DOUBT_UNDONE);
        }
        undone(shown);
    }

    /** The broker was asked what became of its commit, whose answer was lost or not; it never says otherwise again. */
    public void told(boolean committed) {
        tally.saw(committed ? Sight.OUTCOME_COMMITTED : Sight.OUTCOME_ROLLED_BACK);
        if (committed) {
            shownEffective("the broker says that it committed");
        } else {
            shownUndone("the broker says that it did not commit");
        }
    }

    /** True while neither commit nor rollback was asked for. */
    public boolean isOpen() {
        return state == State.OPEN;
    }

    /** A session says that its work for it failed: what it holds goes back at once, and no attempt is counted. */
    public void fails() {
        undone("a session's work for it failed");
        for (Holding holding : settles) {
            holding.state = Holding.State.RETURNING;
            holding.entry.returns(true, this);
        }
    }

    /** That was confirmed. */
    public void failed() {
        settles.forEach(Holding::end);
    }

    /** It took effect. */
    void effective(String shown) {
        Violation.check(
                state == State.COMMITTING || state == State.EFFECTIVE,
                Violation.Promise.NOT_HALF_DONE,
                this + " is " + state + " (" + evidence + "), but " + shown);
        if (state == State.EFFECTIVE) {
            return;
        }
        state = State.EFFECTIVE;
        evidence = shown;
        for (Sent sent : sends) {
            // What is not persistent was dropped by a crash, whatever became of the transaction.
            if (sent.state == Sent.State.GIVEN) {
                sent.state = Sent.State.DONE;
            }
        }
        for (Holding holding : settles) {
            holding.end();
            holding.entry.fate = Entry.Fate.GONE;
        }
    }

    /** It had no effect. */
    void undone(String shown) {
        Violation.check(
                state != State.EFFECTIVE,
                Violation.Promise.NOT_HALF_DONE,
                this + " took effect (" + evidence + "), but " + shown);
        Violation.check(
                !promised,
                Violation.Promise.NOT_HALF_DONE,
                this + " is prepared and nobody rolled it back, but " + shown);
        if (state == State.UNDONE) {
            return;
        }
        state = State.UNDONE;
        evidence = shown;
        for (Sent sent : sends) {
            sent.state = Sent.State.ABSENT;
        }
        for (Holding holding : settles) {
            if (holding.entry.fate == Entry.Fate.DOUBT && holding.entry.doubt == this) {
                holding.entry.fate = Entry.Fate.OPEN;
                holding.entry.doubt = null;
            }
        }
    }

    @Override
    public String toString() {
        return "transaction " + name;
    }
}
