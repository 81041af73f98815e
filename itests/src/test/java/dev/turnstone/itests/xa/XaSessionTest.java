package dev.turnstone.itests.xa;

import static dev.turnstone.itests.xa.XaPeer.next;
import static dev.turnstone.itests.xa.XaPeer.xid;
import static javax.transaction.xa.XAResource.TMNOFLAGS;
import static javax.transaction.xa.XAResource.TMSUCCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.jms.TurnstoneXAConnectionFactory;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** XA sessions and contexts as the API has them (Jakarta Messaging 3.1 §11.3). */
final class XaSessionTest {
    private static final Xid ONE = xid(1);

    @TempDir
    Path data;

    private XaBroker broker;
    private XaPeer peer;

    @BeforeEach
    void start() throws JMSException {
        broker = new XaBroker(data);
        peer = new XaPeer(broker);
    }

    @AfterEach
    void stop() throws JMSException {
        peer.close();
        broker.close();
    }

    @Test
    void onlyTheManagerEndsTransactions() throws JMSException {
        assertThat(peer.session.getTransacted()).isTrue();
        assertThat(peer.session.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
        assertThatThrownBy(peer.session::commit).isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(peer.session::rollback).isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(() -> peer.session.getSession().commit()).isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(peer.session::recover).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void outsideOfABranchEachSendAndReceiptTakesEffectByItself() throws JMSException {
        peer.send("q", "1");
        assertThat(broker.takeAll("q")).containsExactly("1");
        broker.send("q", "2", "3");
        MessageConsumer consumer = peer.consumer("q");
        assertThat(next(consumer)).isEqualTo("2");
        peer.close();
        assertThat(broker.takeAll("q")).containsExactly("3");
    }

    @Test
    void workBeforeAndAfterABranchIsNotOfIt() throws JMSException, XAException {
        broker.send("in", "1", "2", "3");
        MessageConsumer in = peer.consumer("in");
        assertThat(next(in)).isEqualTo("1");
        peer.resource.start(ONE, TMNOFLAGS);
        assertThat(next(in)).isEqualTo("2");
        peer.send("q", "inside");
        peer.resource.end(ONE, TMSUCCESS);
        assertThat(next(in)).isEqualTo("3");
        peer.send("q", "after");
        peer.resource.rollback(ONE);
        assertThat(next(in)).isEqualTo("2*");
        peer.close();
        assertThat(broker.takeAll("in")).isEmpty();
        assertThat(broker.takeAll("q")).containsExactly("after");
    }

    @Test
    void aBranchThatAListenerBeginsHasTheListenersMessage() throws Exception {
        broker.send("in", "1", "2");
        List<String> seen = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(3);
        peer.consumer("in").setMessageListener(message -> {
            Xid xid = xid(10 + seen.size());
            try {
                peer.resource.start(xid, TMNOFLAGS);
                seen.add(((TextMessage) message).getText() + (message.getJMSRedelivered() ? "*" : ""));
                peer.send("q", ((TextMessage) message).getText());
                peer.resource.end(xid, TMSUCCESS);
                if (seen.size() == 1) {
                    peer.resource.rollback(xid);
                } else {
                    peer.resource.prepare(xid);
                    peer.resource.commit(xid, false);
                }
            } catch (JMSException | XAException e) {
                seen.add(e.toString());
            }
            done.countDown();
        });
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(seen).containsExactly("1", "1*", "2");
        peer.close();
        assertThat(broker.takeAll("in")).isEmpty();
        assertThat(broker.takeAll("q")).containsExactly("1", "2");
    }

    @Test
    void aContextWorksForBranchesToo() throws XAException, JMSException {
        TurnstoneXAConnectionFactory factory = broker.factory();
        try (XAJMSContext context = factory.createXAContext()) {
            XAResource resource = context.getXAResource();
            assertThat(context.getTransacted()).isTrue();
            assertThat(context.getSessionMode()).isEqualTo(Session.SESSION_TRANSACTED);
            assertThatThrownBy(context::commit).isInstanceOf(TransactionInProgressRuntimeException.class);
            assertThatThrownBy(context.getContext()::rollback)
                    .isInstanceOf(TransactionInProgressRuntimeException.class);
            broker.send("in", "order");
            JMSConsumer in = context.createConsumer(context.createQueue("in"));
            resource.start(ONE, TMNOFLAGS);
            assertThat(in.receiveBody(String.class, XaBroker.SOON_MS)).isEqualTo("order");
            context.createProducer().send(context.createQueue("q"), "bill");
            resource.end(ONE, TMSUCCESS);
            assertThat(broker.takeAll("q")).isEmpty();
            assertThat(resource.prepare(ONE)).isEqualTo(XAResource.XA_OK);
            resource.commit(ONE, false);
        }
        assertThat(broker.takeAll("q")).containsExactly("bill");
        assertThat(broker.takeAll("in")).isEmpty();
    }

    @Test
    void theOlderDomainsHaveXaToo() throws JMSException, XAException {
        try (XAQueueConnection queues = broker.factory().createXAQueueConnection();
                XATopicConnection topics = broker.factory().createXATopicConnection()) {
            XAQueueSession queueSession = queues.createXAQueueSession();
            queueSession.getXAResource().start(ONE, TMNOFLAGS);
            queueSession
                    .getQueueSession()
                    .createSender(queueSession.createQueue("q"))
                    .send(queueSession.createTextMessage("1"));
            queueSession.getXAResource().end(ONE, TMSUCCESS);
            queueSession.getXAResource().commit(ONE, true);
            XATopicSession topicSession = topics.createXATopicSession();
            assertThat(topicSession.getTopicSession().createTopic("t")).isNotNull();
            assertThatThrownBy(() -> topicSession.createQueue("q")).isInstanceOf(IllegalStateException.class);
        }
        assertThat(broker.takeAll("q")).containsExactly("1");
    }

    @Test
    void anXaConnectionHasPlainSessionsToo() throws JMSException {
        Session local = peer.connection.createSession(true, Session.SESSION_TRANSACTED);
        local.createProducer(local.createQueue("q")).send(local.createTextMessage("1"));
        assertThat(broker.takeAll("q")).isEmpty();
        local.commit();
        assertThat(broker.takeAll("q")).containsExactly("1");
    }
}
