package dev.turnstone.transport.mqtt.session;

import dev.turnstone.transport.mqtt.codec.Packet;
import java.util.ArrayList;
import java.util.List;

/**
 * What a topic filter says about deliveries, as the number that the broker keeps with it: QoS in two bits, whether the
 * retain flag stays as published in one, and the subscription identifier, or 0, in the rest.
 *
 * @param qos the highest QoS
 * @param retainAsPublished true to keep the retain flag
 * @param subscriptionIds the subscription identifiers
 */
record FilterOptions(int qos, boolean retainAsPublished, List<Integer> subscriptionIds) {
    private static final int QOS = 3;
    private static final int RETAIN_AS_PUBLISHED = 4;
    private static final int ID_SHIFT = 3;

    /** What is delivered by a filter that is no longer known goes out as it came. */
    private static final FilterOptions UNKNOWN = new FilterOptions(2, false, List.of());

    static long encode(Packet.Filter filter, int subscriptionId) {
        return (long) subscriptionId << ID_SHIFT
                | (filter.retainAsPublished() ? RETAIN_AS_PUBLISHED : 0)
                | filter.qos();
    }

    /** All that match together: one copy goes out, at the highest QoS, with all identifiers (MQTT 5 §3.3.4). */
    static FilterOptions of(List<Long> filters) {
        if (filters.isEmpty()) {
            return UNKNOWN;
        }
        int qos = 0;
        boolean retain = false;
        List<Integer> ids = List.of();
        for (int i = 0; i < filters.size(); i++) {
            long options = filters.get(i);
            qos = Math.max(qos, (int) (options & QOS));
            retain |= (options & RETAIN_AS_PUBLISHED) != 0;
            if (options >> ID_SHIFT != 0) {
                if (ids.isEmpty()) {
                    ids = new ArrayList<>(1);
                }
                ids.add((int) (options >> ID_SHIFT));
            }
        }
        return new FilterOptions(qos, retain, ids);
    }
}
