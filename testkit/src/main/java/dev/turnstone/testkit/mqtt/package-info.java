/**
 * An MQTT client on a plain blocking socket, for tests that look at the broker from outside, packet by packet. Its
 * codec is Netty's, so that a fault in the broker's own is not hidden by the same fault here. A client belongs to the
 * thread that opened it.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.testkit.mqtt;
