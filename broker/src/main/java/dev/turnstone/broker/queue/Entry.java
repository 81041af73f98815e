package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.AttemptRecord;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.StoredMessage;
import dev.turnstone.broker.store.Survivors.Kept;
import dev.turnstone.port.Message;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One message in one queue. Stays in its place of the index until it leaves the queue. Owned by the engine thread. */
public final class Entry extends Place {
    private final StoredMessage stored;
    EntryState state = EntryState.READY;
    /** True if an application may have seen it. */
    boolean flagged;
    /** True if some cursor may keep it among what came back. */
    boolean cameBack;

    /** Where it waits for the consumer of its group; null if it stands in line. */
    @Nullable
    TreeSet<Entry> aside;
    /** Its group while it is with a consumer or aside; null if it has none. */
    @Nullable
    Group group;
    /** True if it is the first of its group with its consumer. */
    boolean groupFirst;
    /** What its queue knows of its key; null if it has none. */
    @Nullable
    LastValue value;

    int attempts;
    /** When it was confirmed, as {@link Waits} has it. */
    int confirmed = Waits.UNMEASURED;

    /** The record of attempts or of a dispatch past the mark; 0 for none. */
    long attemptRecord;
    /** When it may be delivered again after an attempt has failed; 0 if it need not wait for that. */
    long retryMs;
    /** What, beside the message's own cause, must be durable before anybody sees the entry as it is. */
    long causeLsn;

    Entry(QueueState queue, StoredMessage stored) {
        super(queue, stored.message().priority());
        this.stored = stored;
    }

    /** Takes over what recovery found of attempts. */
    void adopt(@Nullable Kept<AttemptRecord> attempt) {
        if (attempt != null) {
            attempts = attempt.record().attempts();
            attemptRecord = attempt.id();
            retryMs = attempt.record().retryMs();
        }
    }

    @Override
    public long position() {
        return stored.position();
    }

    @Override
    long lastPosition() {
        return stored.position();
    }

    @Override
    int count() {
        return 1;
    }

    @Override
    public long bytes() {
        return stored.bytes();
    }

    @Override
    long dueMs() {
        return Math.max(retryMs, stored.message().deliveryTimeMs());
    }

    @Override
    long expiryMs() {
        return stored.message().expiryMs();
    }

    /** When it has to be in memory to expire; 0 for never, as what will be handed out again in any case. */
    long expiryInPageMs() {
        return comesAgain(flagged) ? 0 : expiryMs();
    }

    /** What it takes in memory, with its message. */
    long residentBytes() {
        return stored.memoryBytes() + Memory.ENTRY_OVERHEAD;
    }

    /** The message, or its head without a body if it is not {@link #present}. */
    public Message message() {
        return stored.message();
    }

    /** True if all of its message is in memory; if not, it will be, and stay until somebody is given it. */
    public boolean present() {
        return stored.whole() || queue().returns().present(this);
    }

    /** Nobody who has asked for its body needs it any more: it may leave memory. */
    public void bodyMayGo() {
        wanted = false;
    }

    /** 1 + the attempts counted so far, and at least 2 when flagged. */
    public int deliveryCount() {
        return flagged ? Math.max(2, attempts + 1) : attempts + 1;
    }

    /** True if an application may have seen it. */
    public boolean flagged() {
        return flagged;
    }

    /** True if it is the first of its group that its consumer gets. */
    public boolean groupFirst() {
        return groupFirst;
    }

    /** True if its time is over; for what will be handed out again it never is. */
    boolean expired(long nowMs) {
        long expiryMs = stored.message().expiryMs();
        return expiryMs != 0 && expiryMs <= nowMs && !comesAgain(flagged);
    }

    /** True if it is handed out again in any case, once an application may have seen it (MQTT-4.4.0-1). */
    boolean comesAgain(boolean seen) {
        return seen && queue().index().inOrder();
    }

    /** True if it is to survive the broker. */
    public boolean recorded() {
        return queue().durable() && stored.recorded();
    }

    StoredMessage stored() {
        return stored;
    }

    /** True if the other comes first: higher priority, then lower position. */
    boolean comesAfter(Entry other) {
        return other.priority() > priority() || (other.priority() == priority() && other.position() < position());
    }

    @Override
    public String toString() {
        return "entry at " + position() + " of " + queue();
    }
}
