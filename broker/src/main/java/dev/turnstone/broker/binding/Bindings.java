package dev.turnstone.broker.binding;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All bindings of a broker; replaced as a whole.
 *
 * @param bindings where messages go beside, or instead of, their address
 * @param virtualTopics topics whose subscribers are queues by their names
 */
public record Bindings(List<Binding> bindings, List<VirtualTopics> virtualTopics) {
    /** Messages go where they are sent to. */
    public static final Bindings NONE = new Bindings(List.of(), List.of());

    /**
     * Checks that no message goes in circles.
     *
     * @throws BrokerException INVALID_CONFIGURATION if one could, naming the bindings
     */
    public Bindings {
        bindings = List.copyOf(bindings);
        virtualTopics = List.copyOf(virtualTopics);
        for (Binding binding : bindings) {
            checkLoop(bindings, binding);
        }
    }

    /** These bindings, without virtual topics. */
    public static Bindings of(Binding... bindings) {
        return new Bindings(List.of(bindings), List.of());
    }

    private static void checkLoop(List<Binding> bindings, Binding start) {
        Deque<List<Binding>> ways = new ArrayDeque<>();
        ways.add(List.of(start));
        List<Binding> seen = new ArrayList<>();
        while (!ways.isEmpty()) {
            List<Binding> way = ways.pop();
            Binding last = way.get(way.size() - 1);
            if (start.source().matches(last.target())) {
                throw new BrokerException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "bindings go in a circle: "
                                + way.stream().map(Binding::toString).collect(Collectors.joining(", ")) + ", and "
                                + last.target() + " is a source of the first");
            }
            for (Binding next : bindings) {
                if (next.source().matches(last.target()) && !seen.contains(next)) {
                    seen.add(next);
                    List<Binding> longer = new ArrayList<>(way);
                    longer.add(next);
                    ways.push(longer);
                }
            }
        }
    }

    /** The topic that a queue subscribes to by its name, or null if it does not. */
    public @Nullable Address topicOf(Address queue) {
        if (queue.kind() == AddressKind.QUEUE) {
            for (VirtualTopics virtual : virtualTopics) {
                Address topic = virtual.topicOf(queue);
                if (topic != null) {
                    return topic;
                }
            }
        }
        return null;
    }
}
