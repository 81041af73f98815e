package dev.turnstone.broker.tx;

import dev.turnstone.broker.dedup.Fingerprint;
import dev.turnstone.broker.dedup.SentId;
import dev.turnstone.broker.queue.Entry;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.PreparedSendRecord;
import dev.turnstone.broker.store.PreparedSettlesRecord;
import dev.turnstone.broker.store.PreparedStateRecord;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.port.StateChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The records of what one prepared branch holds. Owned by the engine thread. */
final class PreparedLog {
    /** Entries that one record names at most. */
    private static final int ENTRIES_MAX = 4_096;

    private final List<Long> records = new ArrayList<>();

    /** Records what a transaction holds that must survive; in the unit that is open. */
    void write(long branch, Transaction transaction, Log log) {
        for (Pending send : transaction.sends()) {
            if (send.message().persistent()) {
                SentId id = send.id();
                Fingerprint print = id == null ? new Fingerprint(0, 0) : id.of();
                adopt(log.add(
                        RecordType.PREPARED_SEND,
                        new PreparedSendRecord(
                                branch,
                                print.high(),
                                print.low(),
                                send.from().clientId(),
                                placeOf(send),
                                send.message())));
            }
        }
        for (StateChange change : transaction.state()) {
            adopt(log.add(RecordType.PREPARED_STATE, new PreparedStateRecord(branch, change)));
        }
        writeSettles(branch, transaction.settles(), log);
    }

    private static PreparedSendRecord.@Nullable Place placeOf(Pending send) {
        Pending.Place place = send.place();
        return place == null
                ? null
                : new PreparedSendRecord.Place(
                        place.page().id(), place.page().slots(), place.slot(), place.apartBytes());
    }

    private void writeSettles(long branch, List<Transaction.Settling> settles, Log log) {
        long[] entries = new long[2 * Math.min(ENTRIES_MAX, settles.size())];
        int count = 0;
        for (Transaction.Settling settling : settles) {
            Entry entry = settling.entry();
            if (!entry.recorded()) {
                continue;
            }
            if (settling.rejected()) {
                long[] one = {entry.queue().id(), entry.position()};
                write(new PreparedSettlesRecord(branch, true, settling.reason(), one), log);
                continue;
            }
            entries[count++] = entry.queue().id();
            entries[count++] = entry.position();
            if (count == 2 * ENTRIES_MAX) {
                write(new PreparedSettlesRecord(branch, false, null, entries.clone()), log);
                count = 0;
            }
        }
        if (count > 0) {
            write(new PreparedSettlesRecord(branch, false, null, Arrays.copyOf(entries, count)), log);
        }
    }

    private void write(PreparedSettlesRecord record, Log log) {
        adopt(log.add(RecordType.PREPARED_SETTLES, record));
    }

    /** Takes over a record that was written, or that recovery found. */
    void adopt(long record) {
        records.add(record);
    }

    /** Deletes all; in the unit that is open. */
    void erase(Log log) {
        records.forEach(log::delete);
        records.clear();
    }
}
