package dev.turnstone.port;

/** Hears when the broker ends a connection. */
@FunctionalInterface
public interface ConnectionListener {
    /**
     * The broker has ended the connection (it stops, its journal failed, an operator or a rule ended it): called once,
     * on a broker thread; returns at once. No session of it will complete anything more, so every outcome that is open
     * is unknown.
     */
    void closed(BrokerException cause);
}
