/**
 * Addresses and what stands behind them: queues, topics and their subscriptions; where a message goes; and how all of
 * it is rebuilt from the records that survived. Owned by the engine thread; calls queue, filter and store.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker.route;
