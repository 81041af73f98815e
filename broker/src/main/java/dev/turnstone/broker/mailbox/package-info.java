/**
 * The only place where threads meet: what sessions post to the engine, what the journal tells it, and what it hands
 * back. Nothing here decides anything. Each class says which method belongs to which thread.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.mailbox;
