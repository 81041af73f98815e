package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How consumers of one queue stand beside each other, and consumers of many queues. */
@Timeout(60)
final class OpenWireConsumersTest {
    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    @Test
    void anExclusiveConsumerGetsEverythingUntilItLeaves() throws JMSException {
        Session session = broker.session();
        Queue queue = session.createQueue("exclusive");
        MessageConsumer plain = broker.session().createConsumer(queue);
        MessageConsumer exclusive = session.createConsumer(session.createQueue("exclusive?consumer.exclusive=true"));
        MessageConsumer next =
                broker.session().createConsumer(session.createQueue("exclusive?consumer.exclusive=true"));
        ActiveMq.send(session, queue, "1", "2", "3");
        for (String text : List.of("1", "2", "3")) {
            assertThat(ActiveMq.text(exclusive)).isEqualTo(text);
        }
        exclusive.close();
        ActiveMq.send(session, queue, "4");
        assertThat(ActiveMq.text(next)).isEqualTo("4");
        next.close();
        ActiveMq.send(session, queue, "5");
        assertThat(ActiveMq.text(plain)).isEqualTo("5");
    }

    @Test
    void consumersOfAHigherPriorityAreServedFirst() throws JMSException {
        Session session = broker.session();
        Queue queue = session.createQueue("priority");
        MessageConsumer low = session.createConsumer(session.createQueue("priority?consumer.priority=-128"));
        MessageConsumer high = session.createConsumer(session.createQueue("priority?consumer.priority=7"));
        ActiveMq.send(session, queue, "1", "2");
        assertThat(ActiveMq.text(high)).isEqualTo("1");
        assertThat(ActiveMq.text(high)).isEqualTo("2");
        high.close();
        ActiveMq.send(session, queue, "3");
        assertThat(ActiveMq.text(low)).isEqualTo("3");
    }

    @Test
    void aGroupGoesToOneConsumerWhichHearsOfItsFirstMessage() throws JMSException {
        Session session = broker.session();
        Queue queue = session.createQueue("groups");
        MessageConsumer one = broker.session().createConsumer(queue);
        MessageConsumer other = broker.session().createConsumer(queue);
        for (int i = 0; i < 3; i++) {
            sendOf(session, queue, "a", 0, "a" + i);
            sendOf(session, queue, "b", 0, "b" + i);
        }
        for (MessageConsumer consumer : List.of(one, other)) {
            String group = null;
            for (int i = 0; i < 3; i++) {
                Message message = consumer.receive(ActiveMq.SOON_MS);
                group = group == null ? message.getStringProperty("JMSXGroupID") : group;
                assertThat(message.getBody(String.class)).isEqualTo(group + i);
                assertThat(message.getBooleanProperty("JMSXGroupFirstForConsumer"))
                        .isEqualTo(i == 0);
            }
            assertThat(consumer.receive(ActiveMq.A_WHILE_MS)).isNull();
        }
    }

    @Test
    void aGroupEndsWithANegativeNumber() throws JMSException {
        Session session = broker.session();
        Queue queue = session.createQueue("ended");
        MessageConsumer consumer = broker.session().createConsumer(queue);
        sendOf(session, queue, "g", 1, "first");
        sendOf(session, queue, "g", -1, "last");
        sendOf(session, queue, "g", 1, "of a new one");
        for (boolean first : List.of(true, false, true)) {
            Message message = consumer.receive(ActiveMq.SOON_MS);
            assertThat(message.getBooleanProperty("JMSXGroupFirstForConsumer")).isEqualTo(first);
        }
    }

    private static void sendOf(Session session, Queue queue, String group, int number, String text)
            throws JMSException {
        TextMessage message = session.createTextMessage(text);
        message.setStringProperty("JMSXGroupID", group);
        if (number != 0) {
            message.setIntProperty("JMSXGroupSeq", number);
        }
        session.createProducer(queue).send(message);
    }

    @Test
    void aWildcardFindsQueuesThatThereAreAndThoseThatCome() throws JMSException {
        Session session = broker.session();
        ActiveMq.send(session, session.createQueue("orders.eu.new"), "there");
        ActiveMq.send(session, session.createQueue("bills.eu"), "of another name");
        MessageConsumer all = session.createConsumer(session.createQueue("orders.>"));
        Message message = all.receive(ActiveMq.SOON_MS);
        assertThat(message.getBody(String.class)).isEqualTo("there");
        assertThat(message.getJMSDestination()).isEqualTo(session.createQueue("orders.eu.new"));
        ActiveMq.send(session, session.createQueue("orders.us.new"), "comes");
        ActiveMq.send(session, session.createQueue("orders"), "comes too");
        assertThat(ActiveMq.text(all)).isEqualTo("comes");
        assertThat(ActiveMq.text(all)).isEqualTo("comes too");
        all.close();
        ActiveMq.send(session, session.createQueue("orders.us.old"), "later");
        assertThat(broker.next(session.createQueue("orders.us.old"))).isEqualTo("later");
        MessageConsumer level = session.createConsumer(session.createQueue("orders.*.new,bills.*"));
        ActiveMq.send(session, session.createQueue("orders.asia.new"), "new");
        assertThat(List.of(String.valueOf(ActiveMq.text(level)), String.valueOf(ActiveMq.text(level))))
                .containsExactlyInAnyOrder("new", "of another name");
    }

    @Test
    void aWildcardConsumerOfTransactionsGivesBackAndCommitsInEachQueue() throws JMSException {
        Session session = broker.session(Session.SESSION_TRANSACTED);
        ActiveMq.send(broker.session(), session.createQueue("w.1"), "1");
        ActiveMq.send(broker.session(), session.createQueue("w.2"), "2");
        MessageConsumer consumer = session.createConsumer(session.createQueue("w.*"), "JMSPriority = 4");
        assertThat(List.of(String.valueOf(ActiveMq.text(consumer)), String.valueOf(ActiveMq.text(consumer))))
                .containsExactlyInAnyOrder("1", "2");
        session.commit();
        session.close();
        assertThat(broker.next(broker.session().createQueue("w.*"))).isNull();
    }

    @Test
    void aWildcardConsumerThatAsksForEachMessageGetsThem() throws JMSException {
        ActiveMQConnectionFactory factory = broker.factory("?jms.prefetchPolicy.all=0");
        Connection connection = broker.connect(factory);
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("pulled.*"));
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(consumer.receive(50)).isNull();
        ActiveMq.send(session, session.createQueue("pulled.1"), "1");
        ActiveMq.send(session, session.createQueue("pulled.2"), "2");
        assertThat(ActiveMq.text(consumer)).isEqualTo("1");
        assertThat(ActiveMq.text(consumer)).isEqualTo("2");
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void aWildcardConsumerFindsItsQueuesAgainBehindARestart() throws JMSException {
        Connection connection = broker.connect(broker.failover());
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("kept.*"));
        ActiveMq.send(session, session.createQueue("kept.1"), "1");
        assertThat(ActiveMq.text(consumer)).isEqualTo("1");
        broker.stop();
        broker.start();
        ActiveMq.send(session, session.createQueue("kept.1"), "2");
        ActiveMq.send(session, session.createQueue("kept.2"), "3");
        assertThat(List.of(String.valueOf(ActiveMq.text(consumer)), String.valueOf(ActiveMq.text(consumer))))
                .containsExactlyInAnyOrder("2", "3");
    }

    @Test
    void aBrowserLooksAtOneQueue() throws JMSException {
        Session session = broker.session();
        assertThatThrownBy(
                        () -> session.createBrowser(session.createQueue("a.*")).getEnumeration())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("wildcard");
    }
}
