/** STOMP as a transport: the provider that the broker finds, and the listener's settings. See {@code docs/stomp.md}. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.transport.stomp;
