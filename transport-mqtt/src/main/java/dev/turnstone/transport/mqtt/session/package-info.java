/**
 * MQTT packets on one side, the port on the other. Everything of one connection runs on its event loop; see
 * {@link dev.turnstone.transport.vertx.Wire}. {@link dev.turnstone.transport.mqtt.session.MqttConnection} opens and
 * ends it, {@code MqttSession} turns packets into commands, {@code MqttWriter} turns what comes back into packets,
 * {@code Inbound} and {@code Outbound} keep the packet identifiers of either direction. All that must survive a
 * connection or the broker is protocol state of the port, in the form that {@code SessionKeys} gives it.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.transport.mqtt.session;
