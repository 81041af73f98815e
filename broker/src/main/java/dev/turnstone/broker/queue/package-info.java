/**
 * One queue as a state machine without threads, clocks or I/O. A command is decided into a
 * {@link dev.turnstone.broker.queue.Change}, which is recorded and then applied; {@code apply} is the only place where
 * a queue's state changes, live and in recovery. Split by concern: the index keeps entries in order, cursors find what
 * is ready, dispatch chooses who gets it, the mark and the attempts remember what may have been seen. Owned by the
 * engine thread; calls the store and the filter.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.queue;
