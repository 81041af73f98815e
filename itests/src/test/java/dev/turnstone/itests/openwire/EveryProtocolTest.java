package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.itests.security.SecuredConnector;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.IntegerProperty;
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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every message type that a protocol can send, as every protocol receives it. */
@Timeout(60)
final class EveryProtocolTest {
    private static final String TEXT = "text \u00e4 \u20ac \ud83d\ude00";
    private static final byte[] BYTES = {0, 1, -1, 127, -128};
    private static final Duration SOON = Duration.ofSeconds(20);

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
                broker.broker()
                        .listen("stomp", "127.0.0.1", 0, java.util.Map.of())
                        .port());
        int mqttPort = broker.broker()
                .listen("mqtt", "127.0.0.1", 0, java.util.Map.of())
                .port();
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

        check(byJms.receive(SOON.toMillis()), kind);
        check(byOpenWire.receive(SOON.toMillis()), kind);
        check(stomp.message(SOON), kind);
        check(mqtt.message(), kind);
    }

    private void send(String sender, Kind kind) throws IOException, JMSException {
        switch (sender) {
            case "jms" -> send(jms, kind);
            case "openwire" -> send(openWire, kind);
            case "stomp" -> {
                String type = kind == Kind.TEXT ? "text/plain" : "application/octet-stream";
                byte[] body = kind == Kind.TEXT ? TEXT.getBytes(StandardCharsets.UTF_8) : BYTES;
                stomp.command("SEND", body, "destination", "/topic/matrix.all", "content-type", type);
            }
            default -> {
                MqttProperties properties = new MqttProperties();
                properties.add(new IntegerProperty(0x01, kind == Kind.TEXT ? 1 : 0));
                if (kind == Kind.TEXT) {
                    mqtt.publish("matrix/all", TEXT, 1, 1, false, false, properties);
                } else {
                    // PUBLISH at QoS 1, packet identifier 1, no properties.
                    mqtt.raw("3214000a6d61747269782f616c6c0001000001ff7f80");
                }
                mqtt.await(MqttMessageType.PUBACK, 1);
            }
        }
    }

    private static void send(Session session, Kind kind) throws JMSException {
        Topic topic = session.createTopic("matrix.all");
        session.createProducer(topic).send(message(session, kind));
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

    private static void check(StompFrame frame, Kind kind) {
        switch (kind) {
            case TEXT -> assertThat(frame.text()).isEqualTo(TEXT);
            case BYTES -> assertThat(frame.body()).isEqualTo(BYTES);
            case NONE -> assertThat(frame.body()).isEmpty();
            default -> assertThat(frame.header("content-type")).isEqualTo(contentType(kind));
        }
    }

    private static void check(MqttPublishMessage message, Kind kind) {
        byte[] body = new byte[message.payload().readableBytes()];
        message.payload().getBytes(message.payload().readerIndex(), body);
        switch (kind) {
            case TEXT -> assertThat(new String(body, StandardCharsets.UTF_8)).isEqualTo(TEXT);
            case BYTES -> assertThat(body).isEqualTo(BYTES);
            case NONE -> assertThat(body).isEmpty();
            default -> {
                assertThat(message.variableHeader()
                                .properties()
                                .getProperty(0x03)
                                .value())
                        .isEqualTo(contentType(kind));
                assertThat(body).isNotEmpty();
            }
        }
    }
}
