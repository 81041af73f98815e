/**
 * A STOMP client on a plain blocking socket, for tests that look at the broker from outside. It reads and writes frames
 * by itself, so that a fault in the broker's codec is not hidden by the same fault here. A client belongs to the thread
 * that opened it.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.testkit.stomp;
