package dev.turnstone.testkit.model;

import dev.turnstone.port.Delivery;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What somebody is shown of a queue who does not consume: a browser, which sees what waits when it is asked for, or a
 * reader of a queue that is consumed by nobody, which sees all that ever comes. One thread.
 */
public final class View {
    private final Box box;
    private final @Nullable String kind;
    private final boolean browses;
    private final long askedAtMs;
    private final Tally tally;
    /** What had left when it was asked for. */
    private final Set<Entry> gone = new HashSet<>();
    /** What was ready when it was asked for, and nobody had been given. */
    private final Set<Entry> waited = new HashSet<>();

    private final Set<Entry> shown = new HashSet<>();
    private final long[] last = Stream.positions();
    private long lastNumber;
    private boolean over;

    View(Box box, @Nullable String kind, boolean browses, long nowMs, Tally tally) {
        this.box = box;
        this.kind = kind;
        this.browses = browses;
        this.askedAtMs = nowMs;
        this.tally = tally;
        for (Entry entry : box.entries()) {
            if (entry.fate == Entry.Fate.GONE) {
                gone.add(entry);
            } else if (isFresh(entry, nowMs)) {
                waited.add(entry);
            }
        }
    }

    private boolean isFresh(Entry entry, long nowMs) {
        return entry.mustBeReady(nowMs) && !entry.delivered && !entry.returned;
    }

    private boolean takes(Entry entry) {
        return kind == null || kind.equals(entry.sent.content.kind());
    }

    /** It is shown a message. */
    void shows(@Nullable Sent sent, Delivery delivery) {
        Entry entry = sent == null ? null : box.entry(sent);
        Violation.check(
                delivery.number() == ++lastNumber,
                Violation.Promise.CREDIT,
                this + " gets number " + delivery.number() + ", not " + lastNumber);
        if (entry == null || over || !takes(entry) || entry.sent.expiredAt(askedAtMs)) {
            throw new Violation(Violation.Promise.ROUTING, delivery + " is shown to " + this);
        }
        Violation.check(
                !gone.contains(entry), Violation.Promise.NOT_DOUBLED, entry + " had left and is shown to " + this);
        Violation.check(shown.add(entry), Violation.Promise.NOT_DOUBLED, entry + " is shown twice to " + this);
        entry.isShown();
        inOrder(entry, delivery);
        tally.saw(browses ? Sight.BROWSED : Sight.READ);
    }

    private void inOrder(Entry entry, Delivery delivery) {
        int priority = entry.sent.content.priority();
        if (entry.sent.content.dueMs() == 0) {
            Violation.check(
                    delivery.position() > last[priority],
                    Violation.Promise.ORDER,
                    entry + " at " + delivery.position() + " is shown after " + last[priority] + " to " + this);
            last[priority] = delivery.position();
        }
    }

    /** The broker says that it has seen everything. */
    public void ended() {
        Violation.check(browses && !over, Violation.Promise.PROGRESS, this + " ends, and no browser has to");
        over = true;
    }

    /** True for a browser that has seen everything. */
    public boolean isOver() {
        return over;
    }

    /** True for a browser. */
    public boolean browses() {
        return browses;
    }

    /** Everything has come to rest: what was there all the time, and nobody was given, must have been shown. */
    public void rest(long nowMs) {
        Violation.check(over || !browses, Violation.Promise.PROGRESS, this + " does not end");
        for (Entry entry : browses ? waited : box.entries()) {
            boolean must = browses ? isFresh(entry, nowMs) : entry.mustBeReady(nowMs);
            Violation.check(
                    !must || !takes(entry) || shown.contains(entry),
                    Violation.Promise.PROGRESS,
                    entry + " is there and is not shown to " + this);
        }
    }

    @Override
    public String toString() {
        return (browses ? "a browser of " : "a reader of ") + box;
    }
}
