package dev.turnstone.itests.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that are stored apart, to and from clients whose messages go in one piece. */
@Timeout(120)
final class LargeBodiesTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String HOST = "127.0.0.1";
    private static final int LENGTH = (3 << 20) + 11;
    private static final int WHOLE_MAX = 4 << 20;

    @TempDir
    private Path folder;

    private EmbeddedBroker broker;
    private JMSContext jms;
    private StompClient stomp;
    private MqttPeer mqtt;
    private Queue queue;

    @BeforeEach
    void start() throws IOException {
        broker = EmbeddedBroker.start(BrokerSettings.in(folder));
        broker.share();
        String most = Integer.toString(WHOLE_MAX);
        int stompPort = broker.listen(
                        "stomp", HOST, 0, Map.of("bodyBytesMax", most, "frameBytesMax", most, "wholeBytesMax", most))
                .port();
        int mqttPort = broker.listen("mqtt", HOST, 0, Map.of("packetBytesMax", most, "wholeBytesMax", most))
                .port();
        jms = new TurnstoneConnectionFactory("vm://?data=" + folder).createContext();
        queue = jms.createQueue("q");
        stomp = StompClient.connect(HOST, stompPort);
        mqtt = MqttPeer.connect(mqttPort, MqttLogin.v5("mqtt"));
    }

    @AfterEach
    void stop() throws IOException {
        mqtt.close();
        stomp.close();
        jms.close();
        broker.close();
    }

    private static byte[] content(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private int chunks() {
        String[] names = folder.resolve("pages").toFile().list((pages, name) -> name.startsWith("4"));
        return names == null ? 0 : names.length;
    }

    @Test
    void aStompClientGetsALargeBodyInOnePieceAndInItsPlace() throws IOException {
        byte[] content = content(LENGTH);
        jms.createProducer().send(queue, "before");
        jms.createProducer().send(queue, content);
        jms.createProducer().send(queue, "behind");
        stomp.subscribe("s", "/queue/q", "client-individual");
        StompFrame before = stomp.message(SOON);
        StompFrame large = stomp.message(SOON);
        StompFrame behind = stomp.message(SOON);
        assertThat(before.text()).isEqualTo("before");
        assertThat(large.body()).isEqualTo(content);
        assertThat(behind.text()).isEqualTo("behind");
        for (StompFrame message : new StompFrame[] {before, large, behind}) {
            stomp.ack(message);
        }
        await().atMost(SOON).until(() -> chunks() == 0);
    }

    @Test
    void whatAStompClientSendsMayBeLarge() throws IOException {
        byte[] content = content(LENGTH);
        stomp.begin("t");
        stomp.command(
                "SEND",
                content,
                "destination",
                "/queue/q",
                "content-length",
                Integer.toString(LENGTH),
                "colour",
                "red",
                "transaction",
                "t");
        stomp.commit("t");
        Message received = jms.createConsumer(queue).receive(SOON.toMillis());
        assertThat(chunks()).isPositive();
        assertThat(property(received)).isEqualTo("red");
        assertThat(body(received)).isEqualTo(content);
    }

    private static String property(Message message) {
        try {
            return message.getStringProperty("colour");
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] body(Message message) {
        try {
            return message.getBody(byte[].class);
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aBodyThatIsTooLargeForAStompClientBecomesADeadLetterAndDoesNotStopTheQueue() throws IOException {
        byte[] content = content(WHOLE_MAX + 1);
        jms.createProducer().send(queue, content);
        jms.createProducer().send(queue, "behind");
        stomp.subscribe("s", "/queue/q", "client");
        assertThat(stomp.message(SOON).text()).isEqualTo("behind");
        // A client that looks there does not get it either, and leaves it.
        stomp.subscribe("dead", "/queue/DLQ", "client");
        stomp.send("/queue/DLQ", "another");
        assertThat(stomp.message(SOON).text()).isEqualTo("another");
        stomp.close();
        Message dead = jms.createConsumer(jms.createQueue("DLQ")).receive(SOON.toMillis());
        assertThat(body(dead)).isEqualTo(content);
    }

    @Test
    void anMqttClientThatComesBackWhereABodyIsTooLargeGetsWhatIsBehindIt() throws IOException, JMSException {
        MqttLogin login = MqttLogin.v5("back").keep(1_000).property(0x21, 1);
        int small = broker.listen("mqtt", HOST, 0, Map.of("wholeBytesMax", Integer.toString(LENGTH - 1)))
                .port();
        mqtt.close();
        mqtt = MqttPeer.connect(small, login);
        mqtt.subscribe("large", 2);
        mqtt.close();
        int large = broker.listen("mqtt", HOST, 0, Map.of("wholeBytesMax", Integer.toString(WHOLE_MAX)))
                .port();
        jms.createProducer().send(jms.createTopic("large"), content(LENGTH));
        jms.createProducer().send(jms.createTopic("large"), "behind");
        mqtt = MqttPeer.connect(large, login);
        assertThat(mqtt.message().payload().readableBytes()).isEqualTo(LENGTH);
        mqtt.close();
        mqtt = MqttPeer.connect(small, login);
        assertThat(MqttPeer.text(mqtt.message())).isEqualTo("behind");
    }

    @Test
    void anMqttClientGetsAndSendsLargeBodies() throws IOException, JMSException {
        byte[] content = content(LENGTH);
        Topic topic = jms.createTopic("large");
        var consumer = jms.createConsumer(topic);
        mqtt.subscribe("large", 2);
        jms.createProducer().send(topic, content);
        MqttPublishMessage published = mqtt.message();
        byte[] received = new byte[published.payload().readableBytes()];
        published.payload().readBytes(received);
        assertThat(received).isEqualTo(content);
        mqtt.ack(MqttMessageType.PUBREC, published.variableHeader().packetId());
        mqtt.await(MqttMessageType.PUBREL, published.variableHeader().packetId());
        mqtt.ack(MqttMessageType.PUBCOMP, published.variableHeader().packetId());
        assertThat(body(consumer.receive(SOON.toMillis()))).isEqualTo(content);

        String text = "m\u00fcll".repeat(500_000);
        mqtt.publish("large", text, 2, 7, false, true, MqttProperties.NO_PROPERTIES);
        mqtt.await(MqttMessageType.PUBREC, 7);
        mqtt.ack(MqttMessageType.PUBREL, 7);
        mqtt.await(MqttMessageType.PUBCOMP, 7);
        byte[] sent = body(consumer.receive(SOON.toMillis()));
        assertThat(new String(sent, java.nio.charset.StandardCharsets.UTF_8)).isEqualTo(text);
    }
}
