package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.ActiveMQSession;
import org.apache.activemq.RedeliveryPolicy;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.MessageAck;
import org.apache.activemq.command.MessageDispatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
final class OpenWireSessionsTest {
    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    @Test
    void automaticAcknowledgementConsumesWhatWasReceivedAndNothingElse() throws JMSException {
        Connection connection = broker.connect();
        Session session = connection.createSession();
        Queue queue = session.createQueue("auto");
        ActiveMq.send(session, queue, "1", "2", "3");
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(ActiveMq.text(consumer)).isEqualTo("1");
        consumer.close();
        MessageConsumer other = session.createConsumer(queue);
        Message second = other.receive(ActiveMq.SOON_MS);
        assertThat(second.getBody(String.class)).isEqualTo("2");
        assertThat(second.getJMSRedelivered()).isFalse();
        connection.close();
        assertThat(broker.next(queue)).isEqualTo("3");
        assertThat(broker.next(queue)).isNull();
    }

    @Test
    void clientAcknowledgementCoversAllBeforeAndRecoverBringsTheRestBackFlagged() throws JMSException {
        Session session = broker.session(Session.CLIENT_ACKNOWLEDGE);
        Queue queue = session.createQueue("client");
        ActiveMq.send(session, queue, "1", "2", "3", "4");
        MessageConsumer consumer = session.createConsumer(queue);
        ActiveMq.text(consumer);
        consumer.receive(ActiveMq.SOON_MS).acknowledge();
        assertThat(ActiveMq.text(consumer)).isEqualTo("3");
        session.recover();
        Message again = consumer.receive(ActiveMq.SOON_MS);
        assertThat(again.getBody(String.class)).isEqualTo("3");
        assertThat(again.getJMSRedelivered()).isTrue();
        session.close();
        Session other = broker.session();
        MessageConsumer rest = other.createConsumer(queue);
        Message third = rest.receive(ActiveMq.SOON_MS);
        assertThat(third.getBody(String.class)).isEqualTo("3");
        assertThat(third.getJMSRedelivered()).isTrue();
        Message fourth = rest.receive(ActiveMq.SOON_MS);
        assertThat(fourth.getBody(String.class)).isEqualTo("4");
        assertThat(fourth.getJMSRedelivered()).isFalse();
        assertThat(ActiveMq.text(rest, ActiveMq.A_WHILE_MS)).isNull();
    }

    @Test
    void oneMessageCanBeAcknowledgedByItself() throws JMSException {
        Session session = broker.session(ActiveMQSession.INDIVIDUAL_ACKNOWLEDGE);
        Queue queue = session.createQueue("individual");
        ActiveMq.send(session, queue, "1", "2", "3");
        MessageConsumer consumer = session.createConsumer(queue);
        ActiveMq.text(consumer);
        consumer.receive(ActiveMq.SOON_MS).acknowledge();
        ActiveMq.text(consumer);
        session.close();
        assertThat(broker.next(queue)).isEqualTo("1");
        assertThat(broker.next(queue)).isEqualTo("3");
        assertThat(broker.next(queue)).isNull();
    }

    @Test
    void dupsOkConsumesMoreThanAPrefetchOfMessages() throws JMSException {
        Session session = broker.session(Session.DUPS_OK_ACKNOWLEDGE);
        Queue queue = session.createQueue("dups");
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        for (int i = 0; i < 2_500; i++) {
            producer.setDeliveryMode(jakarta.jms.DeliveryMode.NON_PERSISTENT);
            producer.send(session.createTextMessage(String.valueOf(i)));
        }
        for (int i = 0; i < 2_500; i++) {
            assertThat(ActiveMq.text(consumer)).isEqualTo(String.valueOf(i));
        }
        session.close();
        assertThat(broker.next(queue)).isNull();
    }

    @Test
    void aTransactionSendsAndConsumesAsAWhole() throws JMSException {
        Session session = broker.session(Session.SESSION_TRANSACTED);
        Queue in = session.createQueue("tx.in");
        Queue out = session.createQueue("tx.out");
        ActiveMq.send(broker.session(), in, "1", "2");
        MessageConsumer consumer = session.createConsumer(in);
        MessageProducer producer = session.createProducer(out);

        assertThat(ActiveMq.text(consumer)).isEqualTo("1");
        producer.send(session.createTextMessage("undone"));
        session.rollback();
        Message again = consumer.receive(ActiveMq.SOON_MS);
        assertThat(again.getBody(String.class)).isEqualTo("1");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        assertThat(broker.next(out)).isNull();
        assertThat(ActiveMq.text(consumer)).isEqualTo("2");
        producer.send(session.createTextMessage("done"));
        session.commit();
        session.close();
        assertThat(broker.next(in)).isNull();
        assertThat(broker.next(out)).isEqualTo("done");
    }

    @Test
    void aTransactionMayTakeMoreMessagesThanThePrefetch() throws JMSException {
        Session session =
                broker.connect(broker.factory("?jms.prefetchPolicy.all=1")).createSession(Session.SESSION_TRANSACTED);
        Queue queue = session.createQueue("long.tx");
        Session other = broker.session();
        for (int i = 0; i < 50; i++) {
            ActiveMq.send(other, queue, String.valueOf(i));
        }
        MessageConsumer consumer = session.createConsumer(queue);
        for (int i = 0; i < 50; i++) {
            assertThat(ActiveMq.text(consumer)).isEqualTo(String.valueOf(i));
        }
        session.commit();
        session.close();
        assertThat(broker.next(queue)).isNull();
    }

    @Test
    void aMessageThatFailsTooOftenBecomesADeadLetterWithItsReason() throws JMSException {
        ActiveMQConnectionFactory factory = broker.factory();
        RedeliveryPolicy policy = new RedeliveryPolicy();
        policy.setMaximumRedeliveries(2);
        policy.setInitialRedeliveryDelay(0);
        policy.setRedeliveryDelay(0);
        factory.setRedeliveryPolicy(policy);
        Session session = broker.connect(factory).createSession(Session.SESSION_TRANSACTED);
        Queue queue = session.createQueue("poison");
        ActiveMq.send(broker.session(), queue, "bad", "good");
        MessageConsumer consumer = session.createConsumer(queue);
        for (int attempt = 1; attempt <= 3; attempt++) {
            Message message = consumer.receive(ActiveMq.SOON_MS);
            assertThat(message.getBody(String.class)).isEqualTo("bad");
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(attempt);
            session.rollback();
        }
        assertThat(ActiveMq.text(consumer)).isEqualTo("good");
        session.commit();
        Session reader = broker.session();
        Message dead = reader.createConsumer(reader.createQueue("DLQ")).receive(ActiveMq.SOON_MS);
        assertThat(dead.getBody(String.class)).isEqualTo("bad");
        assertThat(dead.getStringProperty("JMS_TURNSTONE_DEAD_REASON")).isEqualTo("rejected");
        assertThat(dead.getStringProperty("JMS_TURNSTONE_EXCEPTION")).contains("exceeds redelivery policy limit");
    }

    @Test
    void aTransactionMayAcknowledgeEachMessageByItself() throws JMSException {
        ActiveMQConnectionFactory factory =
                broker.factory("?jms.transactedIndividualAck=true&jms.prefetchPolicy.all=1");
        factory.getRedeliveryPolicy().setInitialRedeliveryDelay(0);
        Session session = broker.connect(factory).createSession(Session.SESSION_TRANSACTED);
        Queue queue = session.createQueue("individual.tx");
        ActiveMq.send(broker.session(), queue, "1", "2", "3", "4");
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(ActiveMq.text(consumer)).isEqualTo("1");
        assertThat(ActiveMq.text(consumer)).isEqualTo("2");
        session.rollback();
        for (String text : List.of("1", "2", "3")) {
            assertThat(ActiveMq.text(consumer)).isEqualTo(text);
        }
        session.commit();
        session.close();
        assertThat(broker.next(queue)).isEqualTo("4");
        assertThat(broker.next(queue)).isNull();
    }

    @Test
    void whatAClientHasTriedAgainIsAnAttemptWhenItsConsumerIsClosed() throws JMSException, IOException {
        ActiveMQQueue queue = new ActiveMQQueue("tried");
        ActiveMq.send(broker.session(), queue, "1");
        try (WirePeer peer = new WirePeer(broker.port(), "ID:tries").login()) {
            for (int attempts = 0; attempts < 4; attempts++) {
                ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(peer.session(), attempts + 1));
                consumer.setDestination(queue);
                consumer.setPrefetchSize(1);
                peer.tell(consumer);
                MessageDispatch dispatch = peer.dispatch();
                assertThat(dispatch.getRedeliveryCounter()).isEqualTo(attempts);
                MessageAck ack = new MessageAck(dispatch, MessageAck.REDELIVERED_ACK_TYPE, 1);
                assertThat(peer.ask(ack).isException()).isFalse();
                assertThat(peer.ask(consumer.createRemoveCommand()).isException())
                        .isFalse();
            }
        }
    }

    @Test
    void listenersGetMessagesInOrderAndAFailingOneGetsItsMessageAgain() throws Exception {
        ActiveMQConnectionFactory factory = broker.factory();
        factory.getRedeliveryPolicy().setInitialRedeliveryDelay(0);
        factory.getRedeliveryPolicy().setRedeliveryDelay(0);
        Session session = broker.connect(factory).createSession();
        Queue queue = session.createQueue("listened");
        BlockingQueue<String> got = new LinkedBlockingQueue<>();
        session.createConsumer(queue).setMessageListener(message -> {
            try {
                String text = message.getBody(String.class);
                boolean again = message.getJMSRedelivered();
                got.add(text + again);
                if (text.equals("2") && !again) {
                    throw new IllegalStateException("as the test wants");
                }
            } catch (JMSException e) {
                got.add(e.toString());
            }
        });
        ActiveMq.send(broker.session(), queue, "1", "2", "3");
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(got.poll(20, TimeUnit.SECONDS));
        }
        assertThat(all).containsExactly("1false", "2false", "2true", "3false");
    }

    @Test
    void aPullingConsumerGetsOneMessageForEachReceive() throws JMSException {
        ActiveMQConnection connection =
                (ActiveMQConnection) broker.connect(broker.factory("?jms.prefetchPolicy.all=0"));
        Session session = connection.createSession();
        Queue queue = session.createQueue("pulled");
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(consumer.receive(50)).isNull();
        ActiveMq.send(broker.session(), queue, "1", "2", "3");
        assertThat(consumer.receiveNoWait()).isNotNull();
        // The other messages are still there for others.
        assertThat(broker.next(queue)).isEqualTo("2");
        assertThat(ActiveMq.text(consumer, 5_000)).isEqualTo("3");
        assertThat(consumer.receiveNoWait()).isNull();
        ActiveMq.send(broker.session(), queue, "4");
        assertThat(consumer.receive().getBody(String.class)).isEqualTo("4");
    }

    @Test
    void producersMayHaveAWindow() throws JMSException {
        ActiveMQConnectionFactory factory = broker.factory("?jms.useAsyncSend=true&jms.producerWindowSize=4096");
        Session session = broker.connect(factory).createSession();
        Queue queue = session.createQueue("windowed");
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 100; i++) {
            producer.send(session.createTextMessage("x".repeat(1_000)));
        }
        MessageConsumer consumer = session.createConsumer(queue);
        for (int i = 0; i < 100; i++) {
            assertThat(ActiveMq.text(consumer)).hasSize(1_000);
        }
    }

    @Test
    void connectionsLastThoughNothingIsSaid() throws Exception {
        ActiveMQConnection connection = (ActiveMQConnection) broker.connect(broker.factory(
                "?wireFormat.maxInactivityDuration=600&wireFormat.maxInactivityDurationInitalDelay=600"));
        Session session = connection.createSession();
        Queue queue = session.createQueue("quiet");
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(consumer.receive(3_000)).isNull();
        ActiveMq.send(session, queue, "still here");
        assertThat(ActiveMq.text(consumer)).isEqualTo("still here");
        assertThat(connection.getBrokerInfo().getBrokerName()).isEqualTo("turnstone");
    }
}
