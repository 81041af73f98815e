package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.transport.mqtt.codec.MqttException;
import dev.turnstone.transport.mqtt.codec.Packet;
import dev.turnstone.transport.mqtt.codec.Properties;
import dev.turnstone.transport.mqtt.codec.Property;
import dev.turnstone.transport.mqtt.codec.ReasonCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns the packets of a client that has its place into commands of its port session. On the event loop only. */
final class MqttSession {
    private static final Logger LOG = LoggerFactory.getLogger(MqttSession.class);

    private final Session session;
    private final Client client;
    private final MqttSettings settings;
    private final MqttWriter writer;
    private final MessageReader messages;
    private final Inbound inbound;
    private final Outbound outbound;
    private final Subscriptions subscriptions;
    private final Completion unconfirmed;

    MqttSession(Place.Admission admission, MqttSettings settings, MqttWriter writer, Topics topics) {
        this.session = admission.pump().session();
        this.client = admission.client();
        this.settings = settings;
        this.writer = writer;
        messages = new MessageReader(topics);
        SessionKeys keys = new SessionKeys(client.clientId());
        inbound = new Inbound(session, keys, writer, new Inbound.InboundLimits(settings.receiveMax(), client.v5()));
        outbound = new Outbound(session, keys, writer, Place.CONSUMER);
        if (admission.durable()) {
            inbound.keep();
            outbound.keep();
        }
        subscriptions = new Subscriptions(
                session, writer, client.queueName(), client.connect().version());
        // At QoS 0 nobody is told; refusals are in the broker's audit log.
        unconfirmed =
                Completion.onFailure(cause -> LOG.debug("{}: not taken: {}", client.clientId(), cause.getMessage()));
    }

    /** CONNACK; false, and nothing is written, if the client takes none that has the terms. */
    boolean welcome(StoredSession resumed) {
        return writer.connack(resumed.record() != null, ReasonCode.SUCCESS, client.v5() ? terms() : Properties.NONE);
    }

    /** What is owed from before, then deliveries. */
    void begin(StoredSession resumed) {
        resumed.received().forEach(inbound::load);
        resumed.releases().forEach(owed -> outbound.loadRelease(owed.packetId(), owed.order()));
        resumed.pairs().forEach(outbound::loadPair);
        writer.deliverTo(this::deliver, outbound::flush);
        long wanted = client.connect().properties().number(Property.RECEIVE_MAXIMUM, settings.inflightMax());
        outbound.open((int) Math.min(wanted, settings.inflightMax()));
    }

    private Properties terms() {
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

    private void deliver(Delivery delivery) {
        FilterOptions options = FilterOptions.of(delivery.filters());
        int qos = Math.min(MessageWriter.qos(delivery.message()), options.qos());
        Message message = delivery.message();
        boolean retain = message.retained() || options.retainAsPublished() && message.retain();
        Outgoing outgoing = new Outgoing(delivery, qos, retain, options.subscriptionIds());
        if (qos == 0) {
            outbound.atMostOnce(outgoing);
        } else {
            outbound.send(outgoing);
        }
    }

    /**
     * Carries out one packet.
     *
     * @throws MqttException if the client may not send it now
     */
    void accept(Packet packet) {
        if (packet instanceof Packet.Publish publish) {
            publish(publish);
        } else if (packet instanceof Packet.Ack ack) {
            switch (ack.type()) {
                case PUBACK -> outbound.acknowledged(ack.packetId());
                case PUBREC -> outbound.received(ack.packetId(), ack.reason());
                case PUBREL -> inbound.release(ack.packetId());
                default -> outbound.completed(ack.packetId());
            }
        } else if (packet instanceof Packet.Subscribe subscribe) {
            subscriptions.subscribe(subscribe);
        } else if (packet instanceof Packet.Unsubscribe unsubscribe) {
            subscriptions.unsubscribe(unsubscribe);
        } else if (packet instanceof Packet.Ping) {
            writer.pong();
        } else {
            throw MqttException.protocolError("a packet that there is no reason for");
        }
    }

    private void publish(Packet.Publish publish) {
        if (publish.properties().has(Property.TOPIC_ALIAS)) {
            throw new MqttException(ReasonCode.TOPIC_ALIAS_INVALID, "topic aliases are not available here");
        }
        if (publish.topic().isEmpty()) {
            throw MqttException.protocolError("PUBLISH without a topic");
        }
        if (publish.qos() == 2 && inbound.isRepeated(publish.packetId())) {
            return;
        }
        Message message;
        try {
            message = messages.read(publish);
        } catch (BrokerException refusal) {
            refuse(publish, Reasons.ofPublish(refusal.code()), refusal);
            return;
        } catch (MqttException e) {
            if (e.reason() != ReasonCode.PAYLOAD_FORMAT_INVALID) {
                throw e;
            }
            refuse(publish, e.reason(), e);
            return;
        }
        send(publish, Send.of(message).with(dedup(publish)));
    }

    private void send(Packet.Publish publish, Send send) {
        switch (publish.qos()) {
            case 0 -> session.send(send, unconfirmed);
            case 1 -> inbound.atLeastOnce(publish.packetId(), send);
            default -> inbound.exactlyOnce(publish.packetId(), send);
        }
    }

    private static @Nullable DedupId dedup(Packet.Publish publish) {
        if (publish.qos() > 0) {
            for (var user : publish.properties().users()) {
                if (user.name().equals(Names.DEDUP_ID) && !user.value().isEmpty()) {
                    return DedupId.of(user.value());
                }
            }
        }
        return null;
    }

    private void refuse(Packet.Publish publish, ReasonCode reason, RuntimeException why) {
        LOG.debug("{}: not taken: {}", client.clientId(), why.getMessage());
        if (publish.qos() > 0) {
            inbound.refuse(publish.packetId(), publish.qos(), reason, String.valueOf(why.getMessage()));
        }
    }
}
