/**
 * The journal SPI: batches of records go in, a log sequence number (LSN) comes out, and a listener hears how far the
 * disk has followed. {@link dev.turnstone.journal.Journal} says who may call what from which thread.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.journal;
