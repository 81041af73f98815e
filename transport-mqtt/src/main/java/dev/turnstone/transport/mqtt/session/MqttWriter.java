package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.transport.mqtt.codec.PacketEncoder;
import dev.turnstone.transport.mqtt.codec.PacketType;
import dev.turnstone.transport.mqtt.codec.Properties;
import dev.turnstone.transport.mqtt.codec.Property;
import dev.turnstone.transport.mqtt.codec.ReasonCode;
import dev.turnstone.transport.mqtt.codec.Version;
import dev.turnstone.transport.vertx.SessionOutput;
import dev.turnstone.transport.vertx.Wire;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All packets that go to one client. On the event loop only. */
final class MqttWriter implements SessionOutput {
    private final Wire wire;
    private final MqttEnding ending;
    private final PacketEncoder encoder = new PacketEncoder();
    /** Null before the client is admitted. */
    private @Nullable MqttSession session;
    /** Null before the first message. */
    private @Nullable Topics topics;

    MqttWriter(Wire wire, MqttEnding ending) {
        this.wire = wire;
        this.ending = ending;
    }

    /** The client speaks this version and takes packets up to this size, in bytes. */
    void speak(Version agreed, long packetBytesMax) {
        encoder.speak(agreed, packetBytesMax);
    }

    /** The version that the client speaks. */
    Version version() {
        return encoder.version();
    }

    /** Where deliveries go, and who has something to do before any are written. */
    void deliverTo(MqttSession admitted) {
        session = admitted;
    }

    @Override
    public void delivery(Delivery delivery) {
        if (session != null && !ending.begun()) {
            session.deliver(delivery);
        }
    }

    @Override
    public void consumerClosed(int consumer, BrokerException cause) {
        refuse(Reasons.ofEnd(cause), String.valueOf(cause.getMessage()));
    }

    /** What comes before the client is admitted waits in its own window. */
    @Override
    public boolean wantsMore() {
        return session != null;
    }

    /** Sessions have no dead letters. */
    @Override
    public boolean rejectsAgain() {
        return true;
    }

    /** True once the connection's end has begun: the session takes no more. */
    boolean ended() {
        return ending.begun();
    }

    void refuse(ReasonCode reason, String why) {
        ending.refuse(reason, why);
    }

    /** False, and nothing is written, if it is larger than the client takes. */
    boolean connack(boolean sessionPresent, ReasonCode reason, Properties with) {
        return encoder.connack(sessionPresent, reason, with);
    }

    /** False, and nothing is written, if it is larger than the client takes. */
    boolean publish(Outgoing outgoing, int packetId, boolean duplicate) {
        Message message = outgoing.delivery().message();
        int first = (duplicate ? 8 : 0) | outgoing.qos() << 1 | (outgoing.retain() ? 1 : 0);
        Properties with = Properties.NONE;
        if (version() == Version.V5) {
            with = MessageWriter.properties(message, System.currentTimeMillis());
            outgoing.subscriptionIds().forEach(with::addSubscriptionId);
        }
        return encoder.publish(first, topics().name(message.address()), packetId, with, message.body());
    }

    private Topics topics() {
        Topics made = topics;
        if (made == null) {
            made = new Topics();
            topics = made;
        }
        return made;
    }

    void ack(PacketType type, int packetId, ReasonCode reason) {
        if (ending.answers()) {
            encoder.ack(type, packetId, reason);
        }
    }

    void suback(int packetId, List<ReasonCode> reasons) {
        if (ending.answers() && !encoder.suback(packetId, reasons)) {
            refuse(ReasonCode.PACKET_TOO_LARGE, "the client takes no SUBACK for " + reasons.size() + " filters");
        }
    }

    void unsuback(int packetId, List<ReasonCode> reasons) {
        if (ending.answers() && !encoder.unsuback(packetId, reasons)) {
            refuse(ReasonCode.PACKET_TOO_LARGE, "the client takes no UNSUBACK for " + reasons.size() + " filters");
        }
    }

    void pong() {
        encoder.pingresp();
    }

    /** The last packet; none in MQTT 3.1.1. */
    void disconnect(ReasonCode reason, String why) {
        beforeWrite();
        encoder.disconnect(reason, new Properties().set(Property.REASON_STRING, why));
    }

    @Override
    public int size() {
        return encoder.size();
    }

    @Override
    public void write() {
        beforeWrite();
        if (encoder.size() > 0) {
            wire.write(encoder.take(), null);
        }
    }

    private void beforeWrite() {
        if (session != null) {
            session.beforeWrite();
        }
    }

    /** What has not been written yet. */
    ByteBuffer take() {
        return encoder.take();
    }
}
