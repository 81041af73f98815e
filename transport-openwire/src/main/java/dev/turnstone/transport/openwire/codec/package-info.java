/**
 * Bytes and OpenWire commands: frames cut out of a stream, and ActiveMQ's own marshallers behind a guard that lets in
 * only what a client may send. Pure; owned by whoever owns the connection.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.transport.openwire.codec;
