/**
 * MQTT 3.1.1 and 5 as bytes and packets: what a client sends is decoded and held against the specification, what a
 * server sends is encoded. Pure, knows nothing of the broker; every class belongs to one connection's event loop.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.transport.mqtt.codec;
