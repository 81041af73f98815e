package dev.turnstone.testkit.model;

import dev.turnstone.port.Address;
import java.util.HashMap;
import java.util.Map;

/** The messages that have come to the dead-letter address, and what they were before. One thread. */
final class DeadLetters {
    private final Address address;
    private final Tally tally;
    private final Map<Sent, Sent> copies = new HashMap<>();

    DeadLetters(Address address, Tally tally) {
        this.address = address;
        this.tally = tally;
    }

    boolean at(Box box) {
        return box.address.equals(address);
    }

    /** A message shows itself as a dead letter: it has left its queue, and there must have been a reason. */
    Sent shown(Sent sent, Box source, Box dead) {
        Sent known = copies.get(sent);
        if (known != null) {
            return known;
        }
        Entry entry = source.entry(sent);
        Violation.check(
                entry != null && entry.mayBeDead(),
                Violation.Promise.DEAD_LETTER,
                sent + " is a dead letter, and has not failed often enough");
        if (entry != null) {
            Violation.check(
                    entry.fate != Entry.Fate.GONE || entry.rejected,
                    Violation.Promise.NOT_DOUBLED,
                    entry + " was consumed and is a dead letter");
            entry.isDead();
        }
        Sent.Content was = sent.content;
        Sent copy = new Sent(
                new Sent.Content(was.id() + " dead", address, was.kind(), was.persistent(), was.priority(), 0),
                sent.producer,
                null);
        copy.order = Long.MAX_VALUE;
        copy.state = Sent.State.DONE;
        copy.pending = false;
        dead.add(copy, true).past.mayFlag = dead.lostUnshown;
        copies.put(sent, copy);
        tally.saw(Sight.DEAD_LETTER);
        return copy;
    }

    /** Checks, when all dead letters have been shown, that those were among them that must be. */
    void check(Iterable<Box> boxes) {
        for (Box box : boxes) {
            for (Entry entry : box.entries()) {
                Violation.check(
                        !entry.mustBeDead() || copies.containsKey(entry.sent),
                        Violation.Promise.DEAD_LETTER,
                        entry + " has failed too often and is no dead letter");
            }
        }
    }
}
