package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Topic;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jakarta Messaging 3.1 §2.8 and JMSContext: the simplified API's connection and session. */
@EveryClient
final class ContextTest {
    @RegisterExtension
    final Messaging jms;

    private JMSContext context;
    private Queue queue;
    private Topic topic;

    ContextTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        context = jms.context();
        queue = jms.queue();
        topic = jms.topic();
    }

    private static void assertIllegal(List<ThrowingCallable> calls) {
        calls.forEach(call ->
                assertThatExceptionOfType(IllegalStateRuntimeException.class).isThrownBy(call));
    }

    @Test
    void theFirstConsumerStartsItUnlessToldOtherwise() {
        assertThat(context.getAutoStart()).isTrue();
        context.createProducer().send(queue, "1");
        try (JMSConsumer first = context.createConsumer(queue)) {
            assertThat(first.receiveBody(String.class, Messaging.SOON_MS)).isEqualTo("1");
        }

        JMSContext manual = jms.context();
        manual.setAutoStart(false);
        assertThat(manual.getAutoStart()).isFalse();
        JMSConsumer consumer = manual.createConsumer(queue);
        manual.createProducer().send(queue, "2");
        assertThat(consumer.receive(Messaging.A_WHILE_MS)).isNull();
        manual.start();
        assertThat(consumer.receiveBody(String.class, Messaging.SOON_MS)).isEqualTo("2");
        manual.stop();
        manual.createProducer().send(queue, "3");
        assertThat(consumer.receive(Messaging.A_WHILE_MS)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                JMSContext.AUTO_ACKNOWLEDGE,
                JMSContext.CLIENT_ACKNOWLEDGE,
                JMSContext.DUPS_OK_ACKNOWLEDGE,
                JMSContext.SESSION_TRANSACTED
            })
    void itHasTheModeThatItWasCreatedWith(int mode) {
        JMSContext created = jms.context(mode);
        assertThat(created.getSessionMode()).isEqualTo(mode);
        assertThat(created.getTransacted()).isEqualTo(mode == JMSContext.SESSION_TRANSACTED);
        assertThat(jms.closing(context.createContext(mode)).getSessionMode()).isEqualTo(mode);
    }

    @Test
    void aModeThatIsNoneIsRefused() {
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> jms.context(17));
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> context.createContext(-1));
    }

    @Test
    void contextsOfOneConnectionShareItAndTheLastClosesIt() {
        String client = Messaging.unused("client");
        context.setClientID(client);
        JMSContext second = context.createContext(JMSContext.AUTO_ACKNOWLEDGE);
        assertThat(second.getClientID()).isEqualTo(client);
        context.close();
        second.createProducer().send(queue, "1");
        assertThat(second.createConsumer(queue).receiveBody(String.class, Messaging.SOON_MS))
                .isEqualTo("1");
        JMSContext other = jms.context();
        assertThatExceptionOfType(InvalidClientIDRuntimeException.class).isThrownBy(() -> other.setClientID(client));
        second.close();
        other.setClientID(client);
    }

    @Test
    void aClientIdentifierIsSetOnceAndFirst() {
        context.setClientID(Messaging.unused("client"));
        assertThatExceptionOfType(IllegalStateRuntimeException.class)
                .isThrownBy(() -> context.setClientID(Messaging.unused("client")));
        JMSContext used = jms.context();
        used.createConsumer(queue);
        assertThatExceptionOfType(IllegalStateRuntimeException.class)
                .isThrownBy(() -> used.setClientID(Messaging.unused("client")));
        assertThatExceptionOfType(InvalidClientIDRuntimeException.class)
                .isThrownBy(() -> jms.context().setClientID(null));
        assertThatExceptionOfType(InvalidClientIDRuntimeException.class)
                .isThrownBy(() -> jms.context().setClientID(""));
    }

    @Test
    void aTransactedOneCommitsAndRollsBack() {
        JMSContext transacted = jms.context(JMSContext.SESSION_TRANSACTED);
        transacted.createProducer().send(queue, "dropped");
        transacted.rollback();
        transacted.createProducer().send(queue, "kept");
        transacted.commit();
        assertThat(context.createConsumer(queue).receiveBody(String.class, Messaging.SOON_MS))
                .isEqualTo("kept");
        assertIllegal(List.of(transacted::recover, context::commit, context::rollback));
    }

    @Test
    void acknowledgingCoversWhatWasDelivered() throws JMSException {
        JMSContext manual = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        context.createProducer().send(queue, "1").send(queue, "2").send(queue, "3");
        JMSConsumer consumer = manual.createConsumer(queue);
        consumer.receive(Messaging.SOON_MS);
        consumer.receive(Messaging.SOON_MS);
        manual.acknowledge();
        assertThat(consumer.receiveBody(String.class, Messaging.SOON_MS)).isEqualTo("3");
        manual.recover();
        Message again = consumer.receive(Messaging.SOON_MS);
        assertThat(Messaging.textOf(again)).isEqualTo("3");
        assertThat(again.getJMSRedelivered()).isTrue();
        manual.acknowledge();
        context.acknowledge();
    }

    @Test
    void itMakesEveryKindOfMessageAndDestination() throws JMSException {
        assertThat(context.createTextMessage("t").getText()).isEqualTo("t");
        assertThat(context.createTextMessage().getText()).isNull();
        assertThat(context.createObjectMessage("o").getObject()).isEqualTo("o");
        assertThat(context.createObjectMessage().getObject()).isNull();
        assertThat(Messaging.elements(context.createMapMessage().getMapNames())).isEmpty();
        context.createBytesMessage().writeInt(1);
        context.createStreamMessage().writeInt(1);
        context.createMessage().setIntProperty("n", 1);
        assertThat(context.createQueue("conformance.named").getQueueName()).isEqualTo("conformance.named");
        assertThat(context.createTopic("conformance.named").getTopicName()).isEqualTo("conformance.named");
        context.createTemporaryQueue().delete();
        context.createTemporaryTopic().delete();
        assertThat(context.getMetaData().getJMSVersion()).isEqualTo("3.1");
    }

    @Test
    void itBrowses() throws JMSException {
        context.createProducer().send(queue, "1").setProperty("n", 2).send(queue, "2");
        try (QueueBrowser browser = context.createBrowser(queue);
                QueueBrowser selecting = context.createBrowser(queue, "n = 2")) {
            assertThat(Messaging.elements(browser.getEnumeration())).hasSize(2);
            assertThat(Messaging.elements(selecting.getEnumeration())).hasSize(1);
        }
    }

    @Test
    void itSubscribesInAllWays() throws JMSException {
        context.setClientID(Messaging.unused("client"));
        String name = Messaging.unused("subscription");
        String shared = Messaging.unused("subscription");
        List<JMSConsumer> consumers = List.of(
                context.createConsumer(topic),
                context.createConsumer(topic, "n IS NULL", false),
                context.createDurableConsumer(topic, name),
                context.createSharedDurableConsumer(topic, shared),
                context.createSharedConsumer(topic, "s"),
                context.createSharedConsumer(topic, "t", "n IS NULL"));
        context.createProducer().send(topic, "to all");
        for (JMSConsumer consumer : consumers) {
            assertThat(consumer.receiveBody(String.class, Messaging.SOON_MS)).isEqualTo("to all");
        }
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> context.unsubscribe(name));
        consumers.forEach(JMSConsumer::close);
        context.unsubscribe(name);
        context.unsubscribe(shared);
        assertThatExceptionOfType(InvalidDestinationRuntimeException.class).isThrownBy(() -> context.unsubscribe(name));
    }

    @Test
    void missingDestinationsAndBadSelectorsAreRefused() {
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> context.createConsumer(null),
                () -> context.createConsumer(null, "n = 1"),
                () -> context.createConsumer(null, "n = 1", true),
                () -> context.createSharedConsumer(null, "s"),
                () -> context.createSharedDurableConsumer(null, "s"),
                () -> context.createBrowser(null))) {
            assertThatExceptionOfType(InvalidDestinationRuntimeException.class).isThrownBy(call);
        }
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> context.createConsumer(queue, "n ="),
                () -> context.createConsumer(topic, "n =", true),
                () -> context.createSharedConsumer(topic, "s", "n ="),
                () -> context.createSharedDurableConsumer(topic, "s", "n ="),
                () -> context.createBrowser(queue, "n ="))) {
            assertThatExceptionOfType(InvalidSelectorRuntimeException.class).isThrownBy(call);
        }
        assertIllegal(List.of(
                () -> context.createDurableConsumer(topic, "s"),
                () -> context.createDurableConsumer(topic, "s", "n = 1", false)));
    }

    @Test
    void closingTwiceIsIgnored() {
        context.close();
        context.close();
    }

    @Test
    void everyUseOfAClosedOneIsAnIllegalState() {
        JMSConsumer consumer = context.createConsumer(queue);
        var producer = context.createProducer();
        context.close();
        assertIllegal(List.of(
                () -> context.createContext(JMSContext.AUTO_ACKNOWLEDGE),
                context::createProducer,
                context::createMessage,
                context::createTextMessage,
                () -> context.createConsumer(queue),
                () -> context.createConsumer(topic, "n = 1"),
                () -> context.createSharedConsumer(topic, "s"),
                () -> context.createSharedDurableConsumer(topic, "s"),
                () -> context.createBrowser(queue),
                () -> context.createQueue("q"),
                context::createTemporaryTopic,
                () -> context.unsubscribe("s"),
                context::getClientID,
                context::getMetaData,
                context::getExceptionListener,
                context::start,
                context::stop,
                context::getTransacted,
                context::getSessionMode,
                context::commit,
                context::rollback,
                context::recover,
                context::acknowledge,
                () -> consumer.receive(1),
                consumer::receiveNoWait,
                consumer::getMessageSelector,
                () -> producer.send(queue, "text")));
        consumer.close();
    }

    @Test
    void aBrowserDoesNotStartIt() {
        JMSConsumer consumer = context.createConsumer(queue);
        context.stop();
        context.createProducer().send(queue, "1");
        context.createBrowser(queue);
        assertThat(consumer.receive(Messaging.A_WHILE_MS)).isNull();
    }
}
