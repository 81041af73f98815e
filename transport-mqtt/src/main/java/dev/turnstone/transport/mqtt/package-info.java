/** MQTT as a transport: the provider that the broker finds, and the listener's settings. See {@code docs/mqtt.md}. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.transport.mqtt;
