/**
 * The engine: {@link dev.turnstone.broker.Engine} is passive logic that some thread, or a simulator, drives turn by
 * turn. Data flows through its packages as session, route, queue, store, with tx and filter beside them; threads meet
 * in mailbox only. How to start one that lives is in {@code embedded}.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.broker;
