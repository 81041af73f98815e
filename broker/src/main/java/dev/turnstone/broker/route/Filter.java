package dev.turnstone.broker.route;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.port.Address;
import dev.turnstone.port.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a subscriber takes: from one topic, or from those of a pattern, what its selector matches. Owned by the engine
 * thread.
 */
final class Filter {
    private final Subscriber subscriber;
    private final Address topic;
    private final @Nullable Selector selector;
    private final @Nullable Origin notFrom;
    private final long since;
    private final List<Long> options;
    private long until = Long.MAX_VALUE;

    /**
     * One of a subscription.
     *
     * @param topic a topic, or a pattern of topics
     * @param selector what it takes, or null for everything
     * @param notFrom whose messages it leaves out, or null
     */
    Filter(Subscriber subscriber, Address topic, @Nullable Selector selector, @Nullable Origin notFrom) {
        this(subscriber, topic, selector, notFrom, 0, 0);
    }

    /**
     * One of many.
     *
     * @param since no message that it has put into the queue is at or before this position
     * @param options the edge's
     */
    Filter(
            Subscriber subscriber,
            Address topic,
            @Nullable Selector selector,
            @Nullable Origin notFrom,
            long since,
            long options) {
        this.subscriber = subscriber;
        this.topic = topic;
        this.selector = selector;
        this.notFrom = notFrom;
        this.since = since;
        this.options = List.of(options);
    }

    Subscriber subscriber() {
        return subscriber;
    }

    Address topic() {
        return topic;
    }

    @Nullable
    Selector selector() {
        return selector;
    }

    boolean noLocal() {
        return notFrom != null;
    }

    long since() {
        return since;
    }

    /** The one value, in a list for whoever needs no other. */
    List<Long> options() {
        return options;
    }

    /** It is removed: no message at this position or later is of it. */
    void end(long position) {
        until = position;
    }

    /** True if it takes the message, which was sent to one of its topics. */
    boolean takes(Message message, Origin from) {
        return (notFrom == null || !notFrom.sends(from))
                && (selector == null || selector.matches(message))
                && subscriber.hasRoomFor(message);
    }

    /** True if the message at this position, which was sent to one of its topics, may be one that it took. */
    boolean took(Message message, long position) {
        return position > since && position < until && (selector == null || selector.matches(message));
    }

    @Override
    public String toString() {
        return subscriber + " of " + topic;
    }
}
