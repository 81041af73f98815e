package dev.turnstone.transport.mqtt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Address;
import dev.turnstone.port.BodyKind;
import dev.turnstone.port.DeadLetter;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.transport.mqtt.codec.MqttException;
import dev.turnstone.transport.mqtt.codec.Packet;
import dev.turnstone.transport.mqtt.codec.Properties;
import dev.turnstone.transport.mqtt.codec.Property;
import dev.turnstone.transport.mqtt.codec.ReasonCode;
import dev.turnstone.transport.mqtt.codec.UserProperty;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The table of docs/mqtt.md. */
class MessagesTest {
    private static final byte[] NOT_UTF_8 = {(byte) 0xff};

    private final MessageReader reader = new MessageReader(new Topics());

    private Message read(int qos, Properties properties, byte[] payload) {
        return reader.read(new Packet.Publish("a/b", qos, false, false, qos, properties, ByteBuffer.wrap(payload)));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void allPropertiesOfMqttGoThroughUnchanged() {
        Properties properties = new Properties()
                .set(Property.PAYLOAD_FORMAT_INDICATOR, 1)
                .set(Property.MESSAGE_EXPIRY_INTERVAL, 100)
                .set(Property.CONTENT_TYPE, "text/plain")
                .set(Property.RESPONSE_TOPIC, "answers/to/me")
                .set(Property.CORRELATION_DATA, NOT_UTF_8)
                .add(new UserProperty("z", "1"))
                .add(new UserProperty("a", "2"))
                .add(new UserProperty("z", "3"))
                .add(new UserProperty("JMSType", "order"))
                .add(new UserProperty("", "no name"))
                .add(new UserProperty("mqtt_qos", "0"));
        Message message = read(1, properties, utf8("grün"));
        assertThat(message.address()).isEqualTo(Address.topic("a.b"));
        assertThat(message.bodyKind()).isEqualTo(BodyKind.TEXT);
        assertThat(message.text()).isEqualTo("grün");
        assertThat(message.replyTo()).isEqualTo(Address.topic("answers.to.me"));
        assertThat(message.type()).isEqualTo("order");
        assertThat(message.property("z")).isEqualTo("1");
        assertThat(message.property("content-type")).isEqualTo("text/plain");
        assertThat(message.expiryMs() - message.timestampMs()).isEqualTo(100_000);
        assertThat(MessageWriter.qos(message)).isEqualTo(1);
        assertThat(MessageWriter.properties(message, message.timestampMs()))
                .usingRecursiveComparison()
                .isEqualTo(properties);
    }

    @Test
    void anIdentityThatAMessageHasLostDoesNotGoOnAmongRepeatedUserProperties() {
        Properties properties = new Properties()
                .add(new UserProperty("z", "1"))
                .add(new UserProperty(DedupId.HEADER, "order 1"))
                .add(new UserProperty("z", "3"));
        Message dead = read(1, properties, utf8("x")).toBuilder()
                .without(DedupId.HEADER)
                .property(DeadLetter.ORIGINAL_DEDUP_ID, "order 1")
                .build();
        assertThat(MessageWriter.properties(dead, 0).users())
                .contains(new UserProperty("z", "1"), new UserProperty("z", "3"))
                .noneMatch(user -> user.name().equals(DedupId.HEADER));
    }

    @Test
    void anExpiryIsCountedDown() {
        Message message = read(0, new Properties().set(Property.MESSAGE_EXPIRY_INTERVAL, 100), utf8(""));
        long sentMs = message.timestampMs();
        assertThat(left(message, sentMs + 1)).isEqualTo(100);
        assertThat(left(message, sentMs + 40_000)).isEqualTo(60);
        assertThat(left(message, sentMs + 99_999)).isEqualTo(1);
        assertThat(left(message, sentMs + 200_000)).as("0 would be no expiry").isEqualTo(1);
    }

    private static long left(Message message, long nowMs) {
        return MessageWriter.properties(message, nowMs).number(Property.MESSAGE_EXPIRY_INTERVAL, -1);
    }

    @Test
    void aPayloadFormatThatSaysNothingIsHandedOn() {
        Properties properties = new Properties().set(Property.PAYLOAD_FORMAT_INDICATOR, 0);
        Message message = read(2, properties, NOT_UTF_8);
        assertThat(message.bodyKind()).isEqualTo(BodyKind.BYTES);
        assertThat(MessageWriter.qos(message)).isEqualTo(2);
        assertThat(MessageWriter.properties(message, 0))
                .usingRecursiveComparison()
                .isEqualTo(properties);
        assertThat(MessageWriter.properties(read(0, Properties.NONE, NOT_UTF_8), 0)
                        .isEmpty())
                .isTrue();
    }

    @Test
    void aPayloadThatIsNotItsFormatIsRefused() {
        Properties properties = new Properties().set(Property.PAYLOAD_FORMAT_INDICATOR, 1);
        assertThatThrownBy(() -> read(1, properties, NOT_UTF_8))
                .isInstanceOfSatisfying(
                        MqttException.class, e -> assertThat(e.reason()).isEqualTo(ReasonCode.PAYLOAD_FORMAT_INVALID));
    }

    @Test
    void whatOthersSendHasItsPlaceInMqtt() {
        Message message = MessageBuilder.to(Address.topic("a"))
                .text("t")
                .type("order")
                .group("g", 3)
                .correlationId("c")
                .replyTo(Address.queue("q"))
                .property("number", 42)
                .property("none", null)
                .property("nul", "a\0b")
                .build();
        Properties properties = MessageWriter.properties(message, 0);
        assertThat(MessageWriter.qos(message)).isEqualTo(2);
        assertThat(properties.number(Property.PAYLOAD_FORMAT_INDICATOR, 0)).isEqualTo(1);
        assertThat(properties.bytes(Property.CORRELATION_DATA)).isEqualTo(utf8("c"));
        assertThat(properties.has(Property.RESPONSE_TOPIC))
                .as("no queue has a name in MQTT")
                .isFalse();
        assertThat(properties.users())
                .isEqualTo(List.of(
                        new UserProperty("number", "42"),
                        new UserProperty("JMSType", "order"),
                        new UserProperty("JMSXGroupID", "g"),
                        new UserProperty("JMSXGroupSeq", "3")));
        Message again =
                reader.read(new Packet.Publish("a", 1, false, false, 1, properties, ByteBuffer.wrap(utf8("t"))));
        assertThat(again.group()).isEqualTo("g");
        assertThat(again.groupSequence()).isEqualTo(3);
    }

    @Test
    void aContentTypeThatMqttCannotWriteIsLeftOut() {
        for (@Nullable Object none : Arrays.asList(null, "a\0b", "x".repeat(70_000))) {
            Message message = MessageBuilder.to(Address.topic("a"))
                    .property("content-type", none)
                    .build();
            assertThat(MessageWriter.properties(message, 0).isEmpty()).isTrue();
        }
    }

    @Test
    void aMapHasAContentTypeOfItsOwn() {
        Message message = MessageBuilder.to(Address.topic("a"))
                .body(BodyKind.MAP, ByteBuffer.allocate(3))
                .persistent(false)
                .build();
        assertThat(MessageWriter.qos(message)).isZero();
        assertThat(MessageWriter.properties(message, 0).text(Property.CONTENT_TYPE))
                .isEqualTo("application/vnd.turnstone.map");
    }
}
