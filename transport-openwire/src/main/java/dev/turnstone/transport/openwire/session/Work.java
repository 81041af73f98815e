package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client does in a transaction. What it acknowledges waits here for the commit, or the end of the work for a
 * branch: after a rollback the client still has the messages, and delivers them to its application again by itself. On
 * the event loop only.
 */
final class Work {
    /**
     * Deliveries that are acknowledged.
     *
     * @param consumer whose
     * @param held which
     * @param outcome what becomes of them if the transaction commits
     */
    record Acknowledged(OpenWireConsumer consumer, List<Held> held, Outcome outcome) {}

    private final long number;
    private final List<Acknowledged> acknowledged = new ArrayList<>();
    private @Nullable BrokerException failure;

    Work(long number) {
        this.number = number;
    }

    /** As the port knows it. */
    long number() {
        return number;
    }

    void enlist(Acknowledged some) {
        some.held().forEach(held -> held.enlist(this));
        acknowledged.add(some);
    }

    List<Acknowledged> acknowledged() {
        return acknowledged;
    }

    /** It can only roll back; the first reason counts. */
    void fail(BrokerException cause) {
        failure = failure == null ? cause : failure;
    }

    /** Why it can only roll back, or null. */
    @Nullable
    BrokerException failure() {
        return failure;
    }
}
