package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §3.12: a provider sends messages that are not its own. */
@EveryClient
final class ForeignMessageTest {
    @RegisterExtension
    final Messaging jms;

    private Session session;

    ForeignMessageTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        session = jms.session();
    }

    @Test
    void headersAndPropertiesGoWithIt() throws JMSException {
        Queue replies = jms.queue();
        Message sent = ForeignMessage.like(Message.class, session, Session::createMessage);
        sent.setJMSCorrelationID("c");
        sent.setJMSType("t");
        sent.setJMSReplyTo(replies);
        sent.setIntProperty("n", 1);
        sent.setStringProperty("s", "two");
        Message received = jms.exchanged(sent, Message.class);
        assertThat(received.getJMSCorrelationID()).isEqualTo("c");
        assertThat(received.getJMSType()).isEqualTo("t");
        assertThat(received.getJMSReplyTo()).isEqualTo(replies);
        assertThat(received.getObjectProperty("n")).isEqualTo(1);
        assertThat(received.getObjectProperty("s")).isEqualTo("two");
    }

    @Test
    void theSendSetsItsHeaders() throws JMSException {
        Queue queue = jms.queue();
        TextMessage sent = ForeignMessage.like(TextMessage.class, session, Session::createTextMessage);
        sent.setText("text");
        long before = System.currentTimeMillis();
        session.createProducer(queue).send(sent, DeliveryMode.NON_PERSISTENT, 8, 100_000);
        long after = System.currentTimeMillis();
        assertThat(sent.getJMSMessageID()).startsWith("ID:");
        assertThat(sent.getJMSDestination()).isEqualTo(queue);
        assertThat(sent.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(sent.getJMSPriority()).isEqualTo(8);
        assertThat(sent.getJMSTimestamp()).isBetween(before, after);
        assertThat(sent.getJMSExpiration()).isEqualTo(sent.getJMSTimestamp() + 100_000);
        assertThat(sent.getJMSDeliveryTime()).isEqualTo(sent.getJMSTimestamp());
    }

    @Test
    void aTextBodyGoesWithIt() throws JMSException {
        TextMessage text = ForeignMessage.like(TextMessage.class, session, Session::createTextMessage);
        text.setText("text");
        assertThat(jms.exchanged(text, TextMessage.class).getText()).isEqualTo("text");
    }

    @Test
    void aBytesBodyGoesWithItWhole() throws JMSException {
        byte[] body = new byte[10_000];
        body[9_999] = 1;
        BytesMessage bytes = ForeignMessage.like(BytesMessage.class, session, Session::createBytesMessage);
        bytes.writeBytes(body);
        assertThat(jms.exchanged(bytes, BytesMessage.class).getBody(byte[].class))
                .isEqualTo(body);
    }

    @Test
    void aMapBodyGoesWithIt() throws JMSException {
        MapMessage map = ForeignMessage.like(MapMessage.class, session, Session::createMapMessage);
        map.setLong("n", 1);
        map.setBytes("b", new byte[] {2});
        map.setString("null", null);
        MapMessage received = jms.exchanged(map, MapMessage.class);
        assertThat(received.getObject("n")).isEqualTo(1L);
        assertThat(received.getBytes("b")).containsExactly(2);
        assertThat(received.itemExists("null")).isTrue();
    }

    @Test
    void aStreamBodyGoesWithIt() throws JMSException {
        StreamMessage stream = ForeignMessage.like(StreamMessage.class, session, Session::createStreamMessage);
        stream.writeChar('c');
        stream.writeBytes(new byte[] {1, 2});
        stream.writeObject(null);
        stream.writeDouble(2.5);
        StreamMessage received = jms.exchanged(stream, StreamMessage.class);
        assertThat(received.readChar()).isEqualTo('c');
        assertThat(received.readObject()).isEqualTo(new byte[] {1, 2});
        assertThat(received.readObject()).isNull();
        assertThat(received.readDouble()).isEqualTo(2.5);
    }

    @Test
    void anObjectBodyGoesWithIt() throws JMSException {
        ObjectMessage object = ForeignMessage.like(ObjectMessage.class, session, Session::createObjectMessage);
        object.setObject("an object");
        assertThat(jms.exchanged(object, ObjectMessage.class).getObject()).isEqualTo("an object");
    }
}
