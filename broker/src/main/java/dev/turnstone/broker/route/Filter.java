package dev.turnstone.broker.route;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.port.Address;
import dev.turnstone.port.Message;
import java.util.List;
import java.util.Objects;
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
    /** Where the first and the last of what was retained is in the queue for its sake; 0 for nowhere. */
    private long firstCopy;

    private long lastCopy;

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

    /** Where it ends; {@link Long#MAX_VALUE} while nothing says so. */
    long until() {
        return until;
    }

    /** True if another would be the same. */
    boolean isAs(@Nullable Selector otherSelector, boolean otherNoLocal, long otherOptions) {
        String mine = selector == null ? null : selector.text();
        String theirs = otherSelector == null ? null : otherSelector.text();
        return Objects.equals(mine, theirs) && noLocal() == otherNoLocal && options.get(0) == otherOptions;
    }

    /** What was retained is at these positions for its sake, and nothing for another's in between. */
    void copied(long first, long last) {
        firstCopy = first;
        lastCopy = last;
    }

    /** What was retained is at this position for its sake. */
    void copied(long position) {
        copied(firstCopy == 0 ? position : firstCopy, position);
    }

    long firstCopy() {
        return firstCopy;
    }

    long lastCopy() {
        return lastCopy;
    }

    /** True if what is at this position, and was retained, is there for its sake. */
    boolean hasCopy(long position) {
        return position >= firstCopy && position <= lastCopy;
    }

    /** The one value, in a list for whoever needs no other. */
    List<Long> options() {
        return options;
    }

    /** It is removed: no message at this position or later is of it. */
    void end(long position) {
        until = position;
    }

    /** True if it takes nothing that comes from there. */
    boolean leavesOut(Origin from) {
        return notFrom != null && notFrom.sends(from);
    }

    /** True if it takes the message, which was sent to one of its topics. */
    boolean takes(Message message, Origin from) {
        return !leavesOut(from) && (selector == null || selector.matches(message)) && subscriber.hasRoomFor(message);
    }

    /** True if the message at this position, which was sent to one of its topics, may be one that it took. */
    boolean took(Message message, long position) {
        return position > since
                && position < until
                && !(noLocal() && message.own())
                && (selector == null || selector.matches(message));
    }

    @Override
    public String toString() {
        return subscriber + " of " + topic;
    }
}
