package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.receive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Jakarta Messaging 3.1 §3.9, §3.10, §3.11.1 and §3.11.2: what may be done to a message once it was sent or received.
 */
@EveryClient
final class ReceivedMessageTest {
    @RegisterExtension
    final Messaging jms;

    private Session session;

    ReceivedMessageTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        session = jms.session();
    }

    @Test
    void changingASentMessageDoesNotChangeWhatWasSent() throws JMSException {
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        TextMessage message = session.createTextMessage("first");
        message.setIntProperty("n", 1);
        producer.send(message);
        message.setText("second");
        message.clearProperties();
        message.setIntProperty("n", 2);
        producer.send(message);

        MessageConsumer consumer = session.createConsumer(queue);
        TextMessage first = (TextMessage) receive(consumer);
        TextMessage second = (TextMessage) receive(consumer);
        assertThat(first.getText()).isEqualTo("first");
        assertThat(first.getIntProperty("n")).isEqualTo(1);
        assertThat(second.getText()).isEqualTo("second");
        assertThat(second.getIntProperty("n")).isEqualTo(2);
    }

    @Test
    void aChangedMessageIsRedeliveredAsItWasSent() throws JMSException {
        Queue queue = jms.queue();
        TextMessage message = session.createTextMessage("original");
        message.setStringProperty("p", "original");
        session.createProducer(queue).send(message);

        Session manual = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = manual.createConsumer(queue);
        TextMessage received = (TextMessage) receive(consumer);
        received.clearBody();
        received.setText("changed");
        received.clearProperties();
        received.setStringProperty("p", "changed");
        received.setJMSType("changed");
        manual.recover();

        TextMessage again = (TextMessage) receive(consumer);
        assertThat(again.getText()).isEqualTo("original");
        assertThat(again.getStringProperty("p")).isEqualTo("original");
        assertThat(again.getJMSType()).isNull();
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        again.acknowledge();
    }

    @Test
    void aReceivedMessageCanBeSentOn() throws JMSException {
        TextMessage message = session.createTextMessage("body");
        message.setStringProperty("p", "v");
        TextMessage received = jms.exchanged(message, TextMessage.class);
        String id = received.getJMSMessageID();
        TextMessage forwarded = jms.exchanged(received, TextMessage.class);
        assertThat(forwarded.getText()).isEqualTo("body");
        assertThat(forwarded.getStringProperty("p")).isEqualTo("v");
        assertThat(forwarded.getJMSMessageID()).isNotEqualTo(id);
        assertThat(forwarded.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    void aTextBodyIsReadOnlyUntilCleared() throws JMSException {
        TextMessage sent = session.createTextMessage("body");
        sent.setIntProperty("p", 1);
        TextMessage received = jms.exchanged(sent, TextMessage.class);
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> received.setText("x"));
        received.clearBody();
        assertThat(received.getText()).isNull();
        assertThat(received.getIntProperty("p")).isEqualTo(1);
        received.setText("new");
        assertThat(received.getText()).isEqualTo("new");
    }

    @Test
    void anObjectBodyIsReadOnlyUntilCleared() throws JMSException {
        ObjectMessage received = jms.exchanged(session.createObjectMessage("body"), ObjectMessage.class);
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> received.setObject("x"));
        received.clearBody();
        assertThat(received.getObject()).isNull();
        received.setObject("new");
        assertThat(received.getObject()).isEqualTo("new");
    }

    @Test
    void aMapBodyIsReadOnlyUntilCleared() throws JMSException {
        MapMessage sent = session.createMapMessage();
        sent.setInt("n", 1);
        MapMessage received = jms.exchanged(sent, MapMessage.class);
        assertRefused(() -> received.setBoolean("a", true));
        assertRefused(() -> received.setByte("a", (byte) 1));
        assertRefused(() -> received.setShort("a", (short) 1));
        assertRefused(() -> received.setChar("a", 'c'));
        assertRefused(() -> received.setInt("a", 1));
        assertRefused(() -> received.setLong("a", 1));
        assertRefused(() -> received.setFloat("a", 1));
        assertRefused(() -> received.setDouble("a", 1));
        assertRefused(() -> received.setString("a", "1"));
        assertRefused(() -> received.setBytes("a", new byte[1]));
        assertRefused(() -> received.setBytes("a", new byte[1], 0, 1));
        assertRefused(() -> received.setObject("a", 1));
        received.clearBody();
        assertThat(Messaging.elements(received.getMapNames())).isEmpty();
        received.setInt("n", 2);
        assertThat(received.getInt("n")).isEqualTo(2);
    }

    @Test
    void aBytesBodyIsReadOnlyUntilCleared() throws JMSException {
        BytesMessage sent = session.createBytesMessage();
        sent.writeInt(1);
        BytesMessage received = jms.exchanged(sent, BytesMessage.class);
        assertRefused(() -> received.writeBoolean(true));
        assertRefused(() -> received.writeByte((byte) 1));
        assertRefused(() -> received.writeShort((short) 1));
        assertRefused(() -> received.writeChar('c'));
        assertRefused(() -> received.writeInt(1));
        assertRefused(() -> received.writeLong(1));
        assertRefused(() -> received.writeFloat(1));
        assertRefused(() -> received.writeDouble(1));
        assertRefused(() -> received.writeUTF("1"));
        assertRefused(() -> received.writeBytes(new byte[1]));
        assertRefused(() -> received.writeBytes(new byte[1], 0, 1));
        assertRefused(() -> received.writeObject(1));
        assertThat(received.readInt()).isEqualTo(1);
        received.clearBody();
        assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(received::readInt);
        received.writeInt(2);
        received.reset();
        assertThat(received.readInt()).isEqualTo(2);
    }

    @Test
    void aStreamBodyIsReadOnlyUntilCleared() throws JMSException {
        StreamMessage sent = session.createStreamMessage();
        sent.writeInt(1);
        StreamMessage received = jms.exchanged(sent, StreamMessage.class);
        assertRefused(() -> received.writeBoolean(true));
        assertRefused(() -> received.writeByte((byte) 1));
        assertRefused(() -> received.writeShort((short) 1));
        assertRefused(() -> received.writeChar('c'));
        assertRefused(() -> received.writeInt(1));
        assertRefused(() -> received.writeLong(1));
        assertRefused(() -> received.writeFloat(1));
        assertRefused(() -> received.writeDouble(1));
        assertRefused(() -> received.writeString("1"));
        assertRefused(() -> received.writeBytes(new byte[1]));
        assertRefused(() -> received.writeBytes(new byte[1], 0, 1));
        assertRefused(() -> received.writeObject(1));
        assertThat(received.readInt()).isEqualTo(1);
        received.clearBody();
        assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(received::readInt);
        received.writeInt(2);
        received.reset();
        assertThat(received.readInt()).isEqualTo(2);
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable write) {
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(write);
    }

    @Test
    void aMessageWithoutBodyArrivesAsOne() throws JMSException {
        Message message = session.createMessage();
        message.setStringProperty("p", "v");
        Message received = jms.exchanged(message, Message.class);
        assertThat(received)
                .isNotInstanceOfAny(
                        TextMessage.class,
                        BytesMessage.class,
                        MapMessage.class,
                        StreamMessage.class,
                        ObjectMessage.class);
        assertThat(received.getStringProperty("p")).isEqualTo("v");
    }

    @Test
    void acknowledgingASentOrOwnMessageIsHarmless() throws JMSException {
        TextMessage message = session.createTextMessage();
        message.acknowledge();
        jms.exchanged(message, TextMessage.class).acknowledge();
    }
}
