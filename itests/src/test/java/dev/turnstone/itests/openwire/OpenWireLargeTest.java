package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.itests.security.SecuredConnector;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bodies that are stored apart, and those that are too long for a frame. */
@Timeout(120)
final class OpenWireLargeTest {
    private static final int LARGE = (5 << 20) + 11;
    private static final int FRAME = 16 << 20;
    private static final String REASON = "JMS_TURNSTONE_EXCEPTION";

    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    private Connection local;
    private Session inside;
    private Queue queue;

    @BeforeEach
    void open() throws JMSException {
        SecuredConnector.serve(broker.data(), broker.broker().broker());
        local = new TurnstoneConnectionFactory(SecuredConnector.url(broker.data())).createConnection();
        local.start();
        inside = local.createSession();
        queue = inside.createQueue("large");
    }

    @AfterEach
    void close() throws JMSException {
        local.close();
    }

    private static byte[] content(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private void send(int length) throws JMSException {
        BytesMessage message = inside.createBytesMessage();
        message.writeBytes(content(length));
        inside.createProducer(queue).send(message);
    }

    @Test
    void aLargeBodyCrossesBothWaysBetweenItsNeighbours() throws JMSException {
        Session session = broker.session(Session.SESSION_TRANSACTED);
        Queue there = session.createQueue("large");
        MessageProducer producer = session.createProducer(there);
        producer.send(session.createTextMessage("before"));
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeBytes(content(LARGE));
        producer.send(bytes);
        producer.send(session.createTextMessage("\u20ac".repeat(LARGE / 3)));
        StreamMessage stream = session.createStreamMessage();
        stream.writeInt(7);
        stream.writeBytes(content(LARGE));
        producer.send(stream);
        producer.send(session.createTextMessage("behind"));
        session.commit();
        MessageConsumer local = inside.createConsumer(queue);
        MessageProducer back = inside.createProducer(inside.createQueue("back"));
        for (int i = 0; i < 5; i++) {
            back.send(local.receive(ActiveMq.SOON_MS));
        }
        MessageConsumer consumer = session.createConsumer(session.createQueue("back"));
        assertThat(ActiveMq.text(consumer)).isEqualTo("before");
        assertThat(consumer.receive(ActiveMq.SOON_MS).getBody(byte[].class)).isEqualTo(content(LARGE));
        assertThat(ActiveMq.text(consumer)).isEqualTo("\u20ac".repeat(LARGE / 3));
        StreamMessage got = (StreamMessage) consumer.receive(ActiveMq.SOON_MS);
        assertThat(got.readInt()).isEqualTo(7);
        assertThat(got.readObject()).isEqualTo(content(LARGE));
        assertThat(ActiveMq.text(consumer)).isEqualTo("behind");
        session.commit();
    }

    @Test
    void aStreamedBodyBeyondWhatAFrameHoldsBecomesADeadLetterWithTheReason() throws JMSException {
        Session session = broker.session();
        MessageConsumer consumer = session.createConsumer(session.createQueue("large"));
        // The first is too long by itself, the second with what a frame holds beside it.
        send(FRAME + 1);
        send(FRAME - 1);
        inside.createProducer(queue).send(inside.createTextMessage("behind"));
        assertThat(ActiveMq.text(consumer)).isEqualTo("behind");
        MessageConsumer dead = inside.createConsumer(inside.createQueue("DLQ"));
        Message first = dead.receive(ActiveMq.SOON_MS);
        assertThat(first.getStringProperty(REASON)).contains("wholeBytesMax");
        assertThat(first.getBody(byte[].class)).hasSize(FRAME + 1);
        Message second = dead.receive(ActiveMq.SOON_MS);
        assertThat(second.getStringProperty(REASON)).contains("frameBytesMax");
        assertThat(second.getBody(byte[].class)).hasSize(FRAME - 1);
    }

    @Test
    void aConsumerOfDeadLettersIsNotEndedByOneThatItCannotTake() throws JMSException {
        Session session = broker.session();
        MessageConsumer consumer = session.createConsumer(session.createQueue("large"));
        MessageConsumer dead = session.createConsumer(session.createQueue("DLQ"));
        send(FRAME - 1);
        inside.createProducer(inside.createQueue("DLQ")).send(inside.createTextMessage("behind"));
        inside.createProducer(queue).send(inside.createTextMessage("goes on"));
        assertThat(ActiveMq.text(consumer)).isEqualTo("goes on");
        assertThat(ActiveMq.text(dead)).isEqualTo("behind");
        dead.close();
        assertThat(inside.createConsumer(inside.createQueue("DLQ")).receive(ActiveMq.SOON_MS))
                .isInstanceOf(BytesMessage.class);
    }

    @Test
    void aClientThatTakesShorterFramesGetsNoLongerOnes() throws JMSException {
        Session session = broker.connect(broker.factory("?wireFormat.maxFrameSize=300000"))
                .createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("large"));
        send(299_000);
        send(200_000);
        assertThat(consumer.receive(ActiveMq.SOON_MS).getBody(byte[].class)).hasSize(200_000);
        assertThat(inside.createConsumer(inside.createQueue("DLQ"))
                        .receive(ActiveMq.SOON_MS)
                        .getStringProperty(REASON))
                .contains("maxFrameSize");
    }

    @Test
    void whatIsSentBeyondTheLimitIsRefusedInWordsThatNameIt() throws JMSException {
        Session session = broker.session();
        MessageProducer producer = session.createProducer(session.createQueue("large"));
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(content(FRAME));
        assertThatThrownBy(() -> producer.send(message))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("larger than max allowed 16 MB");
        MessageConsumer consumer = inside.createConsumer(queue);
        assertThat(consumer.receive(ActiveMq.A_WHILE_MS)).isNull();
    }
}
