package dev.turnstone.transport.vertx;

import dev.turnstone.port.SessionListener;

/**
 * Turns what a session receives into the protocol's bytes, collected until they are written together. On the event loop
 * only.
 */
public interface SessionOutput extends SessionListener {
    /** How many bytes are collected. */
    int size();

    /** Writes what is collected, in one write; nothing if there is nothing. */
    void write();
}
