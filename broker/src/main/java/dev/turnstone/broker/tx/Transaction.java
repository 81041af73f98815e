package dev.turnstone.broker.tx;

import dev.turnstone.broker.dedup.Fingerprint;
import dev.turnstone.broker.dedup.SentId;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.queue.Entry;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.store.Invariant;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.StateChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that is open: its sends wait here, its settled entries are locked, and nothing of it is recorded before
 * the commit. Owned by the engine thread.
 */
public final class Transaction {
    /** What a change of protocol state takes beside its value: the object and its texts. */
    private static final int STATE_OVERHEAD_BYTES = 160;

    private final long bytesMax;
    private final int sendsMax;
    private final Memory memory;
    private final List<Pending> sends = new ArrayList<>();
    private final List<Entry> locked = new ArrayList<>();
    private final Map<Entry, @Nullable String> rejected = new LinkedHashMap<>();
    private final List<StateChange> state = new ArrayList<>(0);
    /** The identities of its sends; for a producer its highest number. */
    private final Map<Fingerprint, Long> ids = new HashMap<>(0);

    private long bytes;
    private boolean droppedCopies;
    private @Nullable BrokerException refusal;

    /** A message that waits, and its identity if it has one. */
    record Pending(Message message, Origin from, @Nullable SentId id) {}

    /** An empty one. */
    public Transaction(Limits limits, Memory memory) {
        this.memory = memory;
        this.bytesMax = limits.of(Limit.TX_BYTES_MAX);
        this.sendsMax = limits.intOf(Limit.TX_SENDS_MAX);
    }

    /**
     * Keeps a message, and changes of protocol state, until the commit. Of a second copy only the changes are kept.
     *
     * @throws BrokerException TRANSACTION_TOO_LARGE
     */
    public void send(Message message, @Nullable SentId id, Origin from, List<StateChange> changes) {
        if (id != null && repeats(id)) {
            droppedCopies = true;
            change(changes);
            return;
        }
        if (sends.size() >= sendsMax) {
            throw tooLarge();
        }
        take(message.encodedBytes() + stateBytes(changes));
        sends.add(new Pending(message, from, id));
        state.addAll(changes);
        if (id != null) {
            ids.put(id.of(), id.sequence());
        }
    }

    private boolean repeats(SentId id) {
        Long known = ids.get(id.of());
        return known != null && id.sequence() <= known;
    }

    /**
     * Keeps changes of protocol state until the commit.
     *
     * @throws BrokerException TRANSACTION_TOO_LARGE
     */
    public void change(List<StateChange> changes) {
        take(stateBytes(changes));
        state.addAll(changes);
    }

    private static long stateBytes(List<StateChange> changes) {
        return STATE_OVERHEAD_BYTES * (long) changes.size() + StateChange.valueBytes(changes);
    }

    private void take(long more) {
        if (bytes + more > bytesMax) {
            throw tooLarge();
        }
        bytes += more;
        memory.add(more);
    }

    /** Locks a delivered entry until the end. */
    public void lock(Entry entry) {
        entry.queue().lock(entry);
        locked.add(entry);
    }

    /** Locks a delivered entry that will be rejected. */
    public void lockRejected(Entry entry, @Nullable String reason) {
        entry.queue().lock(entry);
        rejected.put(entry, reason);
    }

    /** One of its commands was refused: it can no longer commit, since that would do half of what was asked for. */
    public void refused(BrokerException cause) {
        if (refusal == null) {
            refusal = cause;
        }
    }

    /** Why it cannot commit, or null. */
    public @Nullable BrokerException refusal() {
        return refusal;
    }

    /**
     * Ends it: all settles and sends take effect now. The unit is the caller's.
     *
     * @return true if a send was a second copy, whose first may not be durable yet
     */
    public boolean commit(Effects effects) {
        Invariant.check(refusal == null, "a transaction that was refused something does not commit");
        memory.remove(bytes);
        for (Entry entry : locked) {
            entry.queue().settle(entry);
        }
        rejected.forEach((entry, reason) -> entry.queue().returns().reject(entry, reason));
        boolean copies = droppedCopies;
        for (Pending send : sends) {
            copies |= effects.send(send.message(), send.id(), send.from()) == Effects.SECOND_COPY;
        }
        effects.state().apply(state);
        return copies;
    }

    /**
     * Ends it: its sends are forgotten, its entries return to their places, flagged.
     *
     * @param counted true if that counts as an attempt
     */
    public void rollback(boolean counted) {
        memory.remove(bytes);
        for (Entry entry : locked) {
            entry.queue().giveBack(entry, true, counted);
        }
        for (Entry entry : rejected.keySet()) {
            entry.queue().giveBack(entry, true, counted);
        }
    }

    private BrokerException tooLarge() {
        return new BrokerException(
                ErrorCode.TRANSACTION_TOO_LARGE,
                "the transaction is larger than " + Limit.TX_BYTES_MAX.setting() + "=" + bytesMax + " bytes or "
                        + Limit.TX_SENDS_MAX.setting() + "=" + sendsMax + " messages and must be rolled back");
    }
}
