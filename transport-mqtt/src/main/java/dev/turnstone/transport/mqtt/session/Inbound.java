package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Message;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.transport.mqtt.codec.MqttException;
import dev.turnstone.transport.mqtt.codec.Packet;
import dev.turnstone.transport.mqtt.codec.PacketType;
import dev.turnstone.transport.mqtt.codec.Property;
import dev.turnstone.transport.mqtt.codec.ReasonCode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the client publishes, up to the last answer. At QoS 2 the packet identifier is stored in one unit with the
 * message, and counts until its release is durable: only then PUBCOMP leaves, for the client may use the identifier for
 * its next message (MQTT 5 §4.3.3). Without a session that outlives the connection both are known here alone. Answers
 * leave in the order of the packets, for they come out of the port in the order of its commands. On the event loop
 * only.
 */
final class Inbound {
    private static final Logger LOG = LoggerFactory.getLogger(Inbound.class);

    private final Session session;
    private final SessionKeys keys;
    private final MqttWriter writer;
    private final InboundLimits limits;
    private final MessageReader messages;
    private final Completion untold;
    private final PacketIds<Received> ids = new PacketIds<>();
    private boolean durable;
    private int unanswered;

    /**
     * How the client may publish.
     *
     * @param receiveMax how many messages may be without their last answer
     * @param tellsReasons false in MQTT 3.1.1, which has no word for a refused message
     */
    record InboundLimits(int receiveMax, boolean tellsReasons) {}

    /** A packet identifier in use. Its end is another's beginning, so the object says which use is meant. */
    private static final class Received {
        private boolean stored;
        private boolean releasing;
        private boolean counted;
    }

    Inbound(Session session, SessionKeys keys, MqttWriter writer, InboundLimits limits, MessageReader messages) {
        this.session = session;
        this.keys = keys;
        this.writer = writer;
        this.limits = limits;
        this.messages = messages;
        // At QoS 0 nobody is told; refusals are in the broker's audit log.
        untold = Completion.onFailure(cause -> LOG.debug("{}: not taken: {}", keys.clientId(), cause.getMessage()));
    }

    /** The session outlives its connection. */
    void keep() {
        durable = true;
    }

    /** An identifier that counts from an earlier connection on. */
    void load(int packetId) {
        Received received = new Received();
        received.stored = true;
        ids.put(packetId, received);
    }

    /**
     * PUBLISH.
     *
     * @throws MqttException if the client may not send it now
     */
    void publish(Packet.Publish publish) {
        if (publish.properties().has(Property.TOPIC_ALIAS)) {
            throw new MqttException(ReasonCode.TOPIC_ALIAS_INVALID, "topic aliases are not available here");
        }
        if (publish.topic().isEmpty()) {
            throw MqttException.protocolError("PUBLISH without a topic");
        }
        if (publish.qos() == 2 && isRepeated(publish.packetId())) {
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
            case 0 -> session.send(send, untold);
            case 1 -> atLeastOnce(publish.packetId(), send);
            default -> exactlyOnce(publish.packetId(), send);
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
        LOG.debug("{}: not taken: {}", keys.clientId(), why.getMessage());
        if (publish.qos() > 0) {
            refuse(publish.packetId(), publish.qos(), reason, String.valueOf(why.getMessage()));
        }
    }

    /** A message at QoS 1. */
    private void atLeastOnce(int packetId, Send send) {
        count();
        session.send(send, new Answer(packetId, PacketType.PUBACK));
    }

    /** True if the identifier stands for a message that is here already; it is answered once more (MQTT-4.3.3-10). */
    private boolean isRepeated(int packetId) {
        Received known = ids.get(packetId);
        if (known == null || known.releasing) {
            return false;
        }
        if (!known.counted) {
            known.counted = true;
            count();
        }
        session.sync(new Answer(packetId, PacketType.PUBREC));
        return true;
    }

    /** A message at QoS 2 whose identifier is new. */
    private void exactlyOnce(int packetId, Send send) {
        count();
        Received received = new Received();
        received.counted = true;
        ids.put(packetId, received);
        session.send(durable ? send.with(List.of(keys.received(packetId))) : send, new Stored(packetId, received));
    }

    /** A message that is refused before the broker has seen it; the answer takes its turn. */
    private void refuse(int packetId, int qos, ReasonCode reason, String why) {
        count();
        session.sync(new Completion() {
            @Override
            public void done() {
                refused(packetId, qos == 1 ? PacketType.PUBACK : PacketType.PUBREC, reason, why);
            }

            @Override
            public void failed(BrokerException cause) {
                done();
            }
        });
    }

    /** PUBREL: the client knows that the message is here. */
    void release(int packetId) {
        Received known = ids.get(packetId);
        if (known == null) {
            writer.ack(PacketType.PUBCOMP, packetId, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND);
            return;
        }
        known.releasing = true;
        Released released = new Released(packetId, known);
        if (durable) {
            session.changeState(List.of(keys.receivedEnds(packetId)), Session.NO_TRANSACTION, released);
        } else {
            session.sync(released);
        }
    }

    private void count() {
        unanswered++;
        if (limits.tellsReasons() && unanswered > limits.receiveMax()) {
            throw new MqttException(
                    ReasonCode.RECEIVE_MAXIMUM_EXCEEDED,
                    "more than " + limits.receiveMax() + " messages without an answer (receiveMax)");
        }
    }

    private void refused(int packetId, PacketType answer, ReasonCode reason, String why) {
        unanswered--;
        if (limits.tellsReasons()) {
            writer.ack(answer, packetId, reason);
        } else {
            // An answer would say that the message is stored (MQTT 3.1.1 §3.3.5).
            writer.refuse(reason, why);
        }
    }

    private static String text(BrokerException cause) {
        return String.valueOf(cause.getMessage());
    }

    /** PUBACK, or PUBREC for a message that is here already. */
    private final class Answer implements Completion {
        private final int packetId;
        private final PacketType answer;

        Answer(int packetId, PacketType answer) {
            this.packetId = packetId;
            this.answer = answer;
        }

        @Override
        public void done() {
            if (answer == PacketType.PUBACK) {
                unanswered--;
                writer.ack(answer, packetId, ReasonCode.SUCCESS);
                return;
            }
            Received known = ids.get(packetId);
            if (known != null && known.stored) {
                writer.ack(answer, packetId, ReasonCode.SUCCESS);
            }
        }

        @Override
        public void failed(BrokerException cause) {
            refused(packetId, answer, Reasons.ofPublish(cause.code()), text(cause));
        }
    }

    /** PUBREC for a new message. */
    private final class Stored implements Completion {
        private final int packetId;
        private final Received received;

        Stored(int packetId, Received received) {
            this.packetId = packetId;
            this.received = received;
        }

        @Override
        public void done() {
            received.stored = true;
            writer.ack(PacketType.PUBREC, packetId, ReasonCode.SUCCESS);
        }

        @Override
        public void failed(BrokerException cause) {
            ReasonCode reason = Reasons.ofPublish(cause.code());
            if (reason == ReasonCode.NO_MATCHING_SUBSCRIBERS) {
                // No error in MQTT: the client goes on with PUBREL (MQTT 5 §4.3.3).
                received.stored = true;
                writer.ack(PacketType.PUBREC, packetId, reason);
                return;
            }
            ids.remove(packetId, received);
            refused(packetId, PacketType.PUBREC, reason, text(cause));
        }
    }

    /** PUBCOMP. */
    private final class Released implements Completion {
        private final int packetId;
        private final Received received;

        Released(int packetId, Received received) {
            this.packetId = packetId;
            this.received = received;
        }

        @Override
        public void done() {
            ids.remove(packetId, received);
            if (received.counted) {
                received.counted = false;
                unanswered--;
            }
            writer.ack(PacketType.PUBCOMP, packetId, ReasonCode.SUCCESS);
        }

        @Override
        public void failed(BrokerException cause) {
            writer.refuse(Reasons.ofEnd(cause), text(cause));
        }
    }
}
