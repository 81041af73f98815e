package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveTexts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jakarta Messaging 3.1 §7.1, §7.2 and MessageProducer: which sends are taken and which refused. */
@EveryClient
final class SendTest {
    @RegisterExtension
    final Messaging jms;

    private Session session;
    private Queue queue;
    private TextMessage message;

    SendTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        session = jms.session();
        queue = jms.queue();
        message = session.createTextMessage("text");
    }

    @Test
    void aProducerHasDefaults() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        assertThat(producer.getDestination()).isEqualTo(queue);
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(Message.DEFAULT_PRIORITY);
        assertThat(producer.getTimeToLive()).isZero();
        assertThat(producer.getDeliveryDelay()).isZero();
        assertThat(producer.getDisableMessageID()).isFalse();
        assertThat(producer.getDisableMessageTimestamp()).isFalse();
        assertThat(session.createProducer(null).getDestination()).isNull();
    }

    @Test
    void aProducerKeepsItsSettings() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.setPriority(7);
        producer.setTimeToLive(1_000);
        producer.setDeliveryDelay(2_000);
        assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(producer.getPriority()).isEqualTo(7);
        assertThat(producer.getTimeToLive()).isEqualTo(1_000);
        assertThat(producer.getDeliveryDelay()).isEqualTo(2_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 10, 100})
    void prioritiesOutsideZeroToNineAreRefused(int priority) throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> producer.setPriority(priority));
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> producer.send(message, DeliveryMode.PERSISTENT, priority, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, -1})
    void deliveryModesThatAreNoneAreRefused(int mode) throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> producer.setDeliveryMode(mode));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> producer.send(message, mode, 4, 0));
    }

    @Test
    void anAnonymousProducerSendsAnywhere() throws JMSException {
        Topic topic = jms.topic();
        var subscriber = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(null);
        producer.send(queue, message);
        producer.send(topic, message, DeliveryMode.NON_PERSISTENT, 4, 0);
        assertThat(receiveText(session.createConsumer(queue))).isEqualTo("text");
        assertThat(receiveText(subscriber)).isEqualTo("text");
    }

    @Test
    void anAnonymousProducerNeedsADestination() throws JMSException {
        MessageProducer producer = session.createProducer(null);
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> producer.send(null, message));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> producer.send(null, message, DeliveryMode.PERSISTENT, 4, 0));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> producer.send(null, message, Completions.NONE));
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> producer.send(message));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> producer.send(message, DeliveryMode.PERSISTENT, 4, 0));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> producer.send(message, Completions.NONE));
    }

    @Test
    void anIdentifiedProducerTakesNoDestination() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> producer.send(queue, message));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> producer.send(queue, message, DeliveryMode.PERSISTENT, 4, 0));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> producer.send(queue, message, Completions.NONE));
    }

    @Test
    void aNullMessageIsAMessageFormatException() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        MessageProducer anonymous = session.createProducer(null);
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> producer.send(null));
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> producer.send(null, DeliveryMode.PERSISTENT, 4, 0));
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> producer.send((Message) null, Completions.NONE));
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> anonymous.send(queue, null));
    }

    @Test
    void aNullListenerIsAnIllegalArgument() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        MessageProducer anonymous = session.createProducer(null);
        assertThatIllegalArgumentException().isThrownBy(() -> producer.send(message, null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> producer.send(message, DeliveryMode.PERSISTENT, 4, 0, null));
        assertThatIllegalArgumentException().isThrownBy(() -> anonymous.send(queue, message, null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> anonymous.send(queue, message, DeliveryMode.PERSISTENT, 4, 0, null));
    }

    @Test
    void anyConnectionMaySendWhileStopped() throws JMSException {
        Session stopped = jms.connection().createSession();
        Messaging.send(stopped, queue, "1", "2");
        assertThat(receiveTexts(session.createConsumer(queue), 2)).containsExactly("1", "2");
    }

    @Test
    void aMessageOfAnotherSessionIsSent() throws JMSException {
        TextMessage foreign = jms.session().createTextMessage("of another session");
        session.createProducer(queue).send(foreign);
        assertThat(receiveText(session.createConsumer(queue))).isEqualTo("of another session");
    }

    @Test
    void invalidDestinationsAreRefusedForConsumersToo() {
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> session.createConsumer(null));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.createConsumer(null, "n = 1"));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.createConsumer(null, "n = 1", true));
    }
}
