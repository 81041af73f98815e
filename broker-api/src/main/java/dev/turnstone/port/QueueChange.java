package dev.turnstone.port;

/** What can be done with a {@link SubscriptionQueue}. It is deleted as a whole as any subscription is. */
public sealed interface QueueChange {
    /** The queue that it is about. */
    SubscriptionName name();

    /**
     * Makes it. Refused with SUBSCRIPTION_IN_USE if the name is taken.
     *
     * @param queue what it will be
     */
    record Declare(SubscriptionQueue queue) implements QueueChange {
        @Override
        public SubscriptionName name() {
            return queue.name();
        }
    }

    /**
     * Changes its times and limits. Refused with NO_SUCH_SUBSCRIPTION if it does not exist, with SUBSCRIPTION_IN_USE if
     * it is durable and should not be, or the other way round.
     *
     * @param queue what it will be
     */
    record Revise(SubscriptionQueue queue) implements QueueChange {
        @Override
        public SubscriptionName name() {
            return queue.name();
        }
    }

    /**
     * Adds a filter, in place of one for the same topic or pattern; no message in between is lost or comes twice.
     *
     * @param filter the filter
     */
    record AddFilter(SubscriptionName name, SubscriptionFilter filter) implements QueueChange {}

    /**
     * Removes a filter; messages that are in the queue stay. Refused with NO_SUCH_SUBSCRIPTION if there is none.
     *
     * @param topic the topic, or pattern, of the filter
     */
    record RemoveFilter(SubscriptionName name, Address topic) implements QueueChange {}
}
