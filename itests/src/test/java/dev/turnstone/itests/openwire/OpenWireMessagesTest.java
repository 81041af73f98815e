package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.List;
import java.util.Map;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.command.ActiveMQMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class OpenWireMessagesTest {
    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    private static final String ALL_CHARACTERS = "plain \u0000 \u00e4 \u20ac \ud83d\ude00 end";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?wireFormat.tightEncodingEnabled=false",
                "?wireFormat.cacheEnabled=false",
                "?wireFormat.tightEncodingEnabled=false&wireFormat.cacheEnabled=false",
                "?wireFormat.cacheSize=128",
                "?wireFormat.version=9",
                "?wireFormat.version=10",
                "?wireFormat.version=11&wireFormat.maxInactivityDuration=0"
            })
    void everyBodyCrossesInEveryFormOfTheProtocol(String options) throws JMSException {
        ActiveMQConnectionFactory factory = broker.factory(options);
        factory.setTrustAllPackages(true);
        Session session = broker.connect(factory).createSession();
        Queue queue = session.createQueue("bodies");
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);

        producer.send(session.createTextMessage(ALL_CHARACTERS));
        assertThat(((TextMessage) received(consumer)).getText()).isEqualTo(ALL_CHARACTERS);

        producer.send(session.createTextMessage("x".repeat(100_000)));
        assertThat(((TextMessage) received(consumer)).getText()).hasSize(100_000);

        producer.send(session.createTextMessage());
        assertThat(((TextMessage) received(consumer)).getText()).isNull();

        producer.send(session.createTextMessage(""));
        assertThat(((TextMessage) received(consumer)).getText()).isEmpty();
        bytesAndObjects(session, producer, consumer);
    }

    private static void bytesAndObjects(Session session, MessageProducer producer, MessageConsumer consumer)
            throws JMSException {
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeBytes(new byte[] {0, -1, 127, -128});
        bytes.writeUTF("utf");
        producer.send(bytes);
        BytesMessage gotBytes = (BytesMessage) received(consumer);
        byte[] four = new byte[4];
        gotBytes.readBytes(four);
        assertThat(four).containsExactly(0, -1, 127, -128);
        assertThat(gotBytes.readUTF()).isEqualTo("utf");

        producer.send(session.createBytesMessage());
        assertThat(((BytesMessage) received(consumer)).getBodyLength()).isZero();

        producer.send(session.createObjectMessage(new java.util.ArrayList<>(List.of("a", 1))));
        assertThat(((ObjectMessage) received(consumer)).getObject()).isEqualTo(List.of("a", 1));

        producer.send(session.createMessage());
        assertThat(received(consumer)).isInstanceOf(ActiveMQMessage.class).isNotInstanceOf(TextMessage.class);
    }

    @Test
    void mapsAndStreamsKeepTheTypeOfEveryValue() throws JMSException {
        Session session = broker.session();
        Queue queue = session.createQueue("typed");
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        List<Object> values = List.of(
                true, (byte) 1, (short) 2, 'c', 4, 5L, 6.5f, 7.5, ALL_CHARACTERS, "y".repeat(70_000), new byte[] {1, 2
                });

        MapMessage map = session.createMapMessage();
        for (int i = 0; i < values.size(); i++) {
            map.setObject("n" + i, values.get(i));
        }
        map.setObject("null", null);
        producer.send(map);
        MapMessage gotMap = (MapMessage) received(consumer);
        for (int i = 0; i < values.size(); i++) {
            assertThat(gotMap.getObject("n" + i)).isEqualTo(values.get(i));
        }
        assertThat(gotMap.itemExists("null")).isTrue();
        assertThat(gotMap.getObject("null")).isNull();

        StreamMessage stream = session.createStreamMessage();
        for (Object value : values) {
            stream.writeObject(value);
        }
        producer.send(stream);
        StreamMessage gotStream = (StreamMessage) received(consumer);
        for (Object value : values) {
            assertThat(gotStream.readObject()).isEqualTo(value);
        }
    }

    @Test
    void headersAndPropertiesOfEveryTypeArrive() throws JMSException {
        Session session = broker.session();
        Topic topic = session.createTopic("headers");
        MessageConsumer consumer = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(topic);
        TextMessage sent = session.createTextMessage("x");
        Map<String, Object> properties = Map.of(
                "boolean", true, "byte", (byte) 1, "short", (short) 2, "int", 3, "long", 4L, "float", 5.5f, "double",
                6.5, "string", "s\u00e4");
        for (Map.Entry<String, Object> property : properties.entrySet()) {
            sent.setObjectProperty(property.getKey(), property.getValue());
        }
        sent.setJMSCorrelationID("correlation");
        sent.setJMSType("type");
        sent.setJMSReplyTo(session.createQueue("answers"));
        sent.setStringProperty("JMSXGroupID", "group");
        sent.setIntProperty("JMSXGroupSeq", 7);
        ((ActiveMQMessage) sent).setUserID("somebody");
        producer.send(sent, DeliveryMode.NON_PERSISTENT, 8, 1_000_000);

        Message got = received(consumer);
        for (Map.Entry<String, Object> property : properties.entrySet()) {
            assertThat(got.getObjectProperty(property.getKey())).isEqualTo(property.getValue());
        }
        assertThat(got.getJMSReplyTo()).isEqualTo(session.createQueue("answers"));
        assertThat(got.getJMSDestination()).isEqualTo(topic);
        assertSame(got, sent);
    }

    private static void assertSame(Message got, Message sent) throws JMSException {
        assertThat(got.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
        assertThat(got.getJMSTimestamp()).isEqualTo(sent.getJMSTimestamp());
        assertThat(got.getJMSExpiration()).isEqualTo(sent.getJMSExpiration());
        assertThat(got.getJMSCorrelationID()).isEqualTo("correlation");
        assertThat(got.getJMSType()).isEqualTo("type");
        assertThat(got.getJMSPriority()).isEqualTo(8);
        assertThat(got.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(got.getJMSRedelivered()).isFalse();
        assertThat(got.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(got.getStringProperty("JMSXGroupID")).isEqualTo("group");
        assertThat(got.getIntProperty("JMSXGroupSeq")).isEqualTo(7);
        assertThat(got.getStringProperty("JMSXUserID")).isEqualTo("somebody");
    }

    @Test
    void compressedBodiesAndNestedMapsPassThroughUnread() throws JMSException {
        ActiveMQConnectionFactory factory = broker.factory();
        factory.setUseCompression(true);
        Session session = broker.connect(factory).createSession();
        Queue queue = session.createQueue("compressed");
        MessageConsumer consumer = session.createConsumer(queue);
        MessageProducer producer = session.createProducer(queue);
        String text = "again and ".repeat(10_000);

        producer.send(session.createTextMessage(text));
        Message got = received(consumer);
        assertThat(((ActiveMQMessage) got).isCompressed()).isTrue();
        assertThat(((ActiveMQMessage) got).getContent().getLength()).isLessThan(1_000);
        assertThat(got.propertyExists("JMS_TURNSTONE_OPENWIRE_BODY")).isFalse();
        assertThat(((TextMessage) got).getText()).isEqualTo(text);

        MapMessage map = session.createMapMessage();
        map.setString("text", text);
        producer.send(map);
        assertThat(((MapMessage) received(consumer)).getString("text")).isEqualTo(text);

        Session plain = broker.session();
        MapMessage nested = plain.createMapMessage();
        nested.setObject("map", Map.of("inner", List.of(1, "two")));
        plain.createProducer(queue).send(nested);
        // The library shows texts within as its own class.
        assertThat(String.valueOf(((MapMessage) received(consumer)).getObject("map")))
                .isEqualTo("{inner=[1, two]}");
    }

    private static Message received(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(ActiveMq.SOON_MS);
        assertThat(message).isNotNull();
        return message;
    }
}
