package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.ActiveMQMessageConsumer;
import org.apache.activemq.ActiveMQSession;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.MessageAck;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a client that comes back takes for a message that it has had, and what not. */
@Timeout(60)
final class OpenWireDuplicatesTest {
    /** More numbers than the client's library remembers of one producer. */
    private static final int OTHERS = 2_200;

    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    private Line line;
    private Connection connection;

    @BeforeEach
    void open() throws IOException, JMSException {
        line = new Line(broker);
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(
                "failover:(tcp://127.0.0.1:" + line.port() + ")?initialReconnectDelay=20&maxReconnectDelay=100");
        connection = factory.createConnection();
        connection.start();
    }

    @AfterEach
    void close() throws IOException, JMSException {
        connection.close();
        line.close();
    }

    @Test
    void whatWasConsumedIsKnownAgainHoweverMuchOthersHaveSentMeanwhile() throws Exception {
        Session session = connection.createSession();
        Queue queue = session.createQueue("known");
        Session other = broker.session();
        ActiveMq.send(other, queue, "m");
        ActiveMQMessageConsumer consumer = (ActiveMQMessageConsumer) session.createConsumer(queue);
        Awaitility.await().until(() -> consumer.getMessageSize() == 1);
        line.muteCommands();
        assertThat(ActiveMq.text(consumer)).isEqualTo("m");
        line.awaitMuted();
        MessageProducer producer = other.createProducer(other.createQueue("x"));
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        for (int i = 0; i < OTHERS; i++) {
            producer.send(other.createMessage());
        }
        ActiveMq.send(other, queue, "n");
        Awaitility.await().until(() -> consumer.getMessageSize() == 1);
        line.cut();
        assertThat(ActiveMq.text(consumer)).isEqualTo("n");
        // Its acknowledgement shows that the library acknowledges by itself.
        ActiveMq.send(other, queue, "o");
        assertThat(ActiveMq.text(consumer)).isEqualTo("o");
        assertThat(ActiveMq.text(consumer, ActiveMq.A_WHILE_MS)).isNull();
        connection.close();
        assertThat(broker.next(queue)).isNull();
    }

    @Test
    void whatTheApplicationHasNotAcknowledgedByItselfIsNotConsumedByACut() throws Exception {
        Session session = connection.createSession(false, ActiveMQSession.INDIVIDUAL_ACKNOWLEDGE);
        Queue queue = session.createQueue("one.by.one");
        ActiveMq.send(broker.session(), queue, "1", "2");
        ActiveMQMessageConsumer consumer = (ActiveMQMessageConsumer) session.createConsumer(queue);
        Message first = consumer.receive(ActiveMq.SOON_MS);
        assertThat(ActiveMq.text(consumer)).isEqualTo("2");
        line.cut();
        // They come again, and the library keeps both from the application.
        ActiveMq.send(broker.session(), queue, "3");
        Message third = consumer.receive(ActiveMq.SOON_MS);
        assertThat(third.getBody(String.class)).isEqualTo("3");
        first.acknowledge();
        third.acknowledge();
        connection.close();
        assertThat(broker.next(queue)).isEqualTo("2");
        assertThat(broker.next(queue)).isNull();
    }

    @Test
    void whatTheLibraryKeepsFromTheApplicationLetsOthersFollow() throws Exception {
        connection.close();
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(
                "failover:(tcp://127.0.0.1:" + line.port() + ")?initialReconnectDelay=20");
        factory.getPrefetchPolicy().setAll(1);
        connection = factory.createConnection();
        connection.start();
        Session session = connection.createSession(false, ActiveMQSession.INDIVIDUAL_ACKNOWLEDGE);
        Queue queue = session.createQueue("one.follows");
        ActiveMq.send(broker.session(), queue, "1");
        MessageConsumer consumer = session.createConsumer(queue);
        Message first = consumer.receive(ActiveMq.SOON_MS);
        line.cut();
        ActiveMq.send(broker.session(), queue, "2");
        Message second = consumer.receive(ActiveMq.SOON_MS);
        assertThat(second.getBody(String.class)).isEqualTo("2");
        first.acknowledge();
        second.acknowledge();
        connection.close();
        assertThat(broker.next(queue)).isNull();
    }

    @Test
    void whatNoAcknowledgementShowsToBeConsumedIsThereForOthersAndSaysSo() throws Exception {
        Session session = connection.createSession();
        Queue queue = session.createQueue("unshown");
        ActiveMq.send(broker.session(), queue, "m");
        ActiveMQMessageConsumer consumer = (ActiveMQMessageConsumer) session.createConsumer(queue);
        Awaitility.await().until(() -> consumer.getMessageSize() == 1);
        line.muteCommands();
        assertThat(ActiveMq.text(consumer)).isEqualTo("m");
        line.awaitMuted();
        line.cut();
        ActiveMq.send(broker.session(), queue, "n");
        Awaitility.await().until(() -> consumer.getMessageSize() == 1);
        connection.close();
        MessageConsumer other = broker.session().createConsumer(queue);
        Message again = other.receive(ActiveMq.SOON_MS);
        assertThat(again.getBody(String.class)).isEqualTo("m");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(ActiveMq.text(other)).isEqualTo("n");
    }

    @Test
    void whatWasNeverDeliveredBeforeIsNotConsumedWhateverTheLibraryTakesItFor() throws Exception {
        Queue queue = new ActiveMQQueue("taken");
        ActiveMq.send(broker.session(), queue, "new");
        try (WirePeer peer = new WirePeer(broker.port(), "ID:takes").login()) {
            ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(peer.session(), 1));
            consumer.setDestination(new ActiveMQQueue("taken"));
            consumer.setPrefetchSize(1);
            assertThat(peer.ask(consumer).isException()).isFalse();
            MessageAck poison = new MessageAck(peer.dispatch(), MessageAck.POISON_ACK_TYPE, 1);
            poison.setPoisonCause(new Throwable("Suppressing duplicate delivery on connection, consumer 1"));
            assertThat(peer.ask(poison).isException()).isFalse();
        }
        assertThat(broker.next(queue)).isNull();
        assertThat(broker.next(new ActiveMQQueue("DLQ"))).isEqualTo("new");
    }

    @Test
    void copiesOfOneMessageInTwoQueuesAreTwoMessages() throws Exception {
        Session session = connection.createSession();
        Queue both = session.createQueue("c.one,c.two");
        ActiveMq.send(session, both, "copy");
        MessageConsumer one = session.createConsumer(session.createQueue("c.one"));
        MessageConsumer two = session.createConsumer(session.createQueue("c.two"));
        assertThat(ActiveMq.text(one)).isEqualTo("copy");
        assertThat(ActiveMq.text(two)).isEqualTo("copy");
        one.close();
        two.close();
        ActiveMq.send(session, both, "again");
        MessageConsumer together = session.createConsumer(both);
        for (int i = 0; i < 2; i++) {
            Message message = together.receive(ActiveMq.SOON_MS);
            assertThat(message.getBody(String.class)).isEqualTo("again");
            assertThat(message.getJMSDestination()).isEqualTo(both);
        }
        together.close();
        MessageConsumer pattern = session.createConsumer(session.createQueue("c.*"));
        ActiveMq.send(session, both, "pattern");
        assertThat(ActiveMq.text(pattern)).isEqualTo("pattern");
        assertThat(ActiveMq.text(pattern)).isEqualTo("pattern");
    }
}
