package dev.turnstone.port;

/**
 * One message on its way to one consumer, unsettled until a {@link Settle} names it.
 *
 * @param consumer the consumer's number in the session
 * @param number counts this consumer's deliveries from 1, in the order of delivery
 * @param position the message's place in its queue; the same in every queue that holds it, never reused
 * @param message the message as it was sent
 * @param deliveryCount 1 + the attempts counted so far, and at least 2 when redelivered (JMSXDeliveryCount)
 * @param redelivered true if an application may have seen it before (JMSRedelivered)
 */
public record Delivery(
        int consumer, long number, long position, Message message, int deliveryCount, boolean redelivered) {}
