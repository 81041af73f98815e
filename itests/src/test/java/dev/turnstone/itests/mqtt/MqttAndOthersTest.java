package dev.turnstone.itests.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import dev.turnstone.testkit.transport.Ports;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.BinaryProperty;
import io.netty.handler.codec.mqtt.MqttProperties.IntegerProperty;
import io.netty.handler.codec.mqtt.MqttProperties.StringProperty;
import io.netty.handler.codec.mqtt.MqttProperties.UserProperties;
import io.netty.handler.codec.mqtt.MqttProperties.UserProperty;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jakarta Messaging, STOMP and MQTT on the same topics: the case M20 and the table of docs/mqtt.md. */
class MqttAndOthersTest {
    private static final long SOON_MS = 10_000;

    @TempDir
    Path data;

    private Connection connection;
    private Session session;
    private StompClient stomp;
    private MqttPeer mqtt;

    @BeforeEach
    void start() throws IOException, JMSException {
        int stompPort = Ports.free();
        int mqttPort = Ports.free();
        TurnstoneConnectionFactory factory = new TurnstoneConnectionFactory(
                "vm://?data=" + data + "&listen=stomp=127.0.0.1:" + stompPort + "&listen=mqtt=127.0.0.1:" + mqttPort);
        factory.setClientID("jms");
        connection = factory.createConnection();
        connection.start();
        session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        stomp = StompClient.connect("127.0.0.1", stompPort);
        mqtt = MqttPeer.connect(mqttPort, MqttLogin.v5("mqtt"));
    }

    @AfterEach
    void stop() throws IOException, JMSException {
        mqtt.close();
        stomp.close();
        connection.close();
    }

    private void publish(String topic, MqttProperties properties) throws IOException {
        mqtt.publish(topic, "21.5", 1, 1, false, false, properties);
        mqtt.await(MqttMessageType.PUBACK, 1);
    }

    @Test
    void allMeetOnATopic() throws Exception {
        Topic topic = session.createTopic("home.kitchen");
        MessageConsumer jms = session.createConsumer(topic);
        MessageConsumer durable = session.createDurableConsumer(topic, "kept");
        stomp.subscribe("s", "/topic/home.kitchen", "auto");
        mqtt.subscribe("home/+", 1);
        MessageProducer producer = session.createProducer(topic);

        producer.send(session.createTextMessage("from jms"));
        stomp.sendConfirmed("/topic/home.kitchen", "from stomp");
        MqttPublishMessage fromJms = mqtt.message();
        MqttPublishMessage fromStomp = mqtt.message();
        assertThat(MqttPeer.text(fromJms)).isEqualTo("from jms");
        assertThat(MqttPeer.text(fromStomp)).isEqualTo("from stomp");
        assertThat(fromJms.variableHeader().topicName()).isEqualTo("home/kitchen");
        mqtt.ack(MqttMessageType.PUBACK, fromJms.variableHeader().packetId());
        mqtt.ack(MqttMessageType.PUBACK, fromStomp.variableHeader().packetId());
        mqtt.publish("home/kitchen", "from mqtt", 0, 0);
        assertThat(MqttPeer.text(mqtt.message())).isEqualTo("from mqtt");

        for (MessageConsumer consumer : new MessageConsumer[] {jms, durable}) {
            assertThat(((TextMessage) consumer.receive(SOON_MS)).getText()).isEqualTo("from jms");
            assertThat(((TextMessage) consumer.receive(SOON_MS)).getText()).isEqualTo("from stomp");
            BytesMessage bytes = (BytesMessage) consumer.receive(SOON_MS);
            assertThat(bytes.getBody(byte[].class)).isEqualTo("from mqtt".getBytes(StandardCharsets.UTF_8));
            assertThat(bytes.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        }
        assertThat(stomp.message(Duration.ofSeconds(10)).text()).isEqualTo("from jms");
        assertThat(stomp.message(Duration.ofSeconds(10)).text()).isEqualTo("from stomp");
        assertThat(stomp.message(Duration.ofSeconds(10)).text()).isEqualTo("from mqtt");
    }

    @Test
    void propertiesOfMqttAreThoseOfJmsAndHeadersOfStomp() throws Exception {
        MessageConsumer consumer = session.createConsumer(session.createTopic("t"));
        stomp.subscribe("s", "/topic/t", "auto");
        MqttProperties properties = new MqttProperties();
        properties.add(new IntegerProperty(0x01, 1));
        properties.add(new IntegerProperty(0x02, 100));
        properties.add(new StringProperty(0x03, "text/plain"));
        properties.add(new StringProperty(0x08, "answers/here"));
        properties.add(new BinaryProperty(0x09, new byte[] {1, 2}));
        properties.add(new UserProperty("colour", "red"));
        publish("t", properties);

        TextMessage message = (TextMessage) consumer.receive(SOON_MS);
        assertThat(message.getText()).isEqualTo("21.5");
        assertThat(message.getStringProperty("colour")).isEqualTo("red");
        assertThat(message.getJMSReplyTo()).isEqualTo(session.createTopic("answers.here"));
        assertThat(message.getJMSCorrelationIDAsBytes()).containsExactly(1, 2);
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(message.getJMSExpiration() - message.getJMSTimestamp()).isEqualTo(100_000);
        assertThat(message.getJMSMessageID()).startsWith("ID:mqtt-");
        StompFrame frame = stomp.message(Duration.ofSeconds(10));
        assertThat(frame.header("content-type")).isEqualTo("text/plain");
        assertThat(frame.header("colour")).isEqualTo("red");
        assertThat(frame.header("reply-to")).isEqualTo("/topic/answers.here");
    }

    @Test
    void propertiesOfJmsArePropertiesOfMqtt() throws Exception {
        mqtt.subscribe("t", 2);
        TextMessage message = session.createTextMessage("hi");
        message.setIntProperty("number", 42);
        message.setJMSType("order");
        message.setJMSCorrelationID("c1");
        message.setJMSReplyTo(session.createTopic("back.here"));
        MessageProducer producer = session.createProducer(session.createTopic("t"));
        producer.setTimeToLive(60_000);
        producer.send(message);

        MqttPublishMessage publish = mqtt.message();
        MqttProperties properties = publish.variableHeader().properties();
        assertThat(publish.fixedHeader().qosLevel().value()).isEqualTo(2);
        assertThat(properties.getProperty(0x01).value()).isEqualTo(1);
        assertThat((Integer) properties.getProperty(0x02).value()).isBetween(50, 60);
        assertThat(properties.getProperty(0x08).value()).isEqualTo("back/here");
        assertThat(properties.getProperty(0x09).value()).isEqualTo("c1".getBytes(StandardCharsets.UTF_8));
        assertThat(((UserProperties) properties.getProperty(0x26)).value())
                .extracting(pair -> pair.key + "=" + pair.value)
                .containsExactly("number=42", "JMSType=order");
    }

    @Test
    void aRequestFromMqttIsAnsweredByJms() throws Exception {
        MessageConsumer consumer = session.createConsumer(session.createTopic("requests"));
        mqtt.subscribe("answers/mqtt", 1);
        MqttProperties properties = new MqttProperties();
        properties.add(new StringProperty(0x08, "answers/mqtt"));
        properties.add(new BinaryProperty(0x09, new byte[] {7}));
        publish("requests", properties);
        jakarta.jms.Message request = consumer.receive(SOON_MS);
        TextMessage answer = session.createTextMessage("answer");
        answer.setJMSCorrelationIDAsBytes(request.getJMSCorrelationIDAsBytes());
        session.createProducer(request.getJMSReplyTo()).send(answer);
        MqttPublishMessage publish = mqtt.message();
        assertThat(MqttPeer.text(publish)).isEqualTo("answer");
        assertThat(publish.variableHeader().properties().getProperty(0x09).value())
                .isEqualTo(new byte[] {7});
    }

    @Test
    void aRequestFromJmsIsAnsweredToItsTemporaryTopic() throws Exception {
        Topic temporary = session.createTemporaryTopic();
        MessageConsumer consumer = session.createConsumer(temporary);
        mqtt.subscribe("requests", 1);
        TextMessage request = session.createTextMessage("question");
        request.setJMSReplyTo(temporary);
        session.createProducer(session.createTopic("requests")).send(request);
        String answerTo = (String)
                mqtt.message().variableHeader().properties().getProperty(0x08).value();
        mqtt.publish(answerTo, "answer", 0, 0);
        assertThat(((BytesMessage) consumer.receive(SOON_MS)).getBody(byte[].class))
                .isEqualTo("answer".getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource({"a.b/c, a%2Eb.c", "*/>, %2A.%3E", "a//b, a..b", "a.b, a%2Eb", "x%2Fy, x/y", "*, %2A"})
    void m20_namesComeThroughBothWays(String name, String elsewhere) throws Exception {
        MessageConsumer consumer = session.createConsumer(session.createTopic(elsewhere));
        mqtt.subscribe(name, 0);
        mqtt.publish(name, "there", 0, 0);
        assertThat(consumer.receive(SOON_MS).getJMSDestination()).isEqualTo(session.createTopic(elsewhere));
        assertThat(mqtt.message().variableHeader().topicName()).isEqualTo(name);
        session.createProducer(session.createTopic(elsewhere)).send(session.createTextMessage("back"));
        assertThat(mqtt.message().variableHeader().topicName()).isEqualTo(name);
    }
}
