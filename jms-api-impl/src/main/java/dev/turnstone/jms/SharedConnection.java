package dev.turnstone.jms;

import jakarta.jms.JMSException;

/** The connection of one or more contexts, closed with the last of them. Any thread. */
final class SharedConnection {
    private final ClientConnection connection;
    private int contexts = 1;

    /** For the first context. */
    SharedConnection(ClientConnection connection) {
        this.connection = connection;
    }

    ClientConnection connection() {
        return connection;
    }

    /** One context more. */
    synchronized SharedConnection join() {
        contexts++;
        return this;
    }

    /** One context less. */
    synchronized void leave() {
        contexts--;
    }

    /** Closes it if no context has it any more; returns when it is closed then, whoever does it. */
    void closeIfUnused() throws JMSException {
        boolean unused;
        synchronized (this) {
            unused = contexts == 0;
        }
        if (unused) {
            connection.close();
        }
    }
}
