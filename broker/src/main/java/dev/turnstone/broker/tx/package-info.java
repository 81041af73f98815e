/**
 * Local transactions: what one has sent and settled so far, and its one-turn end. Owned by the engine thread; calls
 * route and queue.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.tx;
