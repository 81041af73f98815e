package dev.turnstone.testkit.model;

/** What queues with a maximum may refuse, or drop. One thread. */
final class Fullness {
    private Fullness() {}

    /** How many have left the box for certain. */
    static long gone(Box box) {
        return box.entries().stream()
                .filter(entry -> entry.fate == Entry.Fate.GONE && mayHaveCome(entry))
                .count();
    }

    private static boolean mayHaveCome(Entry entry) {
        return entry.sent.effectGiven() && entry.sent.state != Sent.State.ABSENT;
    }

    /** A message is refused: a box of it must have been full, perhaps, at some time since that was given. */
    static void refuse(Sent sent, Tally tally) {
        for (Entry entry : sent.entries) {
            Box box = entry.box;
            long others = box.entries().stream()
                    .filter(other -> other != entry && mayHaveCome(other))
                    .count();
            Violation.check(
                    others - entry.past.goneBefore >= box.traits.most(),
                    Violation.Promise.REFUSAL,
                    sent + " is refused, and " + box + " has had " + (others - entry.past.goneBefore) + " at most");
            tally.saw(Sight.REFUSED_SEND);
        }
    }

    /** True if a message may have to wait before it takes a place: others are there, perhaps, and so many as may be. */
    static boolean mayHaveToWait(Entry entry) {
        return entry.box.entries().stream()
                        .filter(other -> other != entry && mayHaveCome(other) && other.fate != Entry.Fate.GONE)
                        .filter(other -> other.sent.state == Sent.State.DONE || !other.sent.pending)
                        .count()
                >= entry.box.traits.most();
    }

    /** True if others may have been so many that it had to leave before anybody was given it. */
    static boolean mayHaveDropped(Entry entry) {
        Traits traits = entry.box.traits;
        return traits.most() > 0
                && !traits.refuses()
                && entry.box.entries().stream()
                                .filter(other -> other != entry && mayHaveCome(other))
                                .limit(traits.most())
                                .count()
                        == traits.most();
    }

    /** Everything that there was is with consumers. */
    static void atTheEnd(Box box, Tally tally) {
        int most = box.traits.most();
        if (most == 0) {
            return;
        }
        long held = box.entries().stream()
                .filter(entry -> !entry.holdings.isEmpty())
                .count();
        Violation.check(
                held <= most, Violation.Promise.KEPT, box + " kept " + held + " messages, " + most + " at most");
        if (held == most) {
            tally.saw(Sight.FULL_QUEUE);
        }
    }
}
