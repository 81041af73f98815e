/**
 * STOMP 1.0, 1.1 and 1.2 as bytes and frames, and nothing else: no sockets, no broker. A decoder or an encoder belongs
 * to one connection and is used by the thread that owns it; frames and headers are immutable values and may go
 * anywhere.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.transport.stomp.codec;
