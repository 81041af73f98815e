package dev.turnstone.port;

import java.util.List;

/**
 * One message on its way to one consumer, unsettled until a {@link Settle} names it.
 *
 * @param consumer the consumer's number in the session
 * @param number counts this consumer's deliveries from 1, in the order of delivery
 * @param position the message's place in its queue; the same in every queue that holds it, never reused
 * @param message the message as it was sent
 * @param deliveryCount 1 + the attempts counted so far, and at least 2 when redelivered (JMSXDeliveryCount)
 * @param redelivered true if an application may have seen it before (JMSRedelivered)
 * @param filters from a {@link SubscriptionQueue}: the options of each of its filters that matched when the message
 *     came, in the order in which the filters were added, those that have ended last; of what was retained, those of
 *     the filter that asked for it; empty if they are not known any more, since too many filters have ended, and for
 *     other queues. A filter that leaves out the own messages of its client is among them also for such a message, if
 *     that came by another filter
 * @param groupFirst true for the first message of its group ({@link Message#group}) that this consumer gets since the
 *     group became its own (JMSXGroupFirstForConsumer)
 */
public record Delivery(
        int consumer,
        long number,
        long position,
        Message message,
        int deliveryCount,
        boolean redelivered,
        List<Long> filters,
        boolean groupFirst) {
    /** A delivery of a queue without filters. */
    public Delivery(int consumer, long number, long position, Message message, int deliveryCount, boolean redelivered) {
        this(consumer, number, position, message, deliveryCount, redelivered, List.of(), false);
    }
}
