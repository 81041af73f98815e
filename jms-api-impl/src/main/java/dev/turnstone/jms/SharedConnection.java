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

    void leave() throws JMSException {
        boolean last;
        synchronized (this) {
            last = --contexts == 0;
        }
        if (last) {
            connection.close();
        }
    }
}
