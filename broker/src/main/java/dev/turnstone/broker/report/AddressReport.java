package dev.turnstone.broker.report;

import dev.turnstone.port.Address;

/**
 * One address at one time: a queue, or the queues of a topic's subscriptions together. Immutable.
 *
 * @param address which
 * @param depth messages that wait or are with consumers
 * @param oldestMs when the one that has been here longest was sent, in milliseconds since the epoch by its sender's
 *     clock; 0 if there is none, or until a page file that was there at the broker's start has been read for it, which
 *     a report asks for
 * @param flow what has passed since the queue is there
 */
public record AddressReport(Address address, long depth, long oldestMs, FlowReport flow) {
    /** Both together. */
    public AddressReport plus(AddressReport other) {
        long oldest =
                oldestMs == 0 ? other.oldestMs : other.oldestMs == 0 ? oldestMs : Math.min(oldestMs, other.oldestMs);
        return new AddressReport(address, depth + other.depth, oldest, flow.plus(other.flow));
    }
}
