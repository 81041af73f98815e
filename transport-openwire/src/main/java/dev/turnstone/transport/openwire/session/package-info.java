/**
 * OpenWire commands on one side, the port on the other. Everything of one connection runs on its event loop; see
 * {@link dev.turnstone.transport.vertx.Wire}. {@link dev.turnstone.transport.openwire.session.OpenWireConnection} opens
 * and ends it, {@code Commands} turns what the client asks for into commands of the port, {@code Outgoing} turns what
 * comes back into commands for the client.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.transport.openwire.session;
