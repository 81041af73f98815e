package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jakarta Messaging 3.1 §8.6 and JMSConsumer. */
@EveryClient
final class ContextConsumerTest {
    @RegisterExtension
    final Messaging jms;

    private JMSContext context;
    private Queue queue;

    ContextConsumerTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        context = jms.context();
        queue = jms.queue();
    }

    @Test
    void bodiesAreReceivedAsWhatTheyAreAssignableTo() {
        JMSConsumer consumer = context.createConsumer(queue);
        context.createProducer()
                .send(queue, "1")
                .send(queue, "2")
                .send(queue, new byte[] {3})
                .send(queue, Map.of("n", 4))
                .send(queue, (Serializable) "5");
        assertThat(consumer.receiveBody(String.class)).isEqualTo("1");
        assertThat(consumer.receiveBody(CharSequence.class, Messaging.SOON_MS)).isEqualTo("2");
        assertThat(consumer.receiveBody(byte[].class, Messaging.SOON_MS)).containsExactly(3);
        assertThat((Object) consumer.receiveBody(Map.class, Messaging.SOON_MS)).isEqualTo(Map.of("n", 4));
        assertThat(consumer.receiveBody(Serializable.class, Messaging.SOON_MS)).isEqualTo("5");
        assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
        assertThat(consumer.receiveBody(String.class, 50)).isNull();
        context.createProducer().send(queue, "6");
        assertThat(consumer.receiveBodyNoWait(Object.class)).isEqualTo("6");
    }

    @Test
    void messagesWithoutABodyAndStreamsAreRefused() throws JMSException {
        StreamMessage stream = context.createStreamMessage();
        stream.writeInt(1);
        for (Message refused : List.of(context.createMessage(), stream, context.createTextMessage())) {
            Queue own = jms.queue();
            context.createProducer().send(own, refused);
            JMSConsumer consumer = context.createConsumer(own);
            assertThatExceptionOfType(MessageFormatRuntimeException.class)
                    .isThrownBy(() -> consumer.receiveBody(Object.class, Messaging.SOON_MS));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {JMSContext.AUTO_ACKNOWLEDGE, JMSContext.DUPS_OK_ACKNOWLEDGE})
    void anAutomaticContextGivesABodyOfAnotherTypeAgain(int mode) throws JMSException {
        context.createProducer().send(queue, "1").send(queue, "2");
        JMSConsumer consumer = jms.context(mode).createConsumer(queue);
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> consumer.receiveBody(Integer.class),
                () -> consumer.receiveBody(Integer.class, Messaging.SOON_MS),
                () -> consumer.receiveBodyNoWait(Integer.class))) {
            assertThatExceptionOfType(MessageFormatRuntimeException.class).isThrownBy(call);
        }
        Message first = consumer.receive(Messaging.SOON_MS);
        assertThat(Messaging.textOf(first)).isEqualTo("1");
        assertThat(first.getJMSRedelivered()).isFalse();
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(consumer.receiveBody(String.class, Messaging.SOON_MS)).isEqualTo("2");
    }

    @Test
    void aManualContextCountsABodyOfAnotherTypeAsDelivered() throws JMSException {
        context.createProducer().send(queue, "1").send(queue, "2");
        JMSContext manual = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        JMSConsumer consumer = manual.createConsumer(queue);
        assertThatExceptionOfType(MessageFormatRuntimeException.class)
                .isThrownBy(() -> consumer.receiveBody(Integer.class, Messaging.SOON_MS));
        assertThat(consumer.receiveBody(String.class, Messaging.SOON_MS)).isEqualTo("2");
        manual.recover();
        assertRedelivered(consumer.receive(Messaging.SOON_MS));
    }

    @Test
    void aTransactedContextCountsABodyOfAnotherTypeAsDelivered() throws JMSException {
        context.createProducer().send(queue, "1").send(queue, "2");
        JMSContext transacted = jms.context(JMSContext.SESSION_TRANSACTED);
        JMSConsumer consumer = transacted.createConsumer(queue);
        assertThatExceptionOfType(MessageFormatRuntimeException.class)
                .isThrownBy(() -> consumer.receiveBody(Integer.class, Messaging.SOON_MS));
        assertThat(consumer.receiveBody(String.class, Messaging.SOON_MS)).isEqualTo("2");
        transacted.rollback();
        assertRedelivered(consumer.receive(Messaging.SOON_MS));
    }

    private static void assertRedelivered(Message again) throws JMSException {
        assertThat(Messaging.textOf(again)).isEqualTo("1");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }

    @Test
    void aListenerGetsMessagesOnceItIsSet() throws Exception {
        BlockingQueue<Message> heard = new LinkedBlockingQueue<>();
        JMSConsumer consumer = context.createConsumer(queue, "n IS NULL");
        assertThat(consumer.getMessageSelector()).isEqualTo("n IS NULL");
        assertThat(consumer.getMessageListener()).isNull();
        MessageListener listener = heard::add;
        consumer.setMessageListener(listener);
        assertThat(consumer.getMessageListener()).isSameAs(listener);
        jms.context().createProducer().send(queue, "1");
        assertThat(heard.poll(Messaging.SOON_MS, TimeUnit.MILLISECONDS)).isNotNull();
    }

    @Test
    void everyUseOfAClosedOneIsAnIllegalState() {
        JMSConsumer consumer = context.createConsumer(queue);
        consumer.close();
        consumer.close();
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                consumer::receive,
                () -> consumer.receive(1),
                consumer::receiveNoWait,
                () -> consumer.receiveBody(String.class),
                () -> consumer.receiveBody(String.class, 1),
                () -> consumer.receiveBodyNoWait(String.class),
                consumer::getMessageSelector,
                consumer::getMessageListener,
                () -> consumer.setMessageListener(message -> {}))) {
            assertThatExceptionOfType(IllegalStateRuntimeException.class).isThrownBy(call);
        }
    }
}
