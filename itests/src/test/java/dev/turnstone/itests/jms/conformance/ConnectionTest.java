package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.assertNothingFor;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §6.1: client identifiers, starting and stopping, metadata. */
@EveryClient
final class ConnectionTest {
    @RegisterExtension
    final Messaging jms;

    ConnectionTest(Client client) {
        jms = new Messaging(client);
    }

    @Test
    void aClientIdentifierIsSetOnceAndFirst() throws JMSException {
        String id = Messaging.unused("client");
        Connection connection = jms.connection();
        assertThat(connection.getClientID()).isNull();
        connection.setClientID(id);
        assertThat(connection.getClientID()).isEqualTo(id);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> connection.setClientID("other"));
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> connection.setClientID(id));
    }

    @Test
    void aClientIdentifierCannotBeSetAfterOtherUse() throws JMSException {
        Connection withSession = jms.connection();
        withSession.createSession();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> withSession.setClientID(Messaging.unused("client")));

        Connection started = jms.started();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> started.setClientID(Messaging.unused("client")));
    }

    @Test
    void twoConnectionsCannotHaveOneClientIdentifier() throws JMSException {
        String id = Messaging.unused("client");
        Connection first = jms.named(id);
        Connection second = jms.connection();
        assertThatExceptionOfType(InvalidClientIDException.class).isThrownBy(() -> second.setClientID(id));
        first.close();
        second.setClientID(id);
        assertThat(second.getClientID()).isEqualTo(id);
    }

    @Test
    void emptyAndNullClientIdentifiersAreInvalid() throws JMSException {
        Connection connection = jms.connection();
        assertThatExceptionOfType(InvalidClientIDException.class).isThrownBy(() -> connection.setClientID(""));
        assertThatExceptionOfType(InvalidClientIDException.class).isThrownBy(() -> connection.setClientID(null));
    }

    @Test
    void nothingIsDeliveredBeforeTheStart() throws JMSException {
        Connection connection = jms.connection();
        Session session = connection.createSession();
        Queue queue = jms.queue();
        MessageConsumer consumer = session.createConsumer(queue);
        send(session, queue, "1");
        assertNothingFor(consumer);
        assertThat(consumer.receiveNoWait()).isNull();
        connection.start();
        assertThat(receiveText(consumer)).isEqualTo("1");
    }

    @Test
    void stoppingPausesAndStartingResumes() throws JMSException {
        Connection connection = jms.started();
        Session session = connection.createSession();
        Queue queue = jms.queue();
        MessageConsumer consumer = session.createConsumer(queue);
        send(session, queue, "1", "2");
        assertThat(receiveText(consumer)).isEqualTo("1");
        connection.stop();
        connection.stop();
        assertNothingFor(consumer);
        send(session, queue, "3");
        connection.start();
        connection.start();
        assertThat(receiveText(consumer)).isEqualTo("2");
        assertThat(receiveText(consumer)).isEqualTo("3");
    }

    @Test
    void noListenerIsCalledWhileStopped() throws Exception {
        Connection connection = jms.started();
        Session session = connection.createSession();
        Queue queue = jms.queue();
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        session.createConsumer(queue).setMessageListener(message -> {
            try {
                received.add(Messaging.textOf(message));
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        Session sending = jms.session();
        send(sending, queue, "1");
        assertThat(received.poll(Messaging.SOON_MS, TimeUnit.MILLISECONDS)).isEqualTo("1");
        connection.stop();
        send(sending, queue, "2");
        assertThat(received.poll(Messaging.A_WHILE_MS, TimeUnit.MILLISECONDS)).isNull();
        connection.start();
        assertThat(received.poll(Messaging.SOON_MS, TimeUnit.MILLISECONDS)).isEqualTo("2");
    }

    @Test
    void stoppingWaitsForARunningListenerWhichMaySend() throws Exception {
        Connection connection = jms.started();
        Session session = connection.createSession();
        Queue queue = jms.queue();
        Queue replies = jms.queue();
        CountDownLatch inListener = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        session.createConsumer(queue).setMessageListener(message -> {
            inListener.countDown();
            try {
                mayGoOn.await();
                send(session, replies, "sent while stopping");
            } catch (JMSException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        send(jms.session(), queue, "1");
        inListener.await();
        CountDownLatch stopped = new CountDownLatch(1);
        Thread stopping = new Thread(() -> {
            try {
                connection.stop();
                stopped.countDown();
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        stopping.start();
        assertThat(stopped.await(Messaging.A_WHILE_MS, TimeUnit.MILLISECONDS)).isFalse();
        mayGoOn.countDown();
        stopping.join();
        assertThat(stopped.getCount()).isZero();
        assertThat(receiveText(jms.session().createConsumer(replies))).isEqualTo("sent while stopping");
    }

    @Test
    void metadataNamesTheApisVersionAndTheProperties() throws JMSException {
        ConnectionMetaData data = jms.connection().getMetaData();
        assertThat(data.getJMSVersion()).isEqualTo("3.1");
        assertThat(data.getJMSMajorVersion()).isEqualTo(3);
        assertThat(data.getJMSMinorVersion()).isEqualTo(1);
        assertThat(data.getJMSProviderName()).isNotEmpty();
        assertThat(data.getProviderVersion())
                .startsWith(data.getProviderMajorVersion() + "." + data.getProviderMinorVersion());
        assertThat(Messaging.elements(data.getJMSXPropertyNames()))
                .map(String.class::cast)
                .contains("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount");
    }

    @Test
    void theExceptionListenerIsTheOneThatWasSet() throws JMSException {
        Connection connection = jms.connection();
        assertThat(connection.getExceptionListener()).isNull();
        ExceptionListener listener = e -> {};
        connection.setExceptionListener(listener);
        assertThat(connection.getExceptionListener()).isSameAs(listener);
        connection.setExceptionListener(null);
        assertThat(connection.getExceptionListener()).isNull();
    }

    @Test
    void sessionsHaveTheModeThatTheyWereCreatedWith() throws JMSException {
        Connection connection = jms.connection();
        assertThat(connection.createSession().getAcknowledgeMode()).isEqualTo(Session.AUTO_ACKNOWLEDGE);
        for (int mode : new int[] {
            Session.AUTO_ACKNOWLEDGE,
            Session.CLIENT_ACKNOWLEDGE,
            Session.DUPS_OK_ACKNOWLEDGE,
            Session.SESSION_TRANSACTED
        }) {
            Session session = connection.createSession(mode);
            assertThat(session.getAcknowledgeMode()).isEqualTo(mode);
            assertThat(session.getTransacted()).isEqualTo(mode == Session.SESSION_TRANSACTED);
        }
        Session transacted = connection.createSession(true, Session.CLIENT_ACKNOWLEDGE);
        assertThat(transacted.getTransacted()).isTrue();
        assertThat(transacted.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
        assertThat(connection.createSession(false, Session.CLIENT_ACKNOWLEDGE).getTransacted())
                .isFalse();
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> connection.createSession(17));
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> connection.createSession(false, 17));
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> connection.createSession(false, Session.SESSION_TRANSACTED));
    }
}
