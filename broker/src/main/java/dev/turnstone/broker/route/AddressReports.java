package dev.turnstone.broker.route;

import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.queue.Traffic;
import dev.turnstone.broker.report.AddressReport;
import dev.turnstone.port.Address;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says what can be said of addresses. Used by the engine thread. */
final class AddressReports {
    private static final int VISITS = 100;

    private AddressReports() {}

    /**
     * Of the first addresses, by address.
     *
     * @param most how many addresses; so many times {@value #VISITS} queues are looked at, since many subscriptions may
     *     be of one topic
     */
    static List<AddressReport> of(Iterable<QueueHome> homes, Iterable<QueueState> subscriptions, int most) {
        Map<Address, AddressReport> found = new LinkedHashMap<>();
        for (QueueHome home : homes) {
            if (found.size() >= most) {
                break;
            }
            found.put(home.address(), Traffic.of(home.queue()));
        }
        int left = most * VISITS;
        for (QueueState queue : subscriptions) {
            AddressReport report = Traffic.of(queue);
            if (left-- == 0) {
                break;
            } else if (found.size() < most || found.containsKey(report.address())) {
                found.merge(report.address(), report, AddressReport::plus);
            }
        }
        return List.copyOf(found.values());
    }
}
