package dev.turnstone.transport.vertx;

import dev.turnstone.port.SessionListener;

/**
 * Turns what a session receives into the protocol's bytes, collected until they are written together. On the event loop
 * only.
 */
public interface SessionOutput extends SessionListener {
    /** How many bytes are collected. */
    int size();

    /** False while nothing more of the peer is wanted: it is not read. */
    default boolean wantsMore() {
        return true;
    }

    /** True if a body that is too large is rejected also if it comes again, since it never is a dead letter's. */
    default boolean rejectsAgain() {
        return false;
    }

    /** Writes what is collected, in one write; nothing if there is nothing. */
    void write();
}
