/**
 * What the engine keeps and how it is written: messages and their holders, the records of a turn, identifiers, and one
 * class per record type with its format. Owned by the engine thread; calls the journal and nothing else.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.store;
