/**
 * STOMP frames on one side, the port on the other. Everything of one connection runs on its event loop; see
 * {@link dev.turnstone.transport.vertx.Wire}. {@link dev.turnstone.transport.stomp.session.StompConnection} opens and
 * ends it, {@code StompSession} turns frames into commands, {@code StompWriter} turns what comes back into frames.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.transport.stomp.session;
