package dev.turnstone.port;

import java.util.concurrent.CompletionStage;

/** One authenticated peer. Any thread. */
public interface Connection {
    /** Unique in the broker's life; appears in logs. */
    String id();

    /** The limits that an edge should refuse by itself, before it buffers. */
    PortLimits limits();

    /**
     * Opens a session at once. The wake-up is called on a broker thread when {@link Session#drain} has something or the
     * session is writable again; once, until a drain has found nothing more. It must return at once and never call the
     * session: it unparks the owner or posts to its event loop.
     *
     * @throws BrokerException CLOSED, or LIMIT_EXCEEDED ({@code connection.sessionsMax})
     */
    Session openSession(Runnable wakeup);

    /** Ends the connection and its sessions, as {@link Session#close} does. Idempotent; completes when it is done. */
    CompletionStage<Void> close();
}
