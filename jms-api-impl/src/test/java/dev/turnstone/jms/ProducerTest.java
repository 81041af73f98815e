package dev.turnstone.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.port.ErrorCode;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ProducerTest {
    private FakeJms jms;
    private Session session;
    private MessageProducer producer;

    @BeforeEach
    void connect() throws JMSException {
        jms = new FakeJms();
        session = jms.session(Session.AUTO_ACKNOWLEDGE);
        producer = session.createProducer(session.createQueue("q"));
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
    }

    @AfterEach
    void disconnect() throws JMSException {
        jms.close();
    }

    @Test
    void aPersistentSendReturnsWhenItIsConfirmed() throws Exception {
        producer.setDeliveryMode(DeliveryMode.PERSISTENT);
        jms.broker.hold();
        CompletableFuture<Void> sent = send("x");
        await().until(() -> jms.broker.isHolding(1));
        assertThat(sent).isNotDone();
        jms.broker.release();
        sent.get();
    }

    private CompletableFuture<Void> send(String text) {
        return CompletableFuture.runAsync(() -> {
            try {
                producer.send(session.createTextMessage(text));
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void aNonPersistentSendDoesNotWaitForTheBrokersAnswer() throws JMSException {
        producer.send(session.createTextMessage("first"));
        jms.broker.hold();
        producer.send(session.createTextMessage("second"));
        jms.broker.release();
        assertThat(jms.broker.depth("queue:q")).isEqualTo(2);
    }

    @Test
    void aNonPersistentSendWaitsWhileTheBrokerTakesNoMoreAndIsNotLeftBehind() throws Exception {
        producer.send(session.createTextMessage("first"));
        jms.broker.takeNoMore();
        CompletableFuture<Void> sent = send("second");
        assertThat(jms.broker.depth("queue:q")).isEqualTo(1);
        assertThat(sent).isNotDone();
        jms.broker.takeAgain();
        sent.get();
        assertThat(jms.broker.depth("queue:q")).isEqualTo(2);
    }

    @Test
    void theFirstMessageToAnAddressIsRefusedWhereItIsSent() {
        jms.broker.refuseNext(ErrorCode.FORBIDDEN);
        assertThatThrownBy(() -> producer.send(session.createTextMessage("x")))
                .isInstanceOf(JMSSecurityException.class);
    }

    @Test
    void aLaterRefusalIsToldByTheNextSendOrByClose() throws JMSException {
        producer.send(session.createTextMessage("first"));
        jms.broker.refuseNext(ErrorCode.QUEUE_FULL);
        producer.send(session.createTextMessage("refused"));
        assertThatThrownBy(() -> producer.send(session.createTextMessage("next")))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("earlier");
        producer.send(session.createTextMessage("next"));
        jms.broker.refuseNext(ErrorCode.QUEUE_FULL);
        producer.send(session.createTextMessage("refused"));
        assertThatThrownBy(producer::close).isInstanceOf(ResourceAllocationException.class);
        assertThat(jms.broker.depth("queue:q")).isEqualTo(2);
    }

    @Test
    void aLaterRefusalThatNoProducerHasToldIsToldByTheSessionsClose() throws JMSException {
        producer.send(session.createTextMessage("first"));
        jms.broker.refuseNext(ErrorCode.QUEUE_FULL);
        producer.send(session.createTextMessage("refused"));
        assertThatThrownBy(session::close)
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("earlier");
        assertThatThrownBy(() -> session.createProducer(null)).isInstanceOf(jakarta.jms.IllegalStateException.class);
    }

    @Test
    void aLaterRefusalThatWasToldIsNotToldAgain() throws JMSException {
        producer.send(session.createTextMessage("first"));
        jms.broker.refuseNext(ErrorCode.QUEUE_FULL);
        producer.send(session.createTextMessage("refused"));
        assertThatThrownBy(producer::close).isInstanceOf(ResourceAllocationException.class);
        session.close();
    }

    @Test
    void aDelayCountsFromTheSendAndStandsInTheMessage() throws JMSException {
        producer.setDeliveryDelay(60_000);
        Message message = session.createTextMessage("later");
        long before = System.currentTimeMillis();
        producer.send(message);
        long after = System.currentTimeMillis();
        assertThat(producer.getDeliveryDelay()).isEqualTo(60_000);
        assertThat(message.getJMSDeliveryTime()).isBetween(before + 60_000, after + 60_000);
        assertThat(sent().deliveryTimeMs()).isEqualTo(message.getJMSDeliveryTime());
        producer.setDeliveryDelay(Long.MAX_VALUE);
        producer.send(message);
        assertThat(message.getJMSDeliveryTime()).isEqualTo(Long.MAX_VALUE);
    }

    private dev.turnstone.port.Message sent() {
        return jms.broker.queue("queue:q").firstEntry().getValue().message;
    }

    @Test
    void withoutDelayTheTimestampIsTheTimeOfDelivery() throws JMSException {
        Message message = session.createTextMessage("now");
        producer.send(message);
        assertThat(sent().deliveryTimeMs()).isZero();
        assertThat(message.getJMSDeliveryTime()).isEqualTo(message.getJMSTimestamp());
        assertThatThrownBy(() -> producer.setDeliveryDelay(-1)).isInstanceOf(JMSException.class);
    }
}
