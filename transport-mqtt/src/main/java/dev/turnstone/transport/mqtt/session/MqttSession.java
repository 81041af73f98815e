package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.Session;
import dev.turnstone.port.SubscriptionQueue;
import dev.turnstone.transport.mqtt.codec.MqttException;
import dev.turnstone.transport.mqtt.codec.Packet;
import dev.turnstone.transport.mqtt.codec.Properties;
import dev.turnstone.transport.mqtt.codec.Property;
import dev.turnstone.transport.mqtt.codec.ReasonCode;
import dev.turnstone.transport.mqtt.codec.Version;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Turns the packets of a client that has its place into commands of its port session. On the event loop only. */
final class MqttSession {
    private final Session session;
    private final MqttSettings settings;
    private final MqttWriter writer;
    private final String clientId;
    private final boolean durable;
    /** True once there is a queue. */
    private boolean consumes;
    /** How many messages may be on their way to the client. */
    private int window;

    /** Null before the first message of the client's. */
    private @Nullable Inbound inbound;
    /** Null before the first subscription of a session that ends with its connection. */
    private @Nullable Outbound outbound;

    MqttSession(Place.Admission admission, MqttSettings settings, MqttWriter writer) {
        this.session = admission.pump().session();
        this.settings = settings;
        this.writer = writer;
        this.clientId = admission.client().clientId();
        durable = admission.durable();
        consumes = durable;
    }

    private SessionKeys keys() {
        return new SessionKeys(clientId);
    }

    private Outbound outbound() {
        Outbound made = outbound;
        if (made == null) {
            made = new Outbound(session, keys(), writer);
            if (durable) {
                made.keep();
            }
            outbound = made;
        }
        return made;
    }

    private Subscriptions subscriptions() {
        return new Subscriptions(session, writer, Client.queueName(clientId), writer.version());
    }

    private Inbound inbound() {
        Inbound made = inbound;
        if (made == null) {
            made = new Inbound(
                    session,
                    keys(),
                    writer,
                    new Inbound.InboundLimits(settings.receiveMax(), writer.version() == Version.V5),
                    new MessageReader(new Topics()));
            if (durable) {
                made.keep();
            }
            inbound = made;
        }
        return made;
    }

    /** CONNACK; false, and nothing is written, if the client takes none that has the terms. */
    boolean welcome(Place.Admission admission) {
        boolean present = admission.resumed().record() != null;
        return writer.connack(
                present, ReasonCode.SUCCESS, admission.client().v5() ? terms(admission.client()) : Properties.NONE);
    }

    /** What is owed from before, then deliveries. */
    void begin(Place.Admission admission) {
        if (durable) {
            resume(admission.resumed());
        }
        writer.deliverTo(this);
        Properties asked = admission.client().connect().properties();
        long wanted = asked.number(Property.RECEIVE_MAXIMUM, settings.inflightMax());
        window = (int) Math.min(wanted, settings.inflightMax());
        if (durable) {
            outbound().open(window);
        }
    }

    private void resume(StoredSession resumed) {
        resumed.received().forEach(packetId -> inbound().load(packetId));
        resumed.releases().forEach(owed -> outbound().loadRelease(owed.packetId(), owed.order()));
        resumed.pairs().forEach((position, packetId) -> outbound().loadPair(position, packetId));
    }

    /** A session that ends with its connection has no queue before its first filter. */
    private void subscribe(Packet.Subscribe subscribe) {
        if (!consumes) {
            consumes = true;
            Consumer<BrokerException> refused =
                    cause -> writer.refuse(Reasons.ofEnd(cause), String.valueOf(cause.getMessage()));
            SubscriptionQueue queue = Client.queue(clientId, false, 0, settings.queueMax());
            Place.declare(session, queue, refused);
            session.subscribe(Place.consumer(queue.name()), Completion.onFailure(refused));
            outbound().open(window);
        }
        subscriptions().subscribe(subscribe);
    }

    private Properties terms(Client client) {
        Properties terms = new Properties()
                .set(Property.MAXIMUM_PACKET_SIZE, settings.packetBytesMax())
                .set(Property.SHARED_SUBSCRIPTION_AVAILABLE, 0);
        if (settings.receiveMax() < PacketIds.MAX) {
            terms.set(Property.RECEIVE_MAXIMUM, settings.receiveMax());
        }
        if (client.clientIdIsAssigned()) {
            terms.set(Property.ASSIGNED_CLIENT_IDENTIFIER, client.clientId());
        }
        if (client.keepAliveS() != client.connect().keepAliveS()) {
            terms.set(Property.SERVER_KEEP_ALIVE, client.keepAliveS());
        }
        if (client.expiryS() != Client.askedExpiryS(client.connect())) {
            terms.set(Property.SESSION_EXPIRY_INTERVAL, client.expiryS());
        }
        return terms;
    }

    /** Settles what goes out at QoS 0. */
    void beforeWrite() {
        if (outbound != null) {
            outbound.flush();
        }
    }

    void deliver(Delivery delivery) {
        FilterOptions options = FilterOptions.of(delivery.filters());
        int qos = Math.min(MessageWriter.qos(delivery.message()), options.qos());
        Message message = delivery.message();
        boolean retain = message.retained() || options.retainAsPublished() && message.retain();
        Outgoing outgoing = new Outgoing(delivery, qos, retain, options.subscriptionIds());
        if (qos == 0) {
            outbound().atMostOnce(outgoing);
        } else {
            outbound().send(outgoing);
        }
    }

    /**
     * Carries out one packet.
     *
     * @throws MqttException if the client may not send it now
     */
    void accept(Packet packet) {
        if (packet instanceof Packet.Publish publish) {
            inbound().publish(publish);
        } else if (packet instanceof Packet.Ack ack) {
            switch (ack.type()) {
                case PUBACK -> outbound().acknowledged(ack.packetId());
                case PUBREC -> outbound().received(ack.packetId(), ack.reason());
                case PUBREL -> inbound().release(ack.packetId());
                default -> outbound().completed(ack.packetId());
            }
        } else if (packet instanceof Packet.Subscribe subscribe) {
            subscribe(subscribe);
        } else if (packet instanceof Packet.Unsubscribe unsubscribe) {
            subscriptions().unsubscribe(unsubscribe);
        } else if (packet instanceof Packet.Ping) {
            writer.pong();
        } else {
            throw MqttException.protocolError("a packet that there is no reason for");
        }
    }
}
