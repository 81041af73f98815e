package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.AttemptRecord;
import dev.turnstone.broker.store.PassedRecord;
import dev.turnstone.broker.store.StoredMessage;
import dev.turnstone.broker.store.Survivors.Kept;
import org.jspecify.annotations.Nullable;

/** Brings one queue back from what survived; the messages come last. Owned by the engine thread. */
public final class QueueRecovery {
    private final QueueState queue;
    private final QueueRecords records;
    private final QueueContext context;

    QueueRecovery(QueueState queue, QueueRecords records, QueueContext context) {
        this.queue = queue;
        this.records = records;
        this.context = context;
    }

    /**
     * A message that survived takes its place; messages come in the order of positions.
     *
     * @param nowMs the time: what is still delayed cannot have been seen, whatever the mark says
     */
    public void message(StoredMessage message, @Nullable Kept<AttemptRecord> attempt, long nowMs) {
        context.pager().recovery().before(queue, message.position());
        boolean marked =
                records.mark().covers(message.position()) && message.message().deliveryTimeMs() <= nowMs;
        Entry entry = new Entry(queue, message);
        int attempts = attempt == null ? 0 : attempt.record().attempts();
        entry.flagged = marked || attempt != null;
        entry.adopt(attempt);
        entry.attempts = Math.abs(attempts);
        queue.apply(new Change.Enqueued(entry));
        queue.returns().recovered(entry, attempts);
        if (entry.state != EntryState.GONE) {
            queue.values().found(entry);
        }
    }

    /** Before the messages: a prepared branch has settled what is here; the holder gets it with its load. */
    public void locked(long position, LockHolder holder) {
        queue.lockedElsewhere();
        queue.index().residency().lock(position, holder);
    }

    /** A dispatch mark that survived; before the messages. */
    public void mark(long position, long record, long nowMs) {
        records.mark().recovered(position, record, context.log());
        queue.index().residency().flaggedUpTo =
                Math.min(records.mark().position(), context.log().firstId() - 1);
        queue.index().residency().flaggedAtMs = nowMs;
    }

    /** It holds nothing up to this position, as a record says that survived; before its pages. */
    public void floor(long position, long record) {
        records.floor().recovered(position, record, context.log());
    }

    /** Up to where it holds nothing. */
    long floor() {
        return records.floor().position();
    }

    /** A settle that survived. */
    public void settled(long position, long record) {
        records.settles().adopt(position, record);
    }

    /** A folded record of settles that survived. */
    public void passed(PassedRecord passed, long record) {
        records.settles().adoptPassed(passed, record);
    }

    /** It is over: the next turn looks at the queue. */
    public void over() {
        queue.values().readAll();
        context.agenda().add(queue);
    }
}
