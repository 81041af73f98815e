package dev.turnstone.testkit.model;

import dev.turnstone.port.Delivery;
import org.jspecify.annotations.Nullable;

/** One delivery of an entry to a consumer, and who has the message because of it. */
public final class Holding {
    enum State {
        /** The consumer's. */
        HELD,
        /** Accepted or rejected, not yet confirmed. */
        SETTLING,
        /** Settled in a transaction that is open or whose commit is not yet confirmed. */
        LOCKED,
        /** Given back, not yet confirmed: the broker may have it. */
        RETURNING,
        /** Over. */
        OVER
    }

    final Entry entry;
    final Stream stream;
    final Delivery delivery;
    State state = State.HELD;
    /** When its settle was asked for. */
    long askedMs;
    /** True if the application has seen it. */
    boolean seen;
    /** The transaction that it is settled in, or null. */
    @Nullable
    Unit unit;

    Holding(Entry entry, Stream stream, Delivery delivery) {
        this.entry = entry;
        this.stream = stream;
        this.delivery = delivery;
    }

    /** The delivery's number in its consumer. */
    public long number() {
        return delivery.number();
    }

    /** True when nothing about it is open any more. */
    public boolean isOver() {
        return state == State.OVER;
    }

    /** True if the session still owns it and has said nothing about it. */
    public boolean isHeld() {
        return state == State.HELD;
    }

    /** True if the broker cannot have taken it back or been told that it is consumed. */
    boolean isOutForSure() {
        return state == State.HELD || (state == State.LOCKED && unit != null && unit.isOpen());
    }

    /** Nothing about it is open any more. */
    void end() {
        state = State.OVER;
        entry.holdings.remove(this);
    }

    /** Its session ends: it comes back, together with all else that has the cause, or what was said of it counts. */
    void inDoubt(Object cause) {
        if (state == State.RETURNING) {
            entry.returns(seen && entry.past.mustFlag, null);
            entry.past.mayFlag = true;
            return;
        }
        boolean free = state == State.HELD || (unit != null && unit.isOpen());
        entry.returns(true, free ? cause : null);
        if (!free && entry.fate == Entry.Fate.OPEN) {
            entry.fate = Entry.Fate.DOUBT;
            entry.doubt = unit;
        }
        state = State.RETURNING;
    }

    boolean excludesOthers() {
        return state == State.HELD || state == State.SETTLING || state == State.LOCKED;
    }

    @Override
    public String toString() {
        return entry.sent.content.id() + " as " + stream + "#" + number() + " " + state;
    }
}
