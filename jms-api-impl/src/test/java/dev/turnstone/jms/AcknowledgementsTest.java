package dev.turnstone.jms;

import static dev.turnstone.jms.FakeJms.consumer;
import static dev.turnstone.jms.FakeJms.nothing;
import static dev.turnstone.jms.FakeJms.receive;
import static dev.turnstone.jms.FakeJms.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AcknowledgementsTest {
    private FakeJms jms;

    @BeforeEach
    void connect() throws JMSException {
        jms = new FakeJms();
    }

    @AfterEach
    void disconnect() throws JMSException {
        jms.broker.release();
        jms.close();
    }

    @Test
    void autoHandsOverTheNextMessageOnlyWhenTheLastAcknowledgementIsDurable() throws JMSException {
        jms.send("a", "b");
        MessageConsumer consumer = consumer(jms.session(Session.AUTO_ACKNOWLEDGE));
        jms.broker.hold();
        assertThat(text(consumer.receive())).isEqualTo("a");
        assertThat(nothing(consumer)).isNull();
        jms.broker.release();
        assertThat(text(consumer.receive())).isEqualTo("b");
    }

    @Test
    void autoWithRelaxedAcknowledgementsDoesNotWait() throws JMSException {
        try (FakeJms relaxed = new FakeJms("?ack.sync=false")) {
            relaxed.send("a", "b");
            MessageConsumer consumer = consumer(relaxed.session(Session.AUTO_ACKNOWLEDGE));
            relaxed.broker.hold();
            assertThat(receive(consumer, 2)).containsExactly("a", "b");
            relaxed.broker.release();
        }
    }

    @Test
    void autoAcknowledgesNonPersistentMessagesInRanges() throws JMSException {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createQueue("q"));
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        for (String text : List.of("a", "b", "c")) {
            producer.send(session.createTextMessage(text));
        }
        MessageConsumer consumer = consumer(session);
        assertThat(receive(consumer, 3)).containsExactly("a", "b", "c");
        assertThat(jms.told("settle")).containsExactly("settle 1 1..3 ACCEPTED");
    }

    @Test
    void receiveNoWaitFindsTheNextMessageThoughAnAcknowledgementIsUnderWay() throws Exception {
        jms.send("a", "b");
        MessageConsumer consumer = consumer(jms.session(Session.AUTO_ACKNOWLEDGE));
        jms.broker.hold();
        consumer.receive();
        CompletableFuture<Message> second = CompletableFuture.supplyAsync(() -> noWait(consumer));
        jms.broker.release();
        assertThat(text(second.get())).isEqualTo("b");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    private static Message noWait(MessageConsumer consumer) {
        try {
            return consumer.receiveNoWait();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void clientAcknowledgesAllThatTheSessionHasHandedOverAndWaitsForIt() throws JMSException {
        jms.send("a", "b", "c");
        MessageConsumer consumer = consumer(jms.session(Session.CLIENT_ACKNOWLEDGE));
        Message first = consumer.receive();
        consumer.receive();
        first.acknowledge();
        assertThat(jms.told("settle")).containsExactly("settle 1 1..2 ACCEPTED");
    }

    @Test
    void recoverBringsBackWhatWasSeenInOrderAndLeavesWhatWasNotSeenUnflagged() throws JMSException {
        jms.send("1", "2", "3", "4");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = consumer(session);
        consumer.receive().acknowledge();
        receive(consumer, 2);
        session.recover();
        for (String text : List.of("2", "3")) {
            Message message = consumer.receive();
            assertThat(text(message)).isEqualTo(text);
            assertThat(message.getJMSRedelivered()).isTrue();
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
        Message fourth = consumer.receive();
        assertThat(text(fourth)).isEqualTo("4");
        assertThat(fourth.getJMSRedelivered()).isFalse();
        assertThat(fourth.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    void whatIsHandedOutBeforeARecallIsConfirmedIsVoid() throws Exception {
        jms.send("1", "2");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = consumer(session);
        consumer.receive();
        jms.broker.hold();
        CompletableFuture<Void> recovered = CompletableFuture.runAsync(() -> recover(session));
        await().until(() -> jms.broker.isHolding(2));
        jms.broker.release();
        recovered.get();
        assertThat(receive(consumer, 2)).containsExactly("1", "2");
        assertThat(nothing(consumer)).isNull();
    }

    private static void recover(Session session) {
        try {
            session.recover();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void dupsOkAcknowledgesLazilyAndAtTheLatestOnClose() throws JMSException {
        jms.send("a", "b", "c");
        Session session = jms.session(Session.DUPS_OK_ACKNOWLEDGE);
        MessageConsumer consumer = consumer(session);
        receive(consumer, 2);
        assertThat(jms.told("settle")).isEmpty();
        consumer.close();
        assertThat(jms.told("settle", "unsubscribe"))
                .containsExactly("settle 1 1..2 ACCEPTED", "unsubscribe 1 after 2");
    }

    @Test
    void acknowledgeOnAClosedSessionIsIllegal() throws JMSException {
        jms.send("a");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        Message message = consumer(session).receive();
        session.close();
        assertThatThrownBy(message::acknowledge).isInstanceOf(IllegalStateException.class);
        assertThat(jms.broker.depth("queue:q")).isEqualTo(1);
    }

    @Test
    void anAcknowledgementAfterTheConsumerIsClosedStillCounts() throws JMSException {
        jms.send("a");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = consumer(session);
        Message message = consumer.receive();
        consumer.close();
        message.acknowledge();
        session.close();
        assertThat(jms.broker.depth("queue:q")).isZero();
    }

    @Test
    void aListenerThatThrowsGetsItsMessageAgainBeforeTheNext() throws JMSException {
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        MessageConsumer consumer = consumer(jms.session(Session.AUTO_ACKNOWLEDGE));
        consumer.setMessageListener(message -> {
            heard.add(describe(message));
            if (heard.size() == 1) {
                throw new RuntimeException("told to throw");
            }
        });
        jms.send("a", "b");
        await().until(() -> heard.size() == 3);
        assertThat(heard).containsExactly("a 1", "a 2", "b 1");
        await().until(() -> jms.told("settle").size() == 3);
        assertThat(jms.broker.depth("queue:q")).isZero();
    }

    private static String describe(Message message) {
        try {
            return text(message) + " " + message.getIntProperty("JMSXDeliveryCount");
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void creditReturnsInHalves() throws JMSException {
        try (FakeJms small = new FakeJms("?prefetch=4")) {
            MessageConsumer consumer = consumer(small.session(Session.CLIENT_ACKNOWLEDGE));
            small.send("1", "2", "3", "4", "5", "6");
            assertThat(receive(consumer, 6)).containsExactly("1", "2", "3", "4", "5", "6");
            assertThat(small.told("credit")).containsExactly("credit 1 4", "credit 1 2", "credit 1 2", "credit 1 2");
        }
    }
}
