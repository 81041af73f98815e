package dev.turnstone.broker.tx;

import dev.turnstone.broker.dedup.Duplicates;
import dev.turnstone.broker.dedup.Fingerprint;
import dev.turnstone.broker.dedup.SentId;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.queue.Entry;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.route.Addresses;
import dev.turnstone.broker.route.Admission;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.store.Invariant;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.StateChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that is open, a session's own or a branch's: its sends wait here, its settled entries are locked, and
 * nothing of it is recorded before the commit, or the branch's prepare. Owned by the engine thread.
 */
public final class Transaction {
    /** What a change of protocol state takes beside its value: the object and its texts. */
    private static final int STATE_OVERHEAD_BYTES = 160;

    private final boolean ofBranch;
    private final Limits limits;
    private final MessageStore store;
    private final Sends sends;
    private final List<Settling> settles = new ArrayList<>();
    private final List<StateChange> state = new ArrayList<>(0);
    /** The identities of its sends; for a producer its highest number. */
    private final Map<Fingerprint, Long> ids = new HashMap<>(0);

    private long bytes;
    /** Entries that recovery waits for. */
    private int expected;

    private int droppedCopies;
    private boolean undone;
    private @Nullable BrokerException refusal;
    /** What a commit that was asked for needs; null before. */
    private @Nullable Demand demand;

    /** An entry that is locked, and whether it will be rejected, and why. */
    record Settling(Entry entry, boolean rejected, @Nullable String reason) {}

    /** An empty one. */
    public Transaction(Limits limits, Addresses addresses, boolean ofBranch) {
        this.store = addresses.store();
        this.sends = new Sends(addresses, limits);
        this.ofBranch = ofBranch;
        this.limits = limits;
    }

    /** True if a branch of a global transaction holds it, false if it is a session's own. */
    public boolean ofBranch() {
        return ofBranch;
    }

    /**
     * What a message's identity is in it: a producer's numbers do not count in a branch, since its messages may become
     * effective in another order.
     */
    public @Nullable SentId counting(@Nullable SentId id) {
        return id != null && ofBranch && id.isSequence() ? null : id;
    }

    /**
     * A message was sent before: only the changes are kept, and that is so though its identity be forgotten before the
     * commit.
     *
     * @throws BrokerException TRANSACTION_TOO_LARGE, or why it was undone already
     */
    public void sendAgain(List<StateChange> changes) {
        droppedCopies++;
        change(changes);
    }

    /**
     * Keeps a message, and changes of protocol state, until the commit. Of a second copy only the changes are kept.
     *
     * @throws BrokerException TRANSACTION_TOO_LARGE, or why it was undone already
     */
    public void send(Message message, @Nullable SentId id, Origin from, List<StateChange> changes) {
        SentId counting = counting(id);
        if (counting != null && repeats(counting)) {
            sendAgain(changes);
            return;
        }
        if (sends.all().size() >= limits.intOf(Limit.TX_SENDS_MAX)) {
            throw tooLarge();
        }
        take(message.encodedBytes() + stateBytes(changes));
        adopt(new Pending(message, from, counting, null));
        state.addAll(changes);
    }

    /** Somebody is asked for each message of a transaction. */
    @FunctionalInterface
    public interface SendHearer {
        /**
         * One message.
         *
         * @param message the message, or its head
         * @param from who sent it
         * @param bound false if it is in a page already, and follows no bindings
         */
        void send(Message message, Origin from, boolean bound);
    }

    /** Tells of each message that it would send, in order. */
    public void eachSend(SendHearer hearer) {
        for (Pending send : sends.all()) {
            hearer.send(send.message(), send.from(), send.place() == null);
        }
    }

    /** Its next message was checked under that revision of permissions and bindings; the first one counts. */
    public void checkedAt(long revision) {
        sends.checkedAt(revision);
    }

    /** True if it has messages that were checked under another revision. */
    public boolean checkedBefore(long revision) {
        return sends.checkedBefore(revision);
    }

    private void adopt(Pending send) {
        store.bodies().hold(send.message());
        SentId id = send.id();
        if (id != null) {
            ids.put(id.of(), id.sequence());
        }
        sends.add(send);
    }

    /**
     * True if a command of it has to wait until the disk has more of its messages; before its end it may have more of
     * them go there.
     */
    public boolean mustWait(boolean forItsEnd) {
        if (forItsEnd && refusal == null) {
            sends.moveIfTooManyTake();
        }
        return !undone && (forItsEnd ? sends.isMoving() : sends.isBehind());
    }

    private boolean repeats(SentId id) {
        Long known = ids.get(id.of());
        return known != null && id.sequence() <= known;
    }

    /**
     * Keeps changes of protocol state until the commit.
     *
     * @throws BrokerException TRANSACTION_TOO_LARGE, or why it was undone already
     */
    public void change(List<StateChange> changes) {
        take(stateBytes(changes));
        state.addAll(changes);
    }

    private static long stateBytes(List<StateChange> changes) {
        return STATE_OVERHEAD_BYTES * (long) changes.size() + StateChange.valueBytes(changes);
    }

    private void take(long more) {
        mustBeThere();
        if (bytes + more > limits.of(Limit.TX_BYTES_MAX)) {
            throw tooLarge();
        }
        bytes += more;
        store.memory().add(more);
    }

    /**
     * Refuses if it was undone.
     *
     * @throws BrokerException why it was
     */
    public void mustBeThere() {
        if (undone && refusal != null) {
            throw refusal;
        }
    }

    /**
     * Refuses what would lock more entries than it may.
     *
     * @param more how many entries it is asked to lock, or more than there may be
     * @throws BrokerException TRANSACTION_TOO_LARGE, or why it was undone already
     */
    public void checkSettles(long more) {
        mustBeThere();
        if (!maySettle(more)) {
            throw new BrokerException(
                    ErrorCode.TRANSACTION_TOO_LARGE,
                    "the transaction settles more than " + Limit.TX_SETTLES_MAX.setting() + "="
                            + limits.intOf(Limit.TX_SETTLES_MAX) + " deliveries and must be rolled back");
        }
    }

    /** True if it may lock so many entries more. */
    public boolean maySettle(long more) {
        return settles.size() + more <= limits.intOf(Limit.TX_SETTLES_MAX);
    }

    /** Locks a delivered entry until the end. */
    public void lock(Entry entry) {
        entry.queue().lock(entry);
        settles.add(new Settling(entry, false, null));
    }

    /** Locks a delivered entry that will be rejected. */
    public void lockRejected(Entry entry, @Nullable String reason) {
        entry.queue().lock(entry);
        settles.add(new Settling(entry, true, reason));
    }

    /** Recovery: a message that a prepared branch will send. */
    void recover(Pending send) {
        bytes += send.message().encodedBytes();
        store.memory().add(send.message().encodedBytes());
        store.bodies().hold(send.message());
        SentId id = send.id();
        if (id != null) {
            ids.put(id.of(), id.sequence());
        }
        sends.recover(send);
    }

    /** Recovery: a change of protocol state that a prepared branch will make. */
    void recover(StateChange change) {
        long more = stateBytes(List.of(change));
        bytes += more;
        store.memory().add(more);
        state.add(change);
    }

    /** Recovery: an entry that is settled in it is not in memory yet; {@link #adoptLocked} follows. */
    void expectLocked() {
        expected++;
    }

    /** Recovery: an entry that is settled in it is in memory. */
    void adoptLocked(Settling settling) {
        expected--;
        settles.add(settling);
    }

    /** False while entries that are settled in it are not in memory: it cannot end yet. */
    boolean complete() {
        return expected == 0;
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

    private Demand demand(Admission admission, Duplicates sent) {
        Demand known = demand;
        if (known == null) {
            known = new Demand(this, admission, sent);
            demand = known;
        }
        return known;
    }

    /** A queue that its commit has to wait for, since it is full; null if there is none. */
    public @Nullable QueueState mustWaitFor(Admission admission, Duplicates sent) {
        return admission.limits() && refusal == null ? demand(admission, sent).mustWaitFor() : null;
    }

    /** Why its commit is refused, since a queue would hold too much; null if it is not. */
    public @Nullable BrokerException lacksRoom(Admission admission, Duplicates sent) {
        return admission.limits() ? demand(admission, sent).refusal() : null;
    }

    /** What its messages will take in the journal, in bytes. */
    long recordBytes() {
        return sends.recordBytes();
    }

    boolean isEmpty() {
        return sends.all().isEmpty() && settles.isEmpty() && state.isEmpty();
    }

    List<Pending> sends() {
        return sends.all();
    }

    List<StateChange> state() {
        return state;
    }

    List<Settling> settles() {
        return settles;
    }

    /** The identities of its sends. */
    Set<Fingerprint> ids() {
        return ids.keySet();
    }

    /**
     * Ends it: all settles and sends take effect now. The unit is the caller's.
     *
     * @return true if a send was a second copy, whose first may not be durable yet
     */
    public boolean commit(Effects effects) {
        Invariant.check(refusal == null, "a transaction that was refused something does not commit");
        store.memory().remove(bytes - sends.movedBytes());
        for (Settling settling : settles) {
            if (!settling.rejected()) {
                settling.entry().queue().settle(settling.entry());
            }
        }
        for (Settling settling : settles) {
            if (settling.rejected()) {
                settling.entry().queue().returns().reject(settling.entry(), settling.reason());
            }
        }
        effects.dropped(droppedCopies);
        boolean copies = sends.send(effects, demand) || droppedCopies > 0;
        effects.state().apply(state);
        return copies;
    }

    /**
     * Undoes it before its time: whoever commits it hears why.
     *
     * @param cause why
     */
    public void undo(BrokerException cause) {
        refused(cause);
        rollback(false);
    }

    /**
     * Ends it: its sends are forgotten, its entries return to their places, flagged. Nothing happens if it was undone.
     *
     * @param counted true if that counts as an attempt
     */
    public void rollback(boolean counted) {
        if (undone) {
            return;
        }
        undone = true;
        store.memory().remove(bytes - sends.movedBytes());
        for (Settling settling : settles) {
            settling.entry().queue().giveBack(settling.entry(), true, counted);
        }
        sends.drop();
        settles.clear();
        state.clear();
        ids.clear();
    }

    private BrokerException tooLarge() {
        return new BrokerException(
                ErrorCode.TRANSACTION_TOO_LARGE,
                "the transaction is larger than " + Limit.TX_BYTES_MAX.setting() + "=" + limits.of(Limit.TX_BYTES_MAX)
                        + " bytes or " + Limit.TX_SENDS_MAX.setting() + "=" + limits.intOf(Limit.TX_SENDS_MAX)
                        + " messages and must be rolled back");
    }
}
