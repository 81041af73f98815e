package dev.turnstone.port;

import java.util.List;

/**
 * One message to be routed.
 *
 * @param message the message; its address says where to
 * @param transaction the number given to {@link Session#begin}, or {@link Session#NO_TRANSACTION}
 * @param state changes of protocol state that take effect, and are durable, together with the message, also if no queue
 *     gets it
 */
public record Send(Message message, long transaction, List<StateChange> state) {
    /** Takes a copy of the list. */
    public Send {
        state = List.copyOf(state);
    }

    /** A send without protocol state. */
    public Send(Message message, long transaction) {
        this(message, transaction, List.of());
    }

    /** A send outside of any transaction. */
    public static Send of(Message message) {
        return new Send(message, Session.NO_TRANSACTION);
    }

    /** The same with these changes of protocol state. */
    public Send with(List<StateChange> changes) {
        return new Send(message, transaction, changes);
    }
}
