/**
 * What all network protocols share: event loops, listeners, and the way between a socket and a port session with
 * back-pressure in both directions. Everything of one connection runs on that connection's event loop;
 * {@link dev.turnstone.transport.vertx.Wire#execute} is the one way there from another thread.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.transport.vertx;
