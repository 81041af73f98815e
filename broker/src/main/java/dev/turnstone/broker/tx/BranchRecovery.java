package dev.turnstone.broker.tx;

import dev.turnstone.broker.dedup.Fingerprint;
import dev.turnstone.broker.dedup.SentId;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.queue.EarlyPages;
import dev.turnstone.broker.queue.LockHolder;
import dev.turnstone.broker.route.Addresses;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.store.Bodies;
import dev.turnstone.broker.store.BranchRecord;
import dev.turnstone.broker.store.Invariant;
import dev.turnstone.broker.store.PreparedSendRecord;
import dev.turnstone.broker.store.PreparedSettlesRecord;
import dev.turnstone.broker.store.PreparedStateRecord;
import dev.turnstone.broker.store.Survivors;
import dev.turnstone.broker.store.Survivors.Kept;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/** Rebuilds branches from the records that survived. Used once, by the thread that starts the engine. */
public final class BranchRecovery {
    private final Survivors survivors;
    private final EarlyPages early;
    private final Map<Long, Branch> branches = new HashMap<>();
    private final Map<Long, PreparedLog> records = new HashMap<>();

    /** A recovery of these survivors. */
    public BranchRecovery(Survivors survivors, Limits limits, Addresses addresses) {
        this.survivors = survivors;
        this.early = addresses.ahead().pages();
        for (Kept<PreparedSendRecord> kept : survivors.all(PreparedSendRecord.class)) {
            PreparedSendRecord.Place place = kept.record().place();
            if (place != null) {
                // Before those pages end whose marker is missing.
                early.recover(place.page(), place.slots());
            }
        }
        for (Kept<BranchRecord> kept : survivors.all(BranchRecord.class)) {
            BranchRecord record = kept.record();
            Branch branch = new Branch(record.branch(), record.user(), new Transaction(limits, addresses, true), 0, 0);
            branch.recorded(record.state(), kept.id());
            branches.put(kept.id(), branch);
            records.put(kept.id(), new PreparedLog());
        }
    }

    /** Who takes an entry that a prepared branch has settled, as its record says. */
    public LockHolder holder(PreparedSettlesRecord record) {
        Transaction transaction = branch(record.branch()).transaction();
        transaction.expectLocked();
        return entry -> transaction.adoptLocked(new Transaction.Settling(entry, record.rejected(), record.reason()));
    }

    /** Gives the branches with all that they hold to the table; with that all holders of bodies are known. */
    public void run(BranchTable table, Bodies bodies) {
        survivors.all(PreparedSendRecord.class).stream()
                .sorted(Comparator.comparingLong(Kept::id))
                .forEach(this::take);
        survivors.all(PreparedStateRecord.class).stream()
                .sorted(Comparator.comparingLong(Kept::id))
                .forEach(kept -> of(kept.record().branch(), kept.id())
                        .recover(kept.record().change()));
        survivors
                .all(PreparedSettlesRecord.class)
                .forEach(kept -> of(kept.record().branch(), kept.id()));
        branches.forEach((record, branch) -> table.recover(branch, records.getOrDefault(record, new PreparedLog())));
        bodies.recovered();
    }

    private void take(Kept<PreparedSendRecord> kept) {
        PreparedSendRecord record = kept.record();
        SentId id = record.high() == 0 && record.low() == 0
                ? null
                : new SentId(new Fingerprint(record.high(), record.low()), SentId.APPLICATION);
        // Of the connection nothing is left but its client identifier.
        Origin from = Origin.ofClient(record.clientId());
        PreparedSendRecord.Place there = record.place();
        Pending.Place place = there == null
                ? null
                : new Pending.Place(early.recover(there.page(), there.slots()), there.slot(), there.apartBytes());
        of(record.branch(), kept.id()).recover(new Pending(record.message(), from, id, place));
    }

    private Transaction of(long branch, long record) {
        Transaction transaction = branch(branch).transaction();
        PreparedLog log = records.get(branch);
        Invariant.check(log != null, "a branch has its records");
        log.adopt(record);
        return transaction;
    }

    private Branch branch(long record) {
        Branch branch = branches.get(record);
        if (branch == null) {
            throw new IllegalStateException("invariant broken: a prepared branch's records come and go together");
        }
        return branch;
    }
}
