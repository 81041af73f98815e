package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Message.getBody and isBodyAssignableTo, and the text and object bodies (Jakarta Messaging 3.1 §3.11). */
@EveryClient
final class MessageBodyTest {
    @RegisterExtension
    final Messaging jms;

    private Session session;

    MessageBodyTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        session = jms.session();
    }

    private static void assertNotReadableAs(Message message, Class<?> type) throws JMSException {
        assertThat(message.isBodyAssignableTo(type)).isFalse();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> message.getBody(type));
    }

    private static <T> void assertReadableAs(Message message, Class<T> type, Object body) throws JMSException {
        assertThat(message.isBodyAssignableTo(type)).isTrue();
        assertThat(message.getBody(type)).isEqualTo(body);
    }

    @Test
    void aTextBodyIsAString() throws JMSException {
        TextMessage sent = session.createTextMessage("text – ü 😀");
        for (Message message : List.of(sent, jms.exchanged(sent, TextMessage.class))) {
            assertReadableAs(message, String.class, "text – ü 😀");
            assertReadableAs(message, CharSequence.class, "text – ü 😀");
            assertReadableAs(message, Object.class, "text – ü 😀");
            assertNotReadableAs(message, Integer.class);
            assertNotReadableAs(message, byte[].class);
        }
    }

    @Test
    void aTextBodyMayBeNullOrEmpty() throws JMSException {
        assertThat(jms.exchanged(session.createTextMessage(), TextMessage.class).getText())
                .isNull();
        assertThat(jms.exchanged(session.createTextMessage(null), TextMessage.class)
                        .getText())
                .isNull();
        assertThat(jms.exchanged(session.createTextMessage(""), TextMessage.class)
                        .getText())
                .isEmpty();
    }

    @Test
    void anObjectBodyIsWhatWasSerialized() throws JMSException {
        ObjectMessage sent = session.createObjectMessage("an object");
        for (Message message : List.of(sent, jms.exchanged(sent, ObjectMessage.class))) {
            assertReadableAs(message, String.class, "an object");
            assertReadableAs(message, Serializable.class, "an object");
            assertNotReadableAs(message, Instant.class);
            assertThat(((ObjectMessage) message).getObject()).isEqualTo("an object");
        }
        assertThat(jms.exchanged(session.createObjectMessage(), ObjectMessage.class)
                        .getObject())
                .isNull();
    }

    @Test
    void anObjectIsCopiedWhenSet() throws JMSException {
        ArrayList<String> list = new ArrayList<>(List.of("before"));
        ObjectMessage message = session.createObjectMessage();
        message.setObject(list);
        list.add("after");
        assertThat(message.getObject()).isEqualTo(List.of("before"));
        assertThat(jms.exchanged(message, ObjectMessage.class).getObject()).isEqualTo(List.of("before"));
    }

    @Test
    void anObjectThatCannotBeSerializedIsRefused() {
        HashMap<String, Object> holder = new HashMap<>(Map.of("thread", Thread.currentThread()));
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> session.createObjectMessage().setObject(holder));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> session.createObjectMessage(holder));
    }

    @Test
    void aBytesBodyIsAnArrayOfBytes() throws JMSException {
        BytesMessage sent = session.createBytesMessage();
        sent.writeBytes(new byte[] {1, 2, 3});
        BytesMessage received = jms.exchanged(sent, BytesMessage.class);
        assertReadableAs(received, byte[].class, new byte[] {1, 2, 3});
        assertReadableAs(received, Object.class, new byte[] {1, 2, 3});
        assertNotReadableAs(received, String.class);
        // As if reset had been called.
        assertThat(received.readByte()).isEqualTo((byte) 1);
        assertReadableAs(received, byte[].class, new byte[] {1, 2, 3});
        assertThat(received.readByte()).isEqualTo((byte) 1);
    }

    @Test
    void aMapBodyIsAMapOfItsItems() throws JMSException {
        MapMessage sent = session.createMapMessage();
        sent.setInt("n", 1);
        sent.setString("s", "two");
        for (Message message : List.of(sent, jms.exchanged(sent, MapMessage.class))) {
            assertReadableAs(message, Map.class, Map.of("n", 1, "s", "two"));
            assertReadableAs(message, Object.class, Map.of("n", 1, "s", "two"));
            assertNotReadableAs(message, String.class);
            assertNotReadableAs(message, HashMap.class);
            assertNotReadableAs(message, Serializable.class);
        }
    }

    @Test
    void aStreamHasNoBodyToGet() throws JMSException {
        StreamMessage sent = session.createStreamMessage();
        sent.writeInt(1);
        for (Message message : List.of(sent, jms.exchanged(sent, StreamMessage.class))) {
            assertNotReadableAs(message, Object.class);
        }
    }

    @Test
    void aMessageWithoutBodyGivesNullForEveryType() throws JMSException {
        for (Message sent : List.of(
                session.createMessage(),
                session.createTextMessage(),
                session.createObjectMessage(),
                session.createBytesMessage())) {
            Message received = jms.exchanged(sent, Message.class);
            for (Class<?> type : List.of(String.class, Integer.class, Map.class, Instant.class)) {
                assertReadableAs(received, type, null);
            }
        }
    }

    @Test
    void askingWhatABytesBodyIsLeavesItAlone() throws JMSException {
        BytesMessage sent = session.createBytesMessage();
        sent.writeInt(1);
        assertThat(sent.isBodyAssignableTo(byte[].class)).isTrue();
        sent.writeInt(2);
        BytesMessage received = jms.exchanged(sent, BytesMessage.class);
        assertThat(received.readInt()).isEqualTo(1);
        assertThat(received.isBodyAssignableTo(String.class)).isFalse();
        assertThat(received.isBodyAssignableTo(Object.class)).isTrue();
        assertThat(received.isBodyAssignableTo(Serializable.class)).isFalse();
        assertThat(received.readInt()).isEqualTo(2);
        assertNotReadableAs(received, Cloneable.class);
    }
}
