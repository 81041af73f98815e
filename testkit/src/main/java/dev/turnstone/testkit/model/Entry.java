package dev.turnstone.testkit.model;

import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Delivery;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message in one queue or subscription. */
final class Entry {
    enum Fate {
        /** There, if it ever was. */
        OPEN,
        /** Settled, perhaps: the confirmation was lost. */
        DOUBT,
        /** Settled for certain, or dropped by a restart. */
        GONE
    }

    final Sent sent;
    final Box box;
    /** True if the box is known to have existed when the message took effect. */
    boolean member;

    Fate fate = Fate.OPEN;
    /** The transaction whose outcome decides a fate in doubt, or null if it was a settle alone. */
    @Nullable
    Unit doubt;

    /** The deliveries that are not over; there is more than one only while one returns. */
    final List<Holding> holdings = new ArrayList<>();

    final Past past = new Past();
    /** True once it was delivered, seen or not. */
    boolean delivered;
    /** True if it was delivered, or may have been, and came back. */
    boolean returned;
    /** True if it was rejected, perhaps. */
    boolean rejected;
    /** True if it was rejected for certain. */
    boolean rejectedForSure;
    /** Before this nobody gets it again, since it has failed. */
    long notBeforeMs;
    /** From this on it must be there again. */
    long readyMs;
    /** The command or event that brought it back together with others, or null. */
    @Nullable
    Object cause;

    Entry(Sent sent, Box box, boolean member) {
        this.sent = sent;
        this.box = box;
        this.member = member;
    }

    /** True if a branch that is prepared, or may be, has settled it: until that is decided, it is out. */
    boolean isPrepared() {
        return fate == Fate.DOUBT && doubt != null && doubt.state == Unit.State.PREPARING;
    }

    /** True if one has that is prepared for certain, and whose session is gone. */
    boolean isPreparedForSure() {
        return isPrepared() && doubt != null && doubt.isPromised();
    }

    /** True if a consumer that waits must get it. */
    boolean mustBeReady(long nowMs) {
        return member
                && sent.state == Sent.State.DONE
                && fate == Fate.OPEN
                && holdings.isEmpty()
                && !sent.expiredAt(nowMs)
                && sent.content.dueMs() <= nowMs
                && readyMs <= nowMs
                && !mayBeDead()
                && !Dropping.mayHaveDropped(this);
    }

    /** It may have failed too often, or was rejected where that makes a dead letter. */
    boolean mayBeDead() {
        int most = box.traits.attemptsMax();
        return most > 0 && (rejected || past.attemptsMax >= most);
    }

    /** It has failed too often for certain, and nothing else can have become of it. */
    boolean mustBeDead() {
        int most = box.traits.attemptsMax();
        return most > 0
                && (past.attemptsMin >= most || rejectedForSure)
                && member
                && sent.state == Sent.State.DONE
                && fate != Fate.DOUBT
                && sent.content.persistent()
                && sent.content.expiryMs() == 0;
    }

    /** It may have left its queue for the expiry address. */
    boolean mayHaveExpired(long nowMs) {
        return box.traits.movesExpired() && sent.expiredAt(nowMs);
    }

    /** It has left its queue for the expiry address for certain, and nothing else can have become of it. */
    boolean mustHaveExpired(long nowMs) {
        return mayHaveExpired(nowMs)
                && member
                && sent.state == Sent.State.DONE
                && fate == Fate.OPEN
                && holdings.isEmpty()
                && sent.content.persistent();
    }

    /** It has shown itself at the dead-letter address, or at the expiry address. */
    void hasMoved(boolean expired) {
        if (doubt != null && expired) {
            doubt.shownUndone("its settled " + this + " has expired");
        } else if (doubt != null) {
            doubt.shownEffective("its rejected " + this + " is a dead letter");
        }
        doubt = null;
        isShown();
        fate = Fate.GONE;
    }

    /** Counts what this delivery is. */
    void look(Delivery delivery, Tally tally) {
        if (delivery.redelivered()) {
            tally.saw(past.mustFlag ? Sight.FLAGGED_DELIVERY : Sight.NEEDLESS_FLAG);
        }
        if (sent.state == Sent.State.GIVEN) {
            tally.saw(Sight.SEEN_BEFORE_CONFIRMED);
        }
        if (box.address.isPattern()) {
            tally.saw(Sight.PATTERN_DELIVERY);
        } else if (box.address.isSubscription()) {
            tally.saw(Sight.FILTERED_DELIVERY);
        } else if (box.filter == null && sent.content.address().kind() == AddressKind.TOPIC) {
            tally.saw(Sight.VIRTUAL_DELIVERY);
        } else if (!box.address.equals(sent.content.address())) {
            tally.saw(Sight.BOUND_DELIVERY);
        }
        if (box.filter != null && !box.endsWithConsumer()) {
            tally.saw(Sight.DURABLE_DELIVERY);
        }
    }

    /** Checks that it does not come before its time. */
    void inTime(long nowMs, Tally tally) {
        long dueMs = Math.max(notBeforeMs, sent.content.dueMs());
        Violation.check(dueMs <= nowMs, Violation.Promise.TIME, this + " comes " + (dueMs - nowMs) + " ms too early");
        if (dueMs > 0) {
            tally.saw(notBeforeMs > 0 ? Sight.RETRIED_DELIVERY : Sight.DELAYED_DELIVERY);
        }
        notBeforeMs = 0;
    }

    /** It has failed: a known time before which it does not come again, and one from which on it must. */
    void failed(long atMs, boolean certain, long nowMs) {
        long delay = box.traits.retryDelayMs();
        notBeforeMs = certain && delay > 0 ? atMs + delay : 0;
        readyMs = Math.max(readyMs, nowMs + delay);
    }

    /** True if only another part of its transaction shows that it must be there. */
    boolean isPartOfUnconfirmed() {
        return sent.unit != null && !sent.unit.confirmed && !delivered;
    }

    /** It comes back, at once or soon, together with all else that has the same cause. */
    void returns(boolean seen, @Nullable Object by) {
        returned = true;
        past.mustFlag |= seen;
        cause = by;
    }

    /** Somebody was shown it, or given it: it is there. */
    void isShown() {
        Violation.check(
                sent.state != Sent.State.ABSENT && sent.effectGiven(),
                Violation.Promise.NOT_HALF_DONE,
                this + " is shown, but was refused, rolled back or never committed");
        member = true;
        sent.state = Sent.State.DONE;
        if (sent.unit != null) {
            sent.unit.shownEffective("its " + this + " was shown");
        }
    }

    /** It was out and comes back by itself, whatever it had come back with before. */
    void cameForNobody() {
        delivered = true;
        returns(false, null);
    }

    /** Checks that this delivery may be, and learns from it. */
    void delivered(Delivery delivery) {
        Violation.check(fate != Fate.GONE, Violation.Promise.NOT_DOUBLED, this + " was settled and is delivered again");
        for (Holding holding : holdings) {
            Violation.check(
                    !holding.excludesOthers(),
                    Violation.Promise.NOT_DOUBLED,
                    this + " is delivered while it is " + holding);
        }
        Violation.check(
                box.traits.attemptsMax() == 0 || past.attemptsMin < box.traits.attemptsMax(),
                Violation.Promise.DEAD_LETTER,
                this + " is delivered again, and has failed too often");
        if (fate == Fate.DOUBT) {
            fate = Fate.OPEN;
            if (doubt != null) {
                doubt.shownUndone("its settled " + this + " came again");
                doubt = null;
            }
        }
        isShown();
        // A mark covers all that was dispatched, and at most a block more; and what was delayed before that.
        if (past.check(this, delivery) && !delivered && sent.content.dueMs() == 0) {
            box.overFlagged(this);
        }
        delivered = true;
        holdings.removeIf(holding -> !holding.excludesOthers());
    }

    @Override
    public String toString() {
        return sent + " in " + box;
    }
}
