package dev.turnstone.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.port.ErrorCode;
import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AsyncSendTest {
    private FakeJms jms;
    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void connect() throws JMSException {
        jms = new FakeJms();
    }

    @AfterEach
    void disconnect() throws JMSException {
        jms.broker.release();
        jms.close();
    }

    private interface Reaction {
        void run() throws JMSException;
    }

    private final class Hearing implements CompletionListener {
        private final Reaction reaction;

        Hearing(Reaction reaction) {
            this.reaction = reaction;
        }

        @Override
        public void onCompletion(Message message) {
            react("done", message);
        }

        @Override
        public void onException(Message message, Exception exception) {
            react(exception.getClass().getSimpleName(), message);
        }

        private void react(String outcome, Message message) {
            threads.add(Thread.currentThread());
            try {
                reaction.run();
                heard.add(outcome + " " + FakeJms.text(message));
            } catch (JMSException e) {
                heard.add(e.getClass().getSimpleName());
            }
        }
    }

    private MessageProducer producer(Session session) throws JMSException {
        return session.createProducer(session.createQueue("q"));
    }

    private void send(Session session, MessageProducer producer, int count) throws JMSException {
        for (int i = 0; i < count; i++) {
            producer.send(session.createTextMessage("" + i), new Hearing(() -> {}));
        }
    }

    @Test
    void callbacksComeInOrderOnOneOtherThread() throws JMSException {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        send(session, producer(session), 100);
        await().until(() -> heard.size() == 100);
        for (int i = 0; i < 100; i++) {
            assertThat(heard.get(i)).isEqualTo("done " + i);
        }
        assertThat(threads).containsOnly(threads.get(0)).doesNotContain(Thread.currentThread());
    }

    @Test
    void aRefusedSendIsHeardInItsPlace() throws JMSException {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = producer(session);
        producer.send(session.createTextMessage("a"), new Hearing(() -> {}));
        jms.broker.refuseNext(ErrorCode.QUEUE_FULL);
        producer.send(session.createTextMessage("b"), new Hearing(() -> {}));
        producer.send(session.createTextMessage("c"), new Hearing(() -> {}));
        await().until(() -> heard.size() == 3);
        assertThat(heard).containsExactly("done a", "ResourceAllocationException b", "done c");
    }

    @Test
    void closingTheSessionWaitsForAllCallbacks() throws Exception {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = producer(session);
        jms.broker.hold();
        send(session, producer, 100);
        CompletableFuture<Integer> heardAtClose = heardAfter(session::close);
        assertThat(heardAtClose).isNotDone();
        jms.broker.release();
        assertThat(heardAtClose.get()).isEqualTo(100);
    }

    @Test
    void closingTheProducerWaitsForItsCallbacks() throws Exception {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = producer(session);
        jms.broker.hold();
        send(session, producer, 10);
        CompletableFuture<Integer> heardAtClose = heardAfter(producer::close);
        jms.broker.release();
        assertThat(heardAtClose.get()).isEqualTo(10);
    }

    @Test
    void commitWaitsForAllCallbacksBeforeItCommits() throws Exception {
        Session session = jms.session(Session.SESSION_TRANSACTED);
        MessageProducer producer = producer(session);
        jms.broker.hold();
        send(session, producer, 100);
        CompletableFuture<Integer> heardAtCommit = heardAfter(session::commit);
        jms.broker.release();
        assertThat(heardAtCommit.get()).isEqualTo(100);
        assertThat(jms.broker.depth("queue:q")).isEqualTo(100);
    }

    private CompletableFuture<Integer> heardAfter(Reaction call) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                call.run();
                return heard.size();
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void aCallbackMustNotEndWhatWaitsForIt() throws JMSException {
        Session session = jms.session(Session.SESSION_TRANSACTED);
        MessageProducer producer = producer(session);
        List<Reaction> forbidden =
                List.of(producer::close, session::close, session::commit, session::rollback, jms.connection::close);
        for (Reaction reaction : forbidden) {
            producer.send(session.createTextMessage("x"), new Hearing(reaction));
        }
        await().until(() -> heard.size() == forbidden.size());
        assertThat(heard).containsOnly(IllegalStateException.class.getSimpleName());
    }

    @Test
    void aCallbackThatThrowsDoesNotSilenceTheNext() throws JMSException {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = producer(session);
        producer.send(session.createTextMessage("a"), new Hearing(() -> {
            throw new java.lang.IllegalStateException("told to throw");
        }));
        producer.send(session.createTextMessage("b"), new Hearing(() -> {}));
        await().until(() -> heard.contains("done b"));
    }

    @Test
    void aBrokenConnectionFailsEverySendThatWasNotConfirmed() throws JMSException {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = producer(session);
        jms.broker.hold();
        send(session, producer, 3);
        jms.broker.fail("the disk is gone");
        await().until(() -> heard.size() == 3);
        assertThat(heard).containsExactly("JMSException 0", "JMSException 1", "JMSException 2");
    }

    @Test
    void aListenerMayCommitItsOwnAsynchronousSends() throws Exception {
        Session session = jms.session(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(session.createQueue("out"));
        CountDownLatch committed = new CountDownLatch(1);
        FakeJms.consumer(session).setMessageListener(message -> {
            try {
                producer.send(session.createTextMessage("answer"), new Hearing(() -> {}));
                session.commit();
                committed.countDown();
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        jms.send("question");
        committed.await();
        assertThat(heard).containsExactly("done answer");
        assertThat(jms.broker.depth("queue:out")).isEqualTo(1);
    }

    @Test
    void aSendThatThrowsHasNoCallbackAndNothingWaitsForOne() throws Exception {
        Session session = jms.session(Session.SESSION_TRANSACTED);
        MessageProducer producer = producer(session);
        Message number = session.createTextMessage("number");
        number.setIntProperty("JMS_TURNSTONE_DEDUP_ID", 7);
        Message empty = session.createTextMessage("empty");
        empty.setStringProperty("JMS_TURNSTONE_DEDUP_ID", "");
        Message relaxed = session.createTextMessage("relaxed");
        relaxed.setIntProperty("JMS_TURNSTONE_RELAXED", 1);
        for (Message wrong : List.of(number, empty, relaxed)) {
            assertThatThrownBy(() -> producer.send(wrong, new Hearing(() -> {})))
                    .isInstanceOf(MessageFormatException.class);
        }
        producer.send(session.createTextMessage("right"), new Hearing(() -> {}));
        await().until(() -> heard.size() == 1);
        assertThat(heard).containsExactly("done right");
        heardAfter(session::commit).get(FakeJms.SOON.toSeconds(), TimeUnit.SECONDS);
        heardAfter(producer::close).get(FakeJms.SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(heard).containsExactly("done right");
    }

    @Test
    void aSendThatTheEndOfTheBrokerInterruptsIsToldToItsListenerAlone() throws Exception {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = producer(session);
        jms.broker.takeNoMore();
        CompletableFuture<Integer> sent = heardAfter(() -> send(session, producer, 1));
        await().until(() -> jms.broker.hasRefused());
        jms.broker.fail("the disk is gone");
        sent.get(FakeJms.SOON.toSeconds(), TimeUnit.SECONDS);
        await().until(() -> !heard.isEmpty());
        assertThat(heard).containsExactly("JMSException 0");
    }

    @Test
    void aListenerIsNeeded() throws JMSException {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = producer(session);
        assertThatThrownBy(() -> producer.send(session.createMessage(), null))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
