package dev.turnstone.transport.mqtt.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttEncoder;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPubReplyMessageVariableHeader;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttPublishVariableHeader;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttReasonCodeAndPropertiesVariableHeader;
import io.netty.handler.codec.mqtt.MqttSubAckMessage;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

/** What another codec encodes is decoded here as it was meant, and the other way round. */
class CrossCheckTest {
    private static byte[] written(EmbeddedChannel other, MqttMessage... messages) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (MqttMessage message : messages) {
            other.writeOutbound(message);
            for (ByteBuf part = other.readOutbound(); part != null; part = other.readOutbound()) {
                bytes.writeBytes(ByteBufUtil.getBytes(part));
                part.release();
            }
        }
        return bytes.toByteArray();
    }

    private static MqttMessage connect(MqttVersion version) {
        MqttProperties will = new MqttProperties();
        if (version == MqttVersion.MQTT_5) {
            will.add(new MqttProperties.IntegerProperty(0x18, 30));
        }
        return MqttMessageBuilders.connect()
                .protocolVersion(version)
                .clientId("é")
                .keepAlive(17)
                .cleanSession(true)
                .willFlag(true)
                .willQoS(MqttQoS.EXACTLY_ONCE)
                .willRetain(true)
                .willTopic("w/t")
                .willMessage("bye".getBytes(StandardCharsets.UTF_8))
                .willProperties(will)
                .username("u")
                .password("p".getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private static List<Packet> decoded(byte[] bytes) {
        PacketDecoder decoder = new PacketDecoder(1 << 20, 1 << 16);
        decoder.feed(bytes, 0, bytes.length);
        List<Packet> packets = new ArrayList<>();
        for (Packet packet = decoder.next(); packet != null; packet = decoder.next()) {
            packets.add(packet);
        }
        return packets;
    }

    private static EmbeddedChannel other() {
        return new EmbeddedChannel(MqttEncoder.INSTANCE, new MqttDecoder(1 << 20));
    }

    @net.jqwik.api.Example
    void connect() {
        for (MqttVersion version : List.of(MqttVersion.MQTT_3_1_1, MqttVersion.MQTT_5)) {
            Packet.Connect connect =
                    (Packet.Connect) decoded(written(other(), connect(version))).get(0);
            assertThat(connect.version().level()).isEqualTo(version.protocolLevel());
            assertThat(connect.clientId()).isEqualTo("é");
            assertThat(connect.keepAliveS()).isEqualTo(17);
            assertThat(connect.cleanStart()).isTrue();
            assertThat(connect.login().user()).isEqualTo("u");
            assertThat(connect.login().password()).isEqualTo(new byte[] {'p'});
            assertThat(connect.login().toString()).doesNotContain("112").doesNotContain("pass");
            Packet.Will will = connect.will();
            assertThat(will).isNotNull();
            assertThat(will.topic()).isEqualTo("w/t");
            assertThat(will.qos()).isEqualTo(2);
            assertThat(will.retain()).isTrue();
            assertThat(text(will.payload())).isEqualTo("bye");
            assertThat(will.properties().number(Property.WILL_DELAY_INTERVAL, 0))
                    .isEqualTo(version == MqttVersion.MQTT_5 ? 30 : 0);
        }
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }

    @net.jqwik.api.Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void publish(
            @ForAll @StringLength(max = 20) String anyTopic,
            @ForAll @StringLength(max = 400) String anyPayload,
            @ForAll @IntRange(max = 2) int qos,
            @ForAll @IntRange(min = 1, max = 65535) int packetId,
            @ForAll boolean five) {
        // The other codec refuses wildcards; ours leaves them to whoever knows topics.
        String topic = "t" + encodable(anyTopic).replace("+", "").replace("#", "");
        String payload = encodable(anyPayload);
        MqttProperties properties = new MqttProperties();
        Properties expected = new Properties();
        if (five) {
            fill(properties, expected, topic, payload);
        }
        MqttPublishMessage message = new MqttPublishMessage(
                new MqttFixedHeader(MqttMessageType.PUBLISH, qos == 2, MqttQoS.valueOf(qos), qos == 1, 0),
                new MqttPublishVariableHeader(topic, qos == 0 ? 0 : packetId, properties),
                Unpooled.copiedBuffer(payload, StandardCharsets.UTF_8));
        EmbeddedChannel other = other();
        MqttVersion version = five ? MqttVersion.MQTT_5 : MqttVersion.MQTT_3_1_1;
        Packet.Publish publish = (Packet.Publish)
                decoded(written(other, connect(version), message)).get(1);
        assertThat(publish.topic()).isEqualTo(topic);
        assertThat(publish.qos()).isEqualTo(qos);
        assertThat(publish.duplicate()).isEqualTo(qos == 2);
        assertThat(publish.retain()).isEqualTo(qos == 1);
        assertThat(publish.packetId()).isEqualTo(qos == 0 ? 0 : packetId);
        assertThat(text(publish.payload())).isEqualTo(payload);
        assertThat(publish.properties()).usingRecursiveComparison().isEqualTo(five ? expected : Properties.NONE);
        reencoded(other, publish, five);
    }

    private static void fill(MqttProperties properties, Properties expected, String topic, String payload) {
        properties.add(new MqttProperties.IntegerProperty(0x01, 1));
        properties.add(new MqttProperties.IntegerProperty(0x02, 77));
        properties.add(new MqttProperties.StringProperty(0x03, "text/plain"));
        properties.add(new MqttProperties.StringProperty(0x08, topic));
        properties.add(new MqttProperties.BinaryProperty(0x09, new byte[] {0, 1}));
        properties.add(new MqttProperties.UserProperty("a", payload));
        properties.add(new MqttProperties.UserProperty("a", "2"));
        expected.set(Property.PAYLOAD_FORMAT_INDICATOR, 1)
                .set(Property.MESSAGE_EXPIRY_INTERVAL, 77)
                .set(Property.CONTENT_TYPE, "text/plain")
                .set(Property.RESPONSE_TOPIC, topic)
                .set(Property.CORRELATION_DATA, new byte[] {0, 1})
                .add(new UserProperty("a", payload))
                .add(new UserProperty("a", "2"));
    }

    private static void reencoded(EmbeddedChannel other, Packet.Publish publish, boolean five) {
        PacketEncoder encoder = new PacketEncoder();
        encoder.speak(five ? Version.V5 : Version.V3_1_1, Long.MAX_VALUE);
        int first = (publish.duplicate() ? 8 : 0) | publish.qos() << 1 | (publish.retain() ? 1 : 0);
        assertThat(encoder.publish(first, publish.topic(), publish.packetId(), publish.properties(), publish.payload()))
                .isTrue();
        other.writeInbound(Unpooled.wrappedBuffer(encoder.take()));
        MqttPublishMessage back = other.readInbound();
        assertThat(back.decoderResult().isSuccess()).isTrue();
        assertThat(back.variableHeader().topicName()).isEqualTo(publish.topic());
        assertThat(back.fixedHeader().qosLevel().value()).isEqualTo(publish.qos());
        assertThat(back.fixedHeader().isDup()).isEqualTo(publish.duplicate());
        assertThat(back.fixedHeader().isRetain()).isEqualTo(publish.retain());
        assertThat(back.payload().toString(StandardCharsets.UTF_8)).isEqualTo(text(publish.payload()));
        MqttProperties properties = back.variableHeader().properties();
        assertThat(properties.listAll()).hasSize(five ? 6 : 0);
        if (five) {
            assertThat(properties.getProperty(0x02).value()).isEqualTo(77);
            assertThat(properties.getProperty(0x08).value()).isEqualTo(publish.topic());
            assertThat(((MqttProperties.UserProperties) properties.getProperty(0x26)).value())
                    .hasSize(2);
        }
        back.release();
    }

    /** Without what MQTT cannot carry: U+0000 and halves of surrogate pairs. */
    private static String encodable(String any) {
        StringBuilder text = new StringBuilder();
        any.codePoints().filter(it -> it != 0 && (it < 0xD800 || it > 0xDFFF)).forEach(text::appendCodePoint);
        return text.toString();
    }

    @net.jqwik.api.Example
    void answers() {
        for (boolean five : new boolean[] {false, true}) {
            EmbeddedChannel other = other();
            written(other, connect(five ? MqttVersion.MQTT_5 : MqttVersion.MQTT_3_1_1));
            PacketEncoder encoder = new PacketEncoder();
            encoder.speak(five ? Version.V5 : Version.V3_1_1, Long.MAX_VALUE);
            encoder.connack(
                    true,
                    ReasonCode.NOT_AUTHORIZED,
                    new Properties().set(Property.REASON_STRING, "no").set(Property.RECEIVE_MAXIMUM, 5));
            encoder.suback(7, List.of(ReasonCode.GRANTED_QOS_2, ReasonCode.NOT_AUTHORIZED));
            encoder.unsuback(8, List.of(ReasonCode.NO_SUBSCRIPTION_EXISTED));
            encoder.ack(PacketType.PUBREC, 9, ReasonCode.QUOTA_EXCEEDED);
            encoder.ack(PacketType.PUBREL, 10, ReasonCode.SUCCESS);
            encoder.pingresp();
            encoder.disconnect(ReasonCode.SESSION_TAKEN_OVER, Properties.NONE);
            other.writeInbound(Unpooled.wrappedBuffer(encoder.take()));
            check(other, five);
        }
    }

    private static void check(EmbeddedChannel other, boolean five) {
        MqttConnAckMessage connack = other.readInbound();
        assertThat(connack.variableHeader().isSessionPresent()).isTrue();
        assertThat(connack.variableHeader().connectReturnCode().byteValue()).isEqualTo((byte) (five ? 0x87 : 5));
        assertThat(connack.variableHeader().properties().listAll()).hasSize(five ? 2 : 0);
        MqttSubAckMessage suback = other.readInbound();
        assertThat(suback.payload().reasonCodes()).containsExactly(2, five ? 0x87 : 0x80);
        MqttMessage unsuback = other.readInbound();
        assertThat(unsuback.fixedHeader().messageType()).isEqualTo(MqttMessageType.UNSUBACK);
        MqttMessage pubrec = other.readInbound();
        if (five) {
            assertThat(((MqttPubReplyMessageVariableHeader) pubrec.variableHeader()).reasonCode())
                    .isEqualTo((byte) 0x97);
        }
        MqttMessage pubrel = other.readInbound();
        assertThat(pubrel.fixedHeader().messageType()).isEqualTo(MqttMessageType.PUBREL);
        MqttMessage pong = other.readInbound();
        assertThat(pong.fixedHeader().messageType()).isEqualTo(MqttMessageType.PINGRESP);
        MqttMessage last = other.readInbound();
        assertThat(last == null).isEqualTo(!five);
        if (five) {
            assertThat(((MqttReasonCodeAndPropertiesVariableHeader) last.variableHeader()).reasonCode())
                    .isEqualTo((byte) 0x8E);
        }
    }

    @net.jqwik.api.Example
    void whatIsLargerThanTheClientTakesIsNotWritten() {
        PacketEncoder encoder = new PacketEncoder();
        encoder.speak(Version.V5, 20);
        byte[] payload = new byte[16];
        assertThat(encoder.publish(0, "t", 0, Properties.NONE, ByteBuffer.wrap(payload, 0, 14)))
                .isTrue();
        assertThat(encoder.size()).isEqualTo(20);
        assertThat(encoder.publish(0, "t", 0, Properties.NONE, ByteBuffer.wrap(payload, 0, 15)))
                .isFalse();
        assertThat(encoder.size()).isEqualTo(20);
        encoder.disconnect(ReasonCode.QUOTA_EXCEEDED, new Properties().set(Property.REASON_STRING, "x".repeat(99)));
        assertThat(encoder.size()).as("without its reason string").isEqualTo(24);
    }
}
