package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.itests.security.SecuredConnector;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.port.BodyCodec;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every message type that a protocol can send, with properties, as every protocol receives it. */
@Timeout(60)
final class EveryProtocolTest {
    private static final String TEXT = "text \u00e4 \u20ac \ud83d\ude00";
    private static final byte[] BYTES = {0, 1, -1, 127, -128};
    private static final Duration SOON = Duration.ofSeconds(20);
    /** What comes with each message; STOMP and MQTT have texts for all. */
    private static final Map<String, Object> PROPERTIES =
            Map.of("text", TEXT, "number", 3, "flag", true, "half", 0.5, "JMSXUserID", "somebody");

    private static final int CONTENT_TYPE = 0x03;
    private static final int CORRELATION_DATA = 0x09;
    private static final int USER_PROPERTY = 0x26;
    private static final String CORRELATION = "c-1";
    private static final String TYPE = "kind";

    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    private Connection local;
    private Session jms;
    private Session openWire;
    private StompClient stomp;
    private MqttPeer mqtt;

    private enum Kind {
        TEXT,
        BYTES,
        MAP,
        STREAM,
        OBJECT,
        NONE
    }

    @BeforeEach
    void open() throws IOException, JMSException {
        SecuredConnector.serve(broker.data(), broker.broker().broker());
        local = new TurnstoneConnectionFactory(SecuredConnector.url(broker.data()) + "?object.allow=java.util.*")
                .createConnection();
        local.start();
        jms = local.createSession();
        ActiveMQConnectionFactory factory = broker.factory();
        factory.setTrustAllPackages(true);
        openWire = broker.connect(factory).createSession();
        stomp = StompClient.connect(
                "127.0.0.1",
                broker.broker().listen("stomp", "127.0.0.1", 0, Map.of()).port());
        int mqttPort = broker.broker().listen("mqtt", "127.0.0.1", 0, Map.of()).port();
        mqtt = MqttPeer.connect(mqttPort, MqttLogin.v5("matrix"));
    }

    @AfterEach
    void close() throws IOException, JMSException {
        mqtt.close();
        stomp.close();
        local.close();
    }

    @ParameterizedTest
    @CsvSource({
        "jms,TEXT", "jms,BYTES", "jms,MAP", "jms,STREAM", "jms,OBJECT", "jms,NONE",
        "openwire,TEXT", "openwire,BYTES", "openwire,MAP", "openwire,STREAM", "openwire,OBJECT", "openwire,NONE",
        "stomp,TEXT", "stomp,BYTES", "mqtt,TEXT", "mqtt,BYTES"
    })
    void whatOneSendsAllReceive(String sender, Kind kind) throws Exception {
        MessageConsumer byJms = jms.createConsumer(jms.createTopic("matrix.all"));
        MessageConsumer byOpenWire = openWire.createConsumer(openWire.createTopic("matrix.all"));
        stomp.subscribe("s", "/topic/matrix.all", "auto");
        mqtt.subscribe("matrix/all", 1);

        send(sender, kind);

        boolean typed = sender.equals("jms") || sender.equals("openwire");
        for (MessageConsumer consumer : List.of(byJms, byOpenWire)) {
            Message message = consumer.receive(SOON.toMillis());
            check(message, kind);
            checkProperties(message, typed);
        }
        StompFrame frame = stomp.message(SOON);
        check(frame, kind);
        checkHeaders(frame, sender);
        MqttPublishMessage publish = mqtt.message();
        check(publish, kind);
        checkUserProperties(publish.variableHeader().properties());
    }

    private static void checkProperties(Message message, boolean typed) throws JMSException {
        for (Map.Entry<String, Object> property : PROPERTIES.entrySet()) {
            Object value = property.getValue();
            assertThat(message.getObjectProperty(property.getKey()))
                    .as(property.getKey())
                    .isEqualTo(typed ? value : value.toString());
        }
        assertThat(message.getJMSCorrelationID()).isEqualTo(CORRELATION);
        assertThat(message.getJMSType()).isEqualTo(TYPE);
    }

    private static void checkHeaders(StompFrame frame, String sender) {
        PROPERTIES.forEach(
                (name, value) -> assertThat(frame.header(name)).as(name).isEqualTo(value.toString()));
        // MQTT's are bytes.
        byte[] bytes = CORRELATION.getBytes(StandardCharsets.UTF_8);
        assertThat(frame.header("correlation-id"))
                .isEqualTo(sender.equals("mqtt") ? HexFormat.of().formatHex(bytes) : CORRELATION);
        assertThat(frame.header("type")).isEqualTo(TYPE);
    }

    private static void checkUserProperties(MqttProperties properties) {
        Map<String, String> users = new HashMap<>();
        for (MqttProperties.MqttProperty<?> property : properties.getProperties(USER_PROPERTY)) {
            MqttProperties.StringPair pair = ((MqttProperties.UserProperty) property).value();
            users.put(pair.key, pair.value);
        }
        PROPERTIES.forEach((name, value) -> assertThat(users).containsEntry(name, value.toString()));
        assertThat(users).containsEntry("JMSType", TYPE);
        assertThat((byte[]) properties.getProperty(CORRELATION_DATA).value())
                .isEqualTo(CORRELATION.getBytes(StandardCharsets.UTF_8));
    }

    private void send(String sender, Kind kind) throws IOException, JMSException {
        switch (sender) {
            case "jms" -> send(jms, kind);
            case "openwire" -> send(openWire, kind);
            case "stomp" -> {
                String type = kind == Kind.TEXT ? "text/plain" : "application/octet-stream";
                stomp.command("SEND", body(kind), headers("/topic/matrix.all", type));
            }
            default -> {
                mqtt.raw(publish(kind));
                mqtt.await(MqttMessageType.PUBACK, 1);
            }
        }
    }

    private static byte[] body(Kind kind) {
        return kind == Kind.TEXT ? TEXT.getBytes(StandardCharsets.UTF_8) : BYTES;
    }

    private static String[] headers(String destination, String type) {
        List<String> headers = new ArrayList<>(
                List.of("destination", destination, "content-type", type, "correlation-id", CORRELATION, "type", TYPE));
        PROPERTIES.forEach((name, value) -> headers.addAll(List.of(name, value.toString())));
        return headers.toArray(String[]::new);
    }

    /** PUBLISH at QoS 1 with packet identifier 1. */
    private static byte[] publish(Kind kind) throws IOException {
        ByteArrayOutputStream properties = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(properties);
        out.write(new byte[] {0x01, (byte) (kind == Kind.TEXT ? 1 : 0), (byte) CORRELATION_DATA});
        out.writeUTF(CORRELATION);
        user("JMSType", TYPE, out);
        for (Map.Entry<String, Object> property : PROPERTIES.entrySet()) {
            user(property.getKey(), property.getValue().toString(), out);
        }
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        out = new DataOutputStream(rest);
        out.writeUTF("matrix/all");
        out.writeShort(1);
        out.write(length(properties.size()));
        out.write(properties.toByteArray());
        out.write(body(kind));
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.write(0x32);
        packet.writeBytes(length(rest.size()));
        packet.writeBytes(rest.toByteArray());
        return packet.toByteArray();
    }

    private static byte[] length(int length) {
        return length < 0x80
                ? new byte[] {(byte) length}
                : new byte[] {(byte) (length & 0x7f | 0x80), (byte) (length >> 7)};
    }

    private static void user(String name, String value, DataOutputStream out) throws IOException {
        out.write(USER_PROPERTY);
        for (String text : List.of(name, value)) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            out.writeShort(bytes.length);
            out.write(bytes);
        }
    }

    private static void send(Session session, Kind kind) throws JMSException {
        Topic topic = session.createTopic("matrix.all");
        Message message = message(session, kind);
        for (Map.Entry<String, Object> property : PROPERTIES.entrySet()) {
            message.setObjectProperty(property.getKey(), property.getValue());
        }
        message.setJMSCorrelationID(CORRELATION);
        message.setJMSType(TYPE);
        session.createProducer(topic).send(message);
    }

    private static Message message(Session session, Kind kind) throws JMSException {
        return switch (kind) {
            case TEXT -> session.createTextMessage(TEXT);
            case BYTES -> {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(BYTES);
                yield message;
            }
            case MAP -> {
                MapMessage message = session.createMapMessage();
                message.setInt("int", 1);
                message.setString("text", TEXT);
                yield message;
            }
            case STREAM -> {
                StreamMessage message = session.createStreamMessage();
                message.writeLong(2);
                message.writeString("s");
                yield message;
            }
            case OBJECT -> session.createObjectMessage(new ArrayList<>(List.of("a", "b")));
            case NONE -> session.createMessage();
        };
    }

    private static void check(Message message, Kind kind) throws JMSException {
        assertThat(message).isNotNull();
        switch (kind) {
            case TEXT -> assertThat(((TextMessage) message).getText()).isEqualTo(TEXT);
            case BYTES -> {
                byte[] bytes = new byte[(int) ((BytesMessage) message).getBodyLength()];
                ((BytesMessage) message).readBytes(bytes);
                assertThat(bytes).isEqualTo(BYTES);
            }
            case MAP -> {
                assertThat(((MapMessage) message).getObject("int")).isEqualTo(1);
                assertThat(((MapMessage) message).getString("text")).isEqualTo(TEXT);
            }
            case STREAM -> {
                assertThat(((StreamMessage) message).readObject()).isEqualTo(2L);
                assertThat(((StreamMessage) message).readString()).isEqualTo("s");
            }
            case OBJECT -> assertThat(((ObjectMessage) message).getObject()).isEqualTo(List.of("a", "b"));
            case NONE ->
                assertThat(message).isNotInstanceOfAny(TextMessage.class, BytesMessage.class, MapMessage.class);
        }
    }

    private static String contentType(Kind kind) {
        return "application/vnd.turnstone." + kind.name().toLowerCase(Locale.ROOT);
    }

    private static void check(StompFrame frame, Kind kind) throws IOException {
        check(frame.body(), kind);
        if (isForeign(kind)) {
            assertThat(frame.header("content-type")).isEqualTo(contentType(kind));
        }
    }

    /** True for what STOMP and MQTT have no form for: it comes in the broker's own. */
    private static boolean isForeign(Kind kind) {
        return kind == Kind.MAP || kind == Kind.STREAM || kind == Kind.OBJECT;
    }

    private static void check(MqttPublishMessage message, Kind kind) throws IOException {
        byte[] body = new byte[message.payload().readableBytes()];
        message.payload().getBytes(message.payload().readerIndex(), body);
        check(body, kind);
        if (isForeign(kind)) {
            assertThat(message.variableHeader()
                            .properties()
                            .getProperty(CONTENT_TYPE)
                            .value())
                    .isEqualTo(contentType(kind));
        }
    }

    private static void check(byte[] body, Kind kind) throws IOException {
        switch (kind) {
            case TEXT -> assertThat(new String(body, StandardCharsets.UTF_8)).isEqualTo(TEXT);
            case BYTES -> assertThat(body).isEqualTo(BYTES);
            case NONE -> assertThat(body).isEmpty();
            case MAP ->
                assertThat(BodyCodec.decodeMap(ByteBuffer.wrap(body)))
                        .containsExactlyInAnyOrderEntriesOf(Map.of("int", 1, "text", TEXT));
            case STREAM ->
                assertThat(BodyCodec.decodeStream(ByteBuffer.wrap(body))).containsExactly(2L, "s");
            case OBJECT -> {
                try (ObjectInputStream object = new ObjectInputStream(new ByteArrayInputStream(body))) {
                    assertThat(object.readObject()).isEqualTo(List.of("a", "b"));
                } catch (ClassNotFoundException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }
}
