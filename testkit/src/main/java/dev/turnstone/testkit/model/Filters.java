package dev.turnstone.testkit.model;

import dev.turnstone.port.Address;
import java.util.HashMap;
import java.util.Map;

/** The topics and patterns that a queue has filters for; of those that are being changed, nothing is certain. */
public final class Filters {
    /** True for those that are there for certain. */
    private final Map<Address, Boolean> certain = new HashMap<>();

    /** A filter, or its end, is asked for. */
    void asked(Address topic) {
        certain.put(topic, false);
    }

    /** That was confirmed. */
    void confirmed(Address topic, boolean there) {
        if (there) {
            certain.put(topic, true);
        } else {
            certain.remove(topic);
        }
    }

    /** True if the queue has a filter, perhaps, that matches a topic. */
    boolean mayTake(Address topic) {
        return certain.keySet().stream().anyMatch(filter -> filter.matches(topic));
    }

    /** True if it has one for certain. */
    boolean takes(Address topic) {
        return certain.entrySet().stream()
                .anyMatch(filter -> filter.getValue() && filter.getKey().matches(topic));
    }
}
