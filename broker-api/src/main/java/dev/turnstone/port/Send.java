package dev.turnstone.port;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One message to be routed.
 *
 * @param message the message; its address says where to
 * @param transaction the number given to {@link Session#begin}, or {@link Session#NO_TRANSACTION}
 * @param dedup by which a second copy is recognised, or null
 * @param state changes of protocol state that take effect, and are durable, together with the message, also if no queue
 *     gets it or it is a second copy
 * @param relaxed true if it is enough for its confirmation that a persistent message is written, so that it outlives
 *     the broker's process; it is on the disk, and outlives the machine, {@code journal.relaxedSyncMs} later, or when
 *     somebody waits for it, such as its consumer. Holds for sends outside of transactions and without protocol state
 * @param body under which number the session has the body of a message that says that it is stored apart
 *     ({@link StoredBodies}), complete; 0 for none
 */
public record Send(
        Message message,
        long transaction,
        @Nullable DedupId dedup,
        List<StateChange> state,
        boolean relaxed,
        long body) {
    /** Takes a copy of the list. */
    public Send {
        state = List.copyOf(state);
    }

    /** A send whose confirmation waits for the disk. */
    public Send(Message message, long transaction, @Nullable DedupId dedup, List<StateChange> state) {
        this(message, transaction, dedup, state, false, 0);
    }

    /** A send that carries a message and nothing else. */
    public Send(Message message, long transaction) {
        this(message, transaction, null, List.of());
    }

    /** A send outside of any transaction. */
    public static Send of(Message message) {
        return new Send(message, Session.NO_TRANSACTION);
    }

    /** The same in the transaction of this number, or, with {@link Session#NO_TRANSACTION}, alone. */
    public Send in(long number) {
        return new Send(message, number, dedup, state, relaxed, body);
    }

    /** The same with these changes of protocol state. */
    public Send with(List<StateChange> changes) {
        return new Send(message, transaction, dedup, changes, relaxed, body);
    }

    /** The same with an identity, or without one. */
    public Send with(@Nullable DedupId id) {
        return new Send(message, transaction, id, state, relaxed, body);
    }

    /** The same, whose confirmation need not wait for the disk, or must. */
    public Send relaxed(boolean asked) {
        return new Send(message, transaction, dedup, state, asked, body);
    }

    /** The same, whose message has the body that the session has under this number. */
    public Send withBody(long number) {
        return new Send(message, transaction, dedup, state, relaxed, number);
    }
}
