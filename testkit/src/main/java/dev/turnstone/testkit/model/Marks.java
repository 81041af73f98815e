package dev.turnstone.testkit.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Protocol state that sends carry: a key for each, which is there if and only if the send took effect, for ever. So
 * what a crash has left in doubt is decided when the keys are looked at.
 */
public final class Marks {
    private final List<Sent> carried = new ArrayList<>();

    /** A send carries its key. */
    public void add(Sent sent) {
        carried.add(sent);
    }

    /** These are the keys of all sends that took effect; no session is open. */
    public void seen(Set<String> keys) {
        for (Sent sent : carried) {
            boolean there = keys.contains(sent.content.id());
            Unit unit = sent.unit;
            if (unit == null) {
                decide(sent, there);
            } else if (there) {
                unit.shownEffective("the state that " + sent + " carried is there");
            } else if (!unit.isPreparing()) {
                unit.shownUndone("the state that " + sent + " carried is not there");
            }
        }
    }

    private static void decide(Sent sent, boolean there) {
        if (there) {
            Violation.check(
                    sent.state != Sent.State.ABSENT,
                    Violation.Promise.NOT_HALF_DONE,
                    sent + " had no effect, but the state that it carried is there");
            sent.state = Sent.State.DONE;
        } else {
            Violation.check(
                    sent.state != Sent.State.DONE,
                    Violation.Promise.NOT_HALF_DONE,
                    sent + " took effect, but the state that it carried is not there");
            sent.state = Sent.State.ABSENT;
        }
        sent.pending = false;
    }
}
