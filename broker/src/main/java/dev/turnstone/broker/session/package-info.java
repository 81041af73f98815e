/**
 * Sessions, on both sides. At the edge, on its owner's thread, a session collects commands and posts them together, and
 * takes events back. In the engine, a session's state executes the commands in order and keeps what leaves in that
 * order until its cause is durable. Calls mailbox, route, queue, tx and store.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.session;
