package dev.turnstone.broker.route;

import dev.turnstone.broker.store.Few;
import dev.turnstone.port.Address;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the filters that match a topic: those of one topic by its name, patterns level by level. What does not match
 * costs nothing, however much of it there is. Owned by the engine thread.
 */
final class FilterIndex {
    private static final String ANY_ONE = "*";
    private static final String ANY_REST = ">";

    private final Map<Address, Set<Filter>> exact = new HashMap<>();
    private final Node root = new Node();
    private int patterns;

    /** One level of patterns. Most have few filters and few levels below. */
    private static final class Node {
        private final Map<String, Node> below = new HashMap<>(2);
        private final Set<Filter> filters = new LinkedHashSet<>(2);

        private boolean isEmpty() {
            return below.isEmpty() && filters.isEmpty();
        }
    }

    /** How many topics and patterns have filters. */
    int size() {
        return exact.size() + patterns;
    }

    /** True if somebody subscribes to this topic by its name. */
    boolean knows(Address topic) {
        return exact.containsKey(topic);
    }

    void add(Filter filter) {
        Address topic = filter.topic();
        if (topic.isPattern()) {
            Node node = root;
            for (String level : split(topic)) {
                node = node.below.computeIfAbsent(level, l -> new Node());
            }
            if (node.filters.isEmpty()) {
                patterns++;
            }
            node.filters.add(filter);
        } else {
            exact.put(topic, Few.with(exact.getOrDefault(topic, Set.of()), filter));
        }
    }

    void remove(Filter filter) {
        Address topic = filter.topic();
        if (topic.isPattern()) {
            remove(filter, root, split(topic), 0);
        } else {
            exact.computeIfPresent(topic, (same, filters) -> {
                Set<Filter> left = Few.without(filters, filter);
                return left.isEmpty() ? null : left;
            });
        }
    }

    private void remove(Filter filter, Node node, List<String> levels, int depth) {
        if (depth == levels.size()) {
            if (node.filters.remove(filter) && node.filters.isEmpty()) {
                patterns--;
            }
            return;
        }
        Node below = node.below.get(levels.get(depth));
        if (below != null) {
            remove(filter, below, levels, depth + 1);
            if (below.isEmpty()) {
                node.below.remove(levels.get(depth));
            }
        }
    }

    /** As the name is escaped, so that a wildcard is one and an asterisk that stands for itself is not. */
    private static List<String> split(Address topic) {
        return List.of(topic.name().split("\\.", -1));
    }

    /** Adds every filter that matches this topic. */
    void match(Address topic, Collection<Filter> found) {
        Set<Filter> filters = exact.get(topic);
        if (filters != null) {
            found.addAll(filters);
        }
        if (patterns > 0) {
            match(root, topic.name(), 0, found);
        }
    }

    private static void match(Node node, String name, int start, Collection<Filter> found) {
        // What begins with a dollar sign is the broker's, and is asked for by name only.
        boolean named = start == 0 && name.charAt(0) == '$';
        Node rest = named ? null : node.below.get(ANY_REST);
        if (rest != null) {
            found.addAll(rest.filters);
        }
        if (start > name.length()) {
            found.addAll(node.filters);
            return;
        }
        int dot = name.indexOf('.', start);
        int end = dot < 0 ? name.length() : dot;
        Node level = node.below.get(name.substring(start, end));
        if (level != null) {
            match(level, name, end + 1, found);
        }
        Node any = named ? null : node.below.get(ANY_ONE);
        if (any != null) {
            match(any, name, end + 1, found);
        }
    }
}
