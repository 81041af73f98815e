package dev.turnstone.transport.openwire.session;

import dev.turnstone.transport.vertx.Wire;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.activemq.advisory.AdvisorySupport;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQTempDestination;
import org.apache.activemq.command.ConnectionId;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.DestinationInfo;
import org.apache.activemq.command.MessageDispatch;
import org.apache.activemq.command.MessageId;
import org.apache.activemq.command.SessionId;

/**
 * What a client is told of temporary destinations: its library sends to none that it has not been told of. Those of
 * OpenWire clients are announced when they come and go, or, while the socket is full, what has become of them when it
 * takes more again; those of other protocols when a message names one. On the event loop only.
 */
final class Advisories {
    /** So many destinations of other protocols the client remembers; it is told to forget the older ones. */
    private static final int FOREIGN_MAX = 1_000;
    /** A write of about this many bytes is large enough. */
    private static final int WRITE_BYTES = 64 * 1024;

    private final Wire wire;
    private final Temporaries temporaries;
    private final Outgoing out;
    private final Runnable flush;
    private final Map<ConsumerId, ConsumerInfo> consumers;
    /** Which have come (true) or gone, and the client has not been told. */
    private final Map<ActiveMQDestination, Boolean> untold = new LinkedHashMap<>();

    private final Set<ActiveMQDestination> foreign = new LinkedHashSet<>();
    private final BiConsumer<ActiveMQDestination, Boolean> watcher = this::changed;
    private long messages;

    /**
     * For one client.
     *
     * @param consumers filled here with those who are told
     */
    Advisories(
            Wire wire, Temporaries temporaries, Map<ConsumerId, ConsumerInfo> consumers, Outgoing out, Runnable flush) {
        this.wire = wire;
        this.temporaries = temporaries;
        this.consumers = consumers;
        this.out = out;
        this.flush = flush;
    }

    /** True for the topics that tell of temporary destinations. */
    static boolean are(ActiveMQDestination destination) {
        return destination != null && AdvisorySupport.isTempDestinationAdvisoryTopic(destination);
    }

    void add(ConsumerInfo info) {
        consumers.put(info.getConsumerId(), info);
        temporaries.watch(watcher).forEach(known -> untold.put(known, true));
        tellOn();
    }

    boolean has(ConsumerId id) {
        return consumers.containsKey(id);
    }

    void remove(ConsumerId id) {
        consumers.remove(id);
        if (consumers.isEmpty()) {
            close();
        }
    }

    /** Those of a session. */
    void removeOf(SessionId session) {
        List.copyOf(consumers.keySet()).stream()
                .filter(id -> session.equals(id.getParentId()))
                .forEach(this::remove);
    }

    void close() {
        temporaries.unwatch(watcher);
        untold.clear();
    }

    /** Any thread. */
    private void changed(ActiveMQDestination destination, boolean there) {
        wire.execute(() -> {
            // Whoever has not been told that it came need not hear that it went, and the other way round.
            if (!untold.remove(destination, !there)) {
                untold.put(destination, there);
            }
            tellOn();
            flush.run();
        });
    }

    /** Tells what has not been told yet, as far as the socket takes it. */
    void tellOn() {
        Iterator<Map.Entry<ActiveMQDestination, Boolean>> next =
                untold.entrySet().iterator();
        while (next.hasNext() && !wire.full()) {
            Map.Entry<ActiveMQDestination, Boolean> change = next.next();
            tell(change.getKey(), change.getValue());
            next.remove();
            if (out.size() >= WRITE_BYTES) {
                out.write();
            }
        }
    }

    /** Before a message that names a temporary destination: the client may answer to it. */
    void named(ActiveMQDestination destination) {
        if (consumers.isEmpty() || temporaries.named(destination) != null || !foreign.add(destination)) {
            return;
        }
        tell(destination, true);
        if (foreign.size() > FOREIGN_MAX) {
            ActiveMQDestination oldest = foreign.iterator().next();
            foreign.remove(oldest);
            tell(oldest, false);
        }
    }

    private void tell(ActiveMQDestination destination, boolean there) {
        for (ConsumerInfo consumer : consumers.values()) {
            MessageDispatch dispatch = new MessageDispatch();
            dispatch.setConsumerId(consumer.getConsumerId());
            dispatch.setDestination(AdvisorySupport.getDestinationAdvisoryTopic(destination));
            dispatch.setMessage(message(destination, there));
            out.send(dispatch);
        }
    }

    private ActiveMQMessage message(ActiveMQDestination destination, boolean there) {
        String owner = ((ActiveMQTempDestination) destination).getConnectionId();
        DestinationInfo info = new DestinationInfo();
        info.setConnectionId(new ConnectionId(String.valueOf(owner)));
        info.setDestination(destination);
        info.setOperationType(there ? DestinationInfo.ADD_OPERATION_TYPE : DestinationInfo.REMOVE_OPERATION_TYPE);
        ActiveMQMessage message = new ActiveMQMessage();
        message.setMessageId(new MessageId("ID:advisory:-1:1", ++messages));
        message.setProducerId(message.getMessageId().getProducerId());
        message.setDestination(AdvisorySupport.getDestinationAdvisoryTopic(destination));
        message.setType(AdvisorySupport.ADIVSORY_MESSAGE_TYPE);
        message.setDataStructure(info);
        return message;
    }
}
