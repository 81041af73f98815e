package dev.turnstone.broker.report;

import java.util.List;

/**
 * A broker at one time. Immutable.
 *
 * @param room what is used of what makes senders wait, or refuses
 * @param addresses queues, topics' routes and subscriptions that exist
 * @param stalls how often a session was told to wait before it posts more
 * @param secondCopies messages that were confirmed and not stored, since one with their identity was there before
 * @param pageFiles page files that exist
 * @param identitiesEvicted identities of messages that were forgotten before their time
 * @param flow what has passed through all queues since the broker started
 * @param details the first addresses that were found, at most as many as were asked for
 */
public record BrokerReport(
        RoomReport room,
        int addresses,
        long stalls,
        long secondCopies,
        int pageFiles,
        long identitiesEvicted,
        FlowReport flow,
        List<AddressReport> details) {
    /** Keeps a copy. */
    public BrokerReport {
        details = List.copyOf(details);
    }
}
