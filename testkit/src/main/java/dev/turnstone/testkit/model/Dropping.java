package dev.turnstone.testkit.model;

import java.util.HashMap;
import java.util.Map;

/** What a ring or a queue of last values may have dropped, and what it must have. One thread. */
final class Dropping {
    private Dropping() {}

    /** True if later messages may have made it leave before anybody was given it. */
    static boolean mayHaveDropped(Entry entry) {
        Traits traits = entry.box.traits;
        if (traits.lastValue() && entry.sent.content.key() != null) {
            return entry.box.entries().stream().anyMatch(other -> sameKey(entry, other) && mayBeLater(other, entry));
        }
        if (traits.most() > 0) {
            return Fullness.mayHaveDropped(entry);
        }
        return traits.ring() > 0
                && entry.box.entries().stream()
                                .filter(other -> mayBeLater(other, entry))
                                .limit(traits.ring())
                                .count()
                        == traits.ring();
    }

    private static boolean sameKey(Entry entry, Entry other) {
        return other != entry && entry.sent.content.key().equals(other.sent.content.key());
    }

    private static boolean mayBeLater(Entry other, Entry than) {
        Sent sent = other.sent;
        boolean earlier = sent.producer.equals(than.sent.producer) && sent.order < than.sent.order;
        return other != than && sent.effectGiven() && sent.state != Sent.State.ABSENT && !earlier;
    }

    /** For certain, and still there: a newer one that a crash ends may have taken it along, and left the older one. */
    private static boolean isLater(Entry other, Entry than) {
        Sent sent = other.sent;
        return sent.state == Sent.State.DONE
                && other.member
                && other.fate == Entry.Fate.OPEN
                && sent.producer.equals(than.sent.producer)
                && sent.order > than.sent.order
                && !mayHaveDropped(other);
    }

    /** Everything has come to rest: what nobody was given and has been replaced will not come any more. */
    static void rest(Box box, Tally tally) {
        if (!box.traits.lastValue()) {
            return;
        }
        for (Entry entry : box.entries()) {
            if (entry.sent.content.key() != null
                    && entry.fate == Entry.Fate.OPEN
                    && entry.sent.state == Sent.State.DONE
                    && !entry.delivered
                    && entry.holdings.isEmpty()
                    && box.entries().stream().anyMatch(other -> sameKey(entry, other) && isLater(other, entry))) {
                entry.fate = Entry.Fate.GONE;
                tally.saw(Sight.REPLACED);
            }
        }
    }

    /** Everything that there was is with consumers: it must not be more than there may be. */
    static void atTheEnd(Box box, Tally tally) {
        Map<String, Integer> byKey = new HashMap<>();
        int held = 0;
        for (Entry entry : box.entries()) {
            if (!entry.holdings.isEmpty()) {
                held++;
                byKey.merge(String.valueOf(entry.sent.content.key()), 1, Integer::sum);
            }
        }
        if (box.traits.ring() > 0) {
            Violation.check(
                    held <= box.traits.ring(), Violation.Promise.KEPT, box + " kept " + held + " messages in its ring");
            if (held == box.traits.ring()) {
                tally.saw(Sight.FULL_RING);
            }
        }
        if (box.traits.lastValue()) {
            byKey.forEach((key, count) -> Violation.check(
                    key.equals("null") || count == 1,
                    Violation.Promise.KEPT,
                    box + " kept " + count + " values of " + key));
        }
    }
}
