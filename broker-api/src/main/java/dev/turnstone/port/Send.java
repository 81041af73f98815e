package dev.turnstone.port;

/**
 * One message to be routed.
 *
 * @param message the message; its address says where to
 * @param transaction the number given to {@link Session#begin}, or {@link Session#NO_TRANSACTION}
 */
public record Send(Message message, long transaction) {
    /** A send outside of any transaction. */
    public static Send of(Message message) {
        return new Send(message, Session.NO_TRANSACTION);
    }
}
