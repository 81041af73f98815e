/** OpenWire, the protocol of ActiveMQ's clients, on listeners. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.transport.openwire;
