package dev.turnstone.jms;

/** How far a connection is. */
enum ConnectionPhase {
    /** Open; its sessions hand nothing over. */
    STOPPED,
    /** Open; listeners that still run have the connection to themselves, and no others are called. */
    STOPPING,
    /** Open; its sessions hand over. */
    STARTED,
    /** Listeners that still run have the connection to themselves. */
    CLOSING,
    /** Refuses what is asked of it; the broker is being told. */
    CLOSED,
    /** What close waits for has come. */
    GONE;

    boolean open() {
        return compareTo(CLOSING) < 0;
    }

    boolean usable() {
        return open() || this == CLOSING;
    }
}
