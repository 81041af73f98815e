package dev.turnstone.itests.jms;

import static dev.turnstone.itests.jms.Jms.NEVER_MS;
import static dev.turnstone.itests.jms.Jms.SOON_MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.CompletionListener;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The simplified API. */
@ExtendWith(FreshBroker.class)
final class ContextsTest {
    private JMSContext context;
    private Queue queue;

    @BeforeEach
    void connect(ConnectionFactory factory) {
        context = factory.createContext();
        queue = context.createQueue("q");
    }

    @AfterEach
    void disconnect() {
        context.close();
    }

    @Test
    void aBodyIsSentAndReceivedInOneCallEach() {
        JMSConsumer consumer = context.createConsumer(queue);
        context.createProducer().send(queue, "text").send(queue, new byte[] {1, 2});
        assertThat(consumer.receiveBody(String.class)).isEqualTo("text");
        assertThat(consumer.receiveBody(byte[].class, SOON_MS)).containsExactly(1, 2);
        assertThat(consumer.receiveBody(String.class, NEVER_MS)).isNull();
        assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
    }

    @Test
    void whatTheProducerIsToldIsOnEveryMessage() throws JMSException {
        JMSProducer producer = context.createProducer()
                .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                .setPriority(8)
                .setTimeToLive(60_000)
                .setProperty("n", 5)
                .setProperty("s", "text")
                .setJMSCorrelationID("c")
                .setJMSType("t")
                .setJMSReplyTo(queue);
        TextMessage message = context.createTextMessage("x");
        message.setIntProperty("n", 4);
        producer.send(queue, message);
        Message received = context.createConsumer(queue).receive(SOON_MS);
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(received.getJMSPriority()).isEqualTo(8);
        assertThat(received.getJMSExpiration()).isEqualTo(received.getJMSTimestamp() + 60_000);
        assertThat(received.getIntProperty("n")).isEqualTo(5);
        assertThat(received.getStringProperty("s")).isEqualTo("text");
        assertThat(received.getJMSCorrelationID()).isEqualTo("c");
        assertThat(received.getJMSType()).isEqualTo("t");
        assertThat(received.getJMSReplyTo()).isEqualTo(queue);
        assertThat(producer.getPropertyNames()).containsExactlyInAnyOrder("n", "s");
        assertThatThrownBy(() -> producer.send(queue, received))
                .isInstanceOf(MessageNotWriteableRuntimeException.class);
    }

    @Test
    void aBodyOfAnotherTypeIsRefusedAndThenThereUnflagged() throws JMSException {
        JMSConsumer consumer = context.createConsumer(queue);
        context.createProducer().send(queue, "first").send(queue, "second");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> consumer.receiveBody(byte[].class, SOON_MS))
                    .isInstanceOf(MessageFormatRuntimeException.class);
        }
        Message first = consumer.receive(SOON_MS);
        assertThat(first.getBody(String.class)).isEqualTo("first");
        assertThat(first.getJMSRedelivered()).isFalse();
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(consumer.receiveBody(String.class, SOON_MS)).isEqualTo("second");
        context.createProducer().send(queue, context.createMessage());
        assertThatThrownBy(() -> consumer.receiveBody(String.class, SOON_MS))
                .isInstanceOf(MessageFormatRuntimeException.class);
    }

    @Test
    void inATransactionARefusedBodyCountsAsReceived(ConnectionFactory factory) throws JMSException {
        context.createProducer().send(queue, "first").send(queue, "second");
        try (JMSContext transacted = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            JMSConsumer consumer = transacted.createConsumer(queue);
            assertThatThrownBy(() -> consumer.receiveBody(byte[].class, SOON_MS))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            assertThat(consumer.receiveBody(String.class, SOON_MS)).isEqualTo("second");
            transacted.rollback();
            Message first = consumer.receive(SOON_MS);
            assertThat(first.getBody(String.class)).isEqualTo("first");
            assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
            transacted.commit();
        }
    }

    @Test
    void contextsOfOneConnectionShareItAndTheLastClosesIt(ConnectionFactory factory) {
        JMSContext first = factory.createContext();
        first.setClientID("me");
        JMSContext second = first.createContext(JMSContext.CLIENT_ACKNOWLEDGE);
        assertThat(second.getClientID()).isEqualTo("me");
        assertThat(second.getSessionMode()).isEqualTo(JMSContext.CLIENT_ACKNOWLEDGE);
        first.close();
        second.createProducer().send(queue, "x");
        assertThatThrownBy(first::createProducer).isInstanceOf(IllegalStateRuntimeException.class);
        second.close();
        second.close();
        JMSContext third = factory.createContext();
        third.setClientID("me");
        third.close();
    }

    @Test
    void aConsumerStartsTheConnectionUnlessToldNotTo(ConnectionFactory factory) {
        context.createProducer().send(queue, "x");
        try (JMSContext other = factory.createContext()) {
            other.setAutoStart(false);
            JMSConsumer consumer = other.createConsumer(queue);
            assertThat(consumer.receiveBody(String.class, NEVER_MS)).isNull();
            other.start();
            assertThat(consumer.receiveBody(String.class, SOON_MS)).isEqualTo("x");
        }
    }

    @Test
    void clientAcknowledgementIsTheContexts(ConnectionFactory factory) {
        context.createProducer().send(queue, "1").send(queue, "2");
        try (JMSContext other = factory.createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            JMSConsumer consumer = other.createConsumer(queue);
            assertThat(consumer.receiveBody(String.class, SOON_MS)).isEqualTo("1");
            other.acknowledge();
            assertThat(consumer.receiveBody(String.class, SOON_MS)).isEqualTo("2");
        }
        assertThat(context.createConsumer(queue).receiveBody(String.class, SOON_MS))
                .isEqualTo("2");
    }

    @Test
    void sendsAreAsynchronousWithACompletionListener() {
        List<String> heard = new CopyOnWriteArrayList<>();
        context.createProducer()
                .setAsync(new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        heard.add("done");
                    }

                    @Override
                    public void onException(Message message, Exception exception) {
                        heard.add(exception.toString());
                    }
                })
                .send(queue, "x");
        await().until(() -> heard.equals(List.of("done")));
    }

    @Test
    void wrongCallsGetTheRuntimeExceptionsThatTheApiNames(ConnectionFactory factory) {
        JMSProducer producer = context.createProducer();
        assertThatThrownBy(() -> producer.send(queue, (Message) null))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> producer.send(null, "x")).isInstanceOf(InvalidDestinationRuntimeException.class);
        assertThatThrownBy(() -> producer.setPriority(10)).isInstanceOf(JMSRuntimeException.class);
        assertThatThrownBy(() -> producer.setProperty("c", (Object) 'c'))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> producer.setProperty("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> context.createConsumer(queue, "a LIKE 5"))
                .isInstanceOf(InvalidSelectorRuntimeException.class);
        assertThatThrownBy(() -> context.createConsumer(null)).isInstanceOf(InvalidDestinationRuntimeException.class);
        assertThatThrownBy(context::commit).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> context.setClientID("late")).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> context.createDurableConsumer(context.createTopic("t"), "s"))
                .isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(() -> factory.createContext(7)).isInstanceOf(JMSRuntimeException.class);
    }
}
