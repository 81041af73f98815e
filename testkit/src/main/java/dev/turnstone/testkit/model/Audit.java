package dev.turnstone.testkit.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks of a whole ledger, for moments when nothing is on its way. */
public final class Audit {
    private final Collection<Box> queues;
    private final Collection<Box> subscriptions;

    private final DeadLetters dead;
    private final Tally tally;

    Audit(Collection<Box> queues, Collection<Box> subscriptions, DeadLetters dead, Tally tally) {
        this.queues = queues;
        this.subscriptions = subscriptions;
        this.dead = dead;
        this.tally = tally;
    }

    /**
     * Everything has come to rest: what is ready and has a consumer that waits must have been delivered.
     *
     * @param promise the one that is broken if not
     */
    public void rest(Collection<Stream> streams, long nowMs, Violation.Promise promise) {
        Map<Box, List<Stream>> live = new HashMap<>();
        for (Stream stream : streams) {
            if (stream.live) {
                live.computeIfAbsent(stream.box, box -> new ArrayList<>()).add(stream);
            }
        }
        for (Stream stream : streams) {
            if (stream.live && stream.credit() > 0) {
                List<Stream> beside = live.getOrDefault(stream.box, List.of());
                for (Entry entry : stream.box.entries()) {
                    Violation.check(
                            !entry.mustBeReady(nowMs)
                                    || !stream.takes(entry.sent)
                                    || !stream.box.sharing.mustCome(entry, stream, beside),
                            entry.isPartOfUnconfirmed() ? Violation.Promise.NOT_HALF_DONE : promise,
                            entry + " is ready and does not come to " + stream);
                }
            }
        }
        queues.forEach(box -> rest(box, live));
        subscriptions.forEach(box -> rest(box, live));
    }

    private void rest(Box box, Map<Box, List<Stream>> live) {
        box.rest();
        box.sharing.rest(live.getOrDefault(box, List.of()), tally);
        Dropping.rest(box, tally);
    }

    /**
     * After everything that survived was consumed: decides each transaction that is still in doubt, by what is not
     * there.
     */
    public void atTheEnd(Collection<Box> drained, long nowMs) {
        for (Box box : drained) {
            for (Entry entry : box.entries()) {
                absence(entry);
            }
            Dropping.atTheEnd(box, tally);
            Fullness.atTheEnd(box, tally);
        }
        dead.check(drained, nowMs);
        for (Box box : drained) {
            for (Entry entry : box.entries()) {
                Violation.check(!entry.mustBeReady(nowMs), Violation.Promise.NOT_LOST, entry + " is nowhere");
            }
        }
    }

    /** What it means that an entry, which must have come if it was there, did not. */
    private static void absence(Entry entry) {
        Sent sent = entry.sent;
        // What may expire or was not persistent may be absent for another reason.
        if (!entry.member
                || !sent.content.persistent()
                || sent.content.expiryMs() != 0
                || !entry.holdings.isEmpty()
                || entry.mayBeDead()
                || Dropping.mayHaveDropped(entry)) {
            return;
        }
        if (sent.state == Sent.State.GIVEN && sent.unit != null && sent.unit.state == Unit.State.COMMITTING) {
            sent.unit.shownUndone("its " + entry + " is nowhere");
        } else if (entry.fate == Entry.Fate.DOUBT && sent.state == Sent.State.DONE && entry.doubt != null) {
            entry.doubt.shownEffective("its settled " + entry + " is gone");
        }
    }
}
