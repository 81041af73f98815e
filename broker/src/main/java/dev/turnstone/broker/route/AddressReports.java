package dev.turnstone.broker.route;

import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.queue.Traffic;
import dev.turnstone.broker.report.AddressReport;
import dev.turnstone.port.Address;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Says what can be said of addresses. Used by the engine thread. */
final class AddressReports {
    private static final int VISITS = 100;
    /** For so many queues, at most, a report has a page read, so that a later one knows their oldest message's age. */
    private static final int PAGES = 16;

    private AddressReports() {}

    /**
     * Of the first addresses, by address.
     *
     * @param most how many addresses; so many times {@value #VISITS} queues are looked at, since many subscriptions may
     *     be of one topic, and many addresses not be shown
     * @param shown of which addresses
     */
    static List<AddressReport> of(
            Iterable<QueueHome> homes, Iterable<QueueState> subscriptions, int most, Predicate<Address> shown) {
        Map<Address, AddressReport> found = new LinkedHashMap<>();
        int pages = 0;
        int visits = most * VISITS;
        for (QueueHome home : homes) {
            if (found.size() >= most || visits-- == 0) {
                break;
            }
            if (!shown.test(home.address())) {
                continue;
            }
            found.put(home.address(), Traffic.of(home.queue()));
            pages += pages < PAGES && Traffic.askOldest(home.queue()) ? 1 : 0;
        }
        int left = most * VISITS;
        for (QueueState queue : subscriptions) {
            AddressReport report = Traffic.of(queue);
            if (left-- == 0) {
                break;
            } else if (found.containsKey(report.address()) || found.size() < most && shown.test(report.address())) {
                found.merge(report.address(), report, AddressReport::plus);
                pages += pages < PAGES && Traffic.askOldest(queue) ? 1 : 0;
            }
        }
        return List.copyOf(found.values());
    }
}
