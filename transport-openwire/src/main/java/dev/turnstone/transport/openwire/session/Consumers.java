package dev.turnstone.transport.openwire.session;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.SessionId;
import org.jspecify.annotations.Nullable;

/** The consumers of a connection, by the client's names for them and by the port's numbers. On the event loop only. */
final class Consumers {
    private final Map<ConsumerId, OpenWireConsumer> byId = new HashMap<>();
    private final Map<Integer, OpenWireConsumer> byPort = new HashMap<>();
    private final Map<Integer, OpenWireConsumer> watches = new HashMap<>();
    /** Those that hear of temporary destinations, of which the port knows nothing. */
    private final Map<ConsumerId, ConsumerInfo> advised = new HashMap<>();

    private final Kept kept = new Kept();

    private int ports;
    private int lastWatch;
    private int lastPort;
    private @Nullable OpenWireConsumer last;

    /** A number for a consumer of the port. */
    int nextPort() {
        return ++ports;
    }

    /** What the client has still, though it has handed it over. */
    Kept kept() {
        return kept;
    }

    void add(OpenWireConsumer consumer) {
        byId.put(consumer.id(), consumer);
        consumer.ports().keySet().forEach(port -> byPort.put(port, consumer));
    }

    /** A number for a watch of queues that the consumer is to consume from. */
    int watch(OpenWireConsumer consumer) {
        watches.put(++lastWatch, consumer);
        return lastWatch;
    }

    /** Whose watch it is, or null if that has ended. */
    @Nullable
    OpenWireConsumer watching(int watch) {
        return watches.get(watch);
    }

    /** The consumer's watches, which are void from now on. */
    List<Integer> endWatches(OpenWireConsumer consumer) {
        List<Integer> ended = watches.entrySet().stream()
                .filter(entry -> entry.getValue() == consumer)
                .map(Map.Entry::getKey)
                .toList();
        ended.forEach(watches::remove);
        return ended;
    }

    /** A queue that one of its watches found. */
    void addPort(OpenWireConsumer consumer, int port) {
        byPort.put(port, consumer);
    }

    /** It has ended for a consumer of many queues, which stays; false if the port's consumer is all there was to it. */
    boolean loseMember(int port) {
        OpenWireConsumer consumer = byPort.get(port);
        if (consumer == null || !watches.containsValue(consumer)) {
            return false;
        }
        byPort.remove(port);
        consumer.removePort(port);
        last = null;
        return true;
    }

    void remove(OpenWireConsumer consumer) {
        byId.remove(consumer.id());
        kept.end(consumer);
        byPort.keySet().removeAll(consumer.ports().keySet());
        last = null;
    }

    @Nullable
    OpenWireConsumer named(@Nullable ConsumerId id) {
        return byId.get(id);
    }

    @Nullable
    OpenWireConsumer ofPort(int port) {
        if (last == null || lastPort != port) {
            last = byPort.get(port);
            lastPort = port;
        }
        return last;
    }

    /** The broker has ended it: what the client still has of it is back in its queue. */
    @Nullable
    OpenWireConsumer lose(int port) {
        OpenWireConsumer lost = byPort.get(port);
        if (lost == null || lost.hasEnded()) {
            return null;
        }
        lost.end();
        remove(lost);
        return lost;
    }

    /** Those of a session. */
    List<OpenWireConsumer> of(SessionId session) {
        return byId.values().stream()
                .filter(consumer -> session.equals(consumer.id().getParentId()))
                .toList();
    }

    List<OpenWireConsumer> all() {
        return List.copyOf(byId.values());
    }

    /** Those that hear of temporary destinations. */
    Map<ConsumerId, ConsumerInfo> advised() {
        return advised;
    }

    /** How many there are, one for each queue or topic of each. */
    int count() {
        return byPort.size() + watches.size() + advised.size();
    }
}
