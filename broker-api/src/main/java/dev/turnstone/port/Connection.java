package dev.turnstone.port;

import dev.turnstone.spi.Principal;
import java.util.concurrent.CompletionStage;

/** One authenticated peer. Any thread. */
public interface Connection {
    /** Unique in the broker's life; appears in logs. */
    String id();

    /**
     * Identifies the running broker: equal for all connections to one, and to no others; empty if the edge is not told.
     */
    default String broker() {
        return "";
    }

    /**
     * Who it acts for, as found when it was opened. Known within the broker's process only.
     *
     * @throws BrokerException UNSUPPORTED from a connection over a network
     */
    default Principal principal() {
        throw new BrokerException(ErrorCode.UNSUPPORTED, "only the broker's own edges are told who they act for");
    }

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
