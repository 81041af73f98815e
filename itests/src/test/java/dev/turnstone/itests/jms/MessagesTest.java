package dev.turnstone.itests.jms;

import static dev.turnstone.itests.jms.Jms.SOON_MS;
import static dev.turnstone.itests.jms.Jms.consumer;
import static dev.turnstone.itests.jms.Jms.producer;
import static dev.turnstone.itests.jms.Jms.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.Collections;
import java.util.Enumeration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is sent is what is received: bodies, headers, properties (case J19 where it concerns them). */
@ExtendWith(FreshBroker.class)
final class MessagesTest {
    private Connection connection;
    private Session session;

    @BeforeEach
    void connect(ConnectionFactory factory) throws JMSException {
        connection = started(factory);
        session = connection.createSession();
    }

    @AfterEach
    void disconnect() throws JMSException {
        connection.close();
    }

    private Message sent(Message message) throws JMSException {
        producer(session, "q").send(message);
        try (MessageConsumer consumer = consumer(session, "q")) {
            return consumer.receive(SOON_MS);
        }
    }

    @Test
    void textArrivesAsItWasSent() throws JMSException {
        String text = "Grüße, 世界 😀\0\n";
        assertThat(((TextMessage) sent(session.createTextMessage(text))).getText())
                .isEqualTo(text);
    }

    @Test
    void aTextMessageMayHaveNoText() throws JMSException {
        assertThat(((TextMessage) sent(session.createTextMessage())).getText()).isNull();
    }

    @Test
    void bytesArriveAsTheyWereSentAndTheSenderMayWriteOn() throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeInt(42);
        producer(session, "q").send(message);
        message.writeInt(43);
        BytesMessage received = (BytesMessage) consumer(session, "q").receive(SOON_MS);
        assertThat(received.getBodyLength()).isEqualTo(4);
        assertThat(received.readInt()).isEqualTo(42);
    }

    @Test
    void aMessageWithoutBodyArrivesAsOne() throws JMSException {
        Message received = sent(session.createMessage());
        assertThat(received).isNotInstanceOf(TextMessage.class).isNotInstanceOf(BytesMessage.class);
        assertThat(received.getBody(String.class)).isNull();
    }

    @Test
    void headersThatTheClientSetsArrive() throws JMSException {
        Message message = session.createMessage();
        Queue answers = session.createQueue("answers");
        message.setJMSReplyTo(answers);
        message.setJMSType("order");
        message.setJMSCorrelationID("c-1");
        Message received = sent(message);
        assertThat(received.getJMSReplyTo()).isEqualTo(answers);
        assertThat(received.getJMSType()).isEqualTo("order");
        assertThat(received.getJMSCorrelationID()).isEqualTo("c-1");
        Message other = session.createMessage();
        other.setJMSCorrelationIDAsBytes(new byte[] {1, -1});
        assertThat(sent(other).getJMSCorrelationIDAsBytes()).containsExactly(1, -1);
    }

    @Test
    void headersThatTheSendSetsAreTheSameOnBothSides() throws JMSException {
        Message message = session.createTextMessage("x");
        message.setJMSPriority(1);
        message.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
        message.setJMSMessageID("mine");
        long before = System.currentTimeMillis();
        producer(session, "q").send(message, DeliveryMode.PERSISTENT, 7, 60_000);
        long after = System.currentTimeMillis();
        Message received = consumer(session, "q").receive(SOON_MS);
        for (Message side : new Message[] {message, received}) {
            assertThat(side.getJMSMessageID()).startsWith("ID:").isEqualTo(message.getJMSMessageID());
            assertThat(side.getJMSTimestamp()).isBetween(before, after);
            assertThat(side.getJMSDeliveryTime()).isEqualTo(side.getJMSTimestamp());
            assertThat(side.getJMSExpiration()).isEqualTo(side.getJMSTimestamp() + 60_000);
            assertThat(side.getJMSPriority()).isEqualTo(7);
            assertThat(side.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
            assertThat(side.getJMSDestination()).isEqualTo(session.createQueue("q"));
            assertThat(side.getJMSRedelivered()).isFalse();
        }
    }

    @Test
    void idAndTimestampCanBeLeftOut() throws JMSException {
        MessageProducer producer = producer(session, "q");
        producer.setDisableMessageID(true);
        producer.setDisableMessageTimestamp(true);
        Message sent = session.createMessage();
        long before = System.currentTimeMillis();
        producer.send(sent);
        long after = System.currentTimeMillis();
        Message received = consumer(session, "q").receive(SOON_MS);
        assertThat(received.getJMSMessageID()).isNull();
        assertThat(received.getJMSTimestamp()).isZero();
        assertThat(sent.getJMSDeliveryTime()).isBetween(before, after);
        assertThat(received.getJMSDeliveryTime()).isEqualTo(sent.getJMSDeliveryTime());
    }

    @Test
    void propertiesArriveWithTheirTypesAndTheDeliveryCountIsAlwaysThere() throws JMSException {
        Message message = session.createMessage();
        message.setBooleanProperty("flag", true);
        message.setByteProperty("byte", (byte) 1);
        message.setShortProperty("short", (short) 2);
        message.setIntProperty("int", 3);
        message.setLongProperty("long", 4);
        message.setFloatProperty("float", 5);
        message.setDoubleProperty("double", 6);
        message.setStringProperty("text", "seven");
        message.setObjectProperty("nothing", null);
        message.setStringProperty("JMSXGroupID", "g");
        message.setIntProperty("JMSXGroupSeq", 8);
        Message received = sent(message);
        for (Object name : Collections.list((Enumeration<?>) message.getPropertyNames())) {
            assertThat(received.getObjectProperty((String) name)).isEqualTo(message.getObjectProperty((String) name));
        }
        assertThat(Collections.list(
                        (Enumeration<?>) sent(session.createMessage()).getPropertyNames()))
                .asString()
                .isEqualTo("[JMSXDeliveryCount]");
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThatThrownBy(() -> received.setIntProperty("int", 4)).isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    void aReceivedMessageCanBeSentOn() throws JMSException {
        Message message = session.createTextMessage("x");
        message.setIntProperty("n", 1);
        Message received = sent(message);
        producer(session, "other").send(received);
        Message again = consumer(session, "other").receive(SOON_MS);
        assertThat(((TextMessage) again).getText()).isEqualTo("x");
        assertThat(again.getIntProperty("n")).isEqualTo(1);
        assertThat(again.getJMSDestination()).isEqualTo(session.createQueue("other"));
    }

    @Test
    void anUnidentifiedProducerNeedsADestination() throws JMSException {
        MessageProducer producer = session.createProducer(null);
        assertThatThrownBy(() -> producer.send(null, session.createMessage()))
                .isInstanceOf(InvalidDestinationException.class);
        producer.send(session.createQueue("q"), session.createTextMessage("x"));
        assertThat(Jms.next(consumer(session, "q"))).isEqualTo("x");
    }

    @Test
    void anExpiredMessageIsNotDelivered() throws JMSException {
        MessageProducer producer = producer(session, "q");
        producer.setTimeToLive(1);
        producer.send(session.createTextMessage("short-lived"));
        producer.setTimeToLive(0);
        producer.send(session.createTextMessage("long-lived"));
        org.awaitility.Awaitility.await()
                .pollDelay(java.time.Duration.ofMillis(20))
                .until(() -> true);
        assertThat(Jms.next(consumer(session, "q"))).isEqualTo("long-lived");
    }
}
