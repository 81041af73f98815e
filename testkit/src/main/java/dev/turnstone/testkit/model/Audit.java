package dev.turnstone.testkit.model;

import java.util.Collection;

/** Checks of a whole ledger, for moments when nothing is on its way. */
public final class Audit {
    private final Collection<Box> queues;
    private final Collection<Box> subscriptions;

    Audit(Collection<Box> queues, Collection<Box> subscriptions) {
        this.queues = queues;
        this.subscriptions = subscriptions;
    }

    /**
     * Everything has come to rest: what is ready and has a consumer that waits must have been delivered.
     *
     * @param promise the one that is broken if not
     */
    public void rest(Collection<Stream> streams, long nowMs, Violation.Promise promise) {
        for (Stream stream : streams) {
            if (stream.live && stream.credit() > 0) {
                for (Entry entry : stream.box.entries()) {
                    Violation.check(
                            !entry.mustBeReady(nowMs) || !stream.takes(entry.sent),
                            entry.isPartOfUnconfirmed() ? Violation.Promise.NOT_HALF_DONE : promise,
                            entry + " is ready and does not come to " + stream);
                }
            }
        }
        queues.forEach(Box::rest);
        subscriptions.forEach(Box::rest);
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
        }
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
        if (!entry.member || !sent.content.persistent() || sent.content.expiryMs() != 0 || !entry.holdings.isEmpty()) {
            return;
        }
        if (sent.state == Sent.State.GIVEN && sent.unit != null && sent.unit.state == Unit.State.COMMITTING) {
            sent.unit.shownUndone("its " + entry + " is nowhere");
        } else if (entry.fate == Entry.Fate.DOUBT && sent.state == Sent.State.DONE && entry.doubt != null) {
            entry.doubt.shownEffective("its settled " + entry + " is gone");
        }
    }
}
