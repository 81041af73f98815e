package dev.turnstone.testkit.model;

import java.util.Collection;

/**
 * What a session has, for its end. The collections are live.
 *
 * @param producer the session
 * @param streams all consumers that it ever had
 * @param holdings what was delivered to it and is not settled for certain
 * @param units the transactions that are not over for certain
 */
public record SessionState(
        Producer producer, Collection<Stream> streams, Collection<Holding> holdings, Collection<Unit> units) {}
