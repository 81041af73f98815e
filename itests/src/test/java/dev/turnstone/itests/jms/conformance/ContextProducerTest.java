package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §7.4 to §7.10 and JMSProducer. */
@EveryClient
final class ContextProducerTest {
    @RegisterExtension
    final Messaging jms;

    private JMSContext context;
    private Queue queue;
    private JMSProducer producer;
    private JMSConsumer consumer;

    ContextProducerTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        context = jms.context();
        queue = jms.queue();
        producer = context.createProducer();
        consumer = context.createConsumer(queue);
    }

    private Message next() {
        Message message = consumer.receive(Messaging.SOON_MS);
        assertThat(message).isNotNull();
        return message;
    }

    @Test
    void everyFormOfBodyIsSent() throws JMSException {
        producer.send(queue, "text")
                .send(queue, new byte[] {1, 2})
                .send(queue, Map.of("n", 1))
                .send(queue, (Serializable) Integer.valueOf(7))
                .send(queue, context.createTextMessage("message"));
        assertThat(next().getBody(String.class)).isEqualTo("text");
        assertThat(next().getBody(byte[].class)).containsExactly(1, 2);
        assertThat(((MapMessage) next()).getInt("n")).isEqualTo(1);
        assertThat(next()).isInstanceOf(ObjectMessage.class);
        assertThat(Messaging.textOf(next())).isEqualTo("message");
    }

    @Test
    void aNullBodyIsAnEmptyMessageOfThatKind() throws JMSException {
        producer.send(queue, (String) null)
                .send(queue, (byte[]) null)
                .send(queue, (Map<String, Object>) null)
                .send(queue, (Serializable) null);
        assertThat(((TextMessage) next()).getText()).isNull();
        assertThat(((BytesMessage) next()).getBodyLength()).isZero();
        assertThat(((MapMessage) next()).getMapNames().hasMoreElements()).isFalse();
        assertThat(((ObjectMessage) next()).getObject()).isNull();
    }

    @Test
    void aNullMessageOrDestinationIsRefused() {
        assertThatExceptionOfType(MessageFormatRuntimeException.class)
                .isThrownBy(() -> producer.send(queue, (Message) null));
        assertThatExceptionOfType(InvalidDestinationRuntimeException.class)
                .isThrownBy(() -> producer.send(null, "text"));
        assertThatExceptionOfType(InvalidDestinationRuntimeException.class)
                .isThrownBy(() -> producer.send(null, context.createMessage()));
    }

    @Test
    void aMapOfWrongValuesIsRefused() {
        Map<String, Object> wrong = new HashMap<>();
        wrong.put("when", Instant.EPOCH);
        assertThatExceptionOfType(MessageFormatRuntimeException.class).isThrownBy(() -> producer.send(queue, wrong));
    }

    @Test
    void optionsHaveDefaultsAndAreKept() {
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(Message.DEFAULT_PRIORITY);
        assertThat(producer.getTimeToLive()).isZero();
        assertThat(producer.getDeliveryDelay()).isZero();
        assertThat(producer.getDisableMessageID()).isFalse();
        assertThat(producer.getDisableMessageTimestamp()).isFalse();
        assertThat(producer.getAsync()).isNull();
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                .setPriority(8)
                .setTimeToLive(1_000)
                .setDeliveryDelay(2_000)
                .setDisableMessageID(true)
                .setDisableMessageTimestamp(true)
                .setAsync(Completions.NONE);
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(8);
        assertThat(producer.getTimeToLive()).isEqualTo(1_000);
        assertThat(producer.getDeliveryDelay()).isEqualTo(2_000);
        assertThat(producer.getDisableMessageID()).isTrue();
        assertThat(producer.getDisableMessageTimestamp()).isTrue();
        assertThat(producer.getAsync()).isSameAs(Completions.NONE);
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> producer.setPriority(10));
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> producer.setDeliveryMode(3));
    }

    @Test
    void optionsReachTheMessage() throws JMSException {
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                .setPriority(8)
                .setTimeToLive(100_000)
                .send(queue, "text");
        Message received = next();
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(received.getJMSPriority()).isEqualTo(8);
        assertThat(received.getJMSExpiration()).isEqualTo(received.getJMSTimestamp() + 100_000);
    }

    @Test
    void headersOfTheProducerOverrideTheMessages() throws JMSException {
        Message message = context.createTextMessage("text");
        message.setJMSCorrelationID("the message's");
        message.setJMSType("the message's");
        producer.send(queue, message);
        assertThat(next().getJMSCorrelationID()).isEqualTo("the message's");
        producer.setJMSCorrelationID("the producer's")
                .setJMSType("the producer's")
                .setJMSReplyTo(queue)
                .send(queue, message);
        Message received = next();
        assertThat(received.getJMSCorrelationID()).isEqualTo("the producer's");
        assertThat(received.getJMSType()).isEqualTo("the producer's");
        assertThat(received.getJMSReplyTo()).isEqualTo(queue);
        assertThat(producer.getJMSCorrelationID()).isEqualTo("the producer's");
        assertThat(producer.getJMSType()).isEqualTo("the producer's");
        assertThat(producer.getJMSReplyTo()).isEqualTo(queue);
        producer.setJMSCorrelationIDAsBytes(new byte[] {'a'}).send(queue, "text");
        assertThat(next().getJMSCorrelationIDAsBytes()).containsExactly('a');
        assertThat(producer.getJMSCorrelationIDAsBytes()).containsExactly('a');
    }

    @Test
    void propertiesOfTheProducerOverrideTheMessages() throws JMSException {
        Message message = context.createTextMessage("text");
        message.setStringProperty("kept", "the message's");
        message.setStringProperty("both", "the message's");
        producer.setProperty("both", "the producer's")
                .setProperty("boolean", true)
                .setProperty("byte", (byte) 1)
                .setProperty("short", (short) 2)
                .setProperty("int", 3)
                .setProperty("long", 4L)
                .setProperty("float", 5f)
                .setProperty("double", 6d)
                .setProperty("object", (Object) "seven")
                .send(queue, message);
        Message received = next();
        assertThat(received.getStringProperty("kept")).isEqualTo("the message's");
        assertThat(received.getStringProperty("both")).isEqualTo("the producer's");
        assertThat(received.getBooleanProperty("boolean")).isTrue();
        assertThat(received.getByteProperty("byte")).isEqualTo((byte) 1);
        assertThat(received.getShortProperty("short")).isEqualTo((short) 2);
        assertThat(received.getIntProperty("int")).isEqualTo(3);
        assertThat(received.getLongProperty("long")).isEqualTo(4);
        assertThat(received.getFloatProperty("float")).isEqualTo(5);
        assertThat(received.getDoubleProperty("double")).isEqualTo(6);
        assertThat(received.getObjectProperty("object")).isEqualTo("seven");
    }

    @Test
    void propertiesOfTheProducerAreReadConvertedAndCleared() {
        producer.setProperty("n", "12").setProperty("on", true);
        assertThat(producer.getIntProperty("n")).isEqualTo(12);
        assertThat(producer.getLongProperty("n")).isEqualTo(12);
        assertThat(producer.getByteProperty("n")).isEqualTo((byte) 12);
        assertThat(producer.getShortProperty("n")).isEqualTo((short) 12);
        assertThat(producer.getFloatProperty("n")).isEqualTo(12);
        assertThat(producer.getDoubleProperty("n")).isEqualTo(12);
        assertThat(producer.getStringProperty("on")).isEqualTo("true");
        assertThat(producer.getBooleanProperty("on")).isTrue();
        assertThat(producer.getObjectProperty("on")).isEqualTo(true);
        assertThatExceptionOfType(MessageFormatRuntimeException.class).isThrownBy(() -> producer.getIntProperty("on"));
        assertThat(producer.propertyExists("n")).isTrue();
        assertThat(producer.getPropertyNames()).containsExactlyInAnyOrder("n", "on");
        producer.clearProperties();
        assertThat(producer.propertyExists("n")).isFalse();
        assertThat(producer.getPropertyNames()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> producer.setProperty("", 1));
        assertThatIllegalArgumentException().isThrownBy(() -> producer.setProperty(null, 1));
        assertThatExceptionOfType(MessageFormatRuntimeException.class)
                .isThrownBy(() -> producer.setProperty("object", Instant.EPOCH));
    }

    @Test
    void aReceivedMessageTakesNoPropertiesOfAProducer() {
        producer.send(queue, "text");
        Message received = next();
        producer.setProperty("n", 1);
        assertThatExceptionOfType(MessageNotWriteableRuntimeException.class)
                .isThrownBy(() -> producer.send(queue, received));
    }

    @Test
    void anAsynchronousProducerTellsItsListener() throws Exception {
        Completions completions = new Completions();
        Message message = context.createTextMessage("1");
        producer.setAsync(completions).send(queue, message);
        assertThat(completions.next().message()).isSameAs(message);
        producer.send(queue, "2");
        Completions.Told told = completions.next();
        assertThat(Messaging.textOf(told.message())).isEqualTo("2");
        assertThat(told.thread()).isNotSameAs(Thread.currentThread());
        producer.setAsync(null).send(queue, "3");
        assertThat(completions.count()).isZero();
        for (String text : new String[] {"1", "2", "3"}) {
            assertThat(Messaging.textOf(next())).isEqualTo(text);
        }
    }
}
