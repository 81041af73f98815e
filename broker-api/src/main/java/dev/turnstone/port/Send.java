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
 */
public record Send(
        Message message, long transaction, @Nullable DedupId dedup, List<StateChange> state) {
    /** Takes a copy of the list. */
    public Send {
        state = List.copyOf(state);
    }

    /** A send that carries a message and nothing else. */
    public Send(Message message, long transaction) {
        this(message, transaction, null, List.of());
    }

    /** A send outside of any transaction. */
    public static Send of(Message message) {
        return new Send(message, Session.NO_TRANSACTION);
    }

    /** The same with these changes of protocol state. */
    public Send with(List<StateChange> changes) {
        return new Send(message, transaction, dedup, changes);
    }

    /** The same with an identity, or without one. */
    public Send with(@Nullable DedupId id) {
        return new Send(message, transaction, id, state);
    }
}
