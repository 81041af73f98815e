package dev.turnstone.testkit.model;

import dev.turnstone.port.Address;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** The messages that have come to the dead-letter or the expiry address, and what they were before. One thread. */
final class DeadLetters {
    private final Rules rules;
    private final Tally tally;
    private final Map<Sent, Sent> copies = new HashMap<>();

    DeadLetters(Rules rules, Tally tally) {
        this.rules = rules;
        this.tally = tally;
    }

    /** What a message is that shows itself in a box: if it had to leave its queue, another one, with a reason. */
    Sent shown(Sent sent, Box box, long nowMs, Function<Address, Box> queues) {
        if (!box.address.equals(rules.dead()) && !box.address.equals(rules.expired())) {
            return sent;
        }
        Sent known = copies.get(sent);
        return known == null ? moved(sent, queues.apply(sent.content.address()), box, nowMs) : known;
    }

    private Sent moved(Sent sent, Box source, Box to, long nowMs) {
        boolean expired = to.address.equals(rules.expired());
        Entry entry = source.entry(sent);
        Violation.check(
                entry != null && (expired ? entry.mayHaveExpired(nowMs) : entry.mayBeDead()),
                expired ? Violation.Promise.TIME : Violation.Promise.DEAD_LETTER,
                sent + " is in " + to + ", and has neither failed often enough nor waited too long");
        if (entry != null) {
            Violation.check(
                    entry.fate != Entry.Fate.GONE || (entry.rejected && !expired),
                    Violation.Promise.NOT_DOUBLED,
                    entry + " was consumed and is in " + to);
            entry.hasMoved(expired);
        }
        Sent copy = new Sent(sent.content.movedTo(to.address), sent.producer, null);
        copy.order = Long.MAX_VALUE;
        copy.state = Sent.State.DONE;
        copy.pending = false;
        // It may have come back from who has not seen it, while those behind it were seen.
        to.unshown.shows(to.add(copy, true));
        copies.put(sent, copy);
        tally.saw(expired ? Sight.EXPIRED : Sight.DEAD_LETTER);
        return copy;
    }

    /** Checks, when all that has moved has been shown, that it is what must have moved. */
    void check(Iterable<Box> boxes, long nowMs) {
        for (Box box : boxes) {
            for (Entry entry : box.entries()) {
                boolean shown = copies.containsKey(entry.sent);
                Violation.check(
                        !entry.mustBeDead() || shown,
                        Violation.Promise.DEAD_LETTER,
                        entry + " has failed too often and is no dead letter");
                Violation.check(
                        !entry.mustHaveExpired(nowMs) || shown,
                        Violation.Promise.NOT_LOST,
                        entry + " has expired and did not come to " + rules.expired());
            }
        }
    }
}
