/** STOMP against a whole broker in this JVM: real sockets, the engine, and the journal on disk. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.itests.stomp;
