package dev.turnstone.transport.vertx;

/** Makes the protocol's side of each new connection. Called on event loops. */
@FunctionalInterface
public interface Protocol {
    /** Takes charge of a connection whose peer has said nothing yet. */
    WireHandler accept(Wire wire);
}
