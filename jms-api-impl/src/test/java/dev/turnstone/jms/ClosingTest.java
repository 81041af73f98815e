package dev.turnstone.jms;

import static dev.turnstone.jms.FakeJms.consumer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import jakarta.jms.CompletionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two threads close the same object: neither returns before what close waits for has come. */
final class ClosingTest {
    private static final Set<Thread.State> WAITING = EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private FakeJms jms;
    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch mayReturn = new CountDownLatch(1);

    @BeforeEach
    void connect() throws JMSException {
        jms = new FakeJms();
    }

    @AfterEach
    void disconnect() throws JMSException {
        mayReturn.countDown();
        jms.broker.release();
        jms.close();
    }

    /** A close on a thread of its own. */
    private static final class Closer {
        private final FutureTask<Boolean> task;
        private final Thread thread;

        Closer(AutoCloseable closed) {
            task = new FutureTask<>(() -> {
                closed.close();
                return true;
            });
            thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
            await().until(() -> task.isDone() || WAITING.contains(thread.getState()));
        }

        void assertWaits() {
            assertThat(task).isNotDone();
        }

        void assertReturns() throws Exception {
            assertThat(task.get()).isTrue();
        }
    }

    private void hold() {
        running.countDown();
        try {
            mayReturn.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private MessageListener holding() {
        return message -> hold();
    }

    private CompletionListener holdingCompletions() {
        return new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                hold();
            }

            @Override
            public void onException(Message message, Exception exception) {
                hold();
            }
        };
    }

    private void assertBothWait(AutoCloseable closed) throws Exception {
        running.await();
        Closer first = new Closer(closed);
        first.assertWaits();
        Closer second = new Closer(closed);
        second.assertWaits();
        mayReturn.countDown();
        first.assertReturns();
        second.assertReturns();
        closed.close();
    }

    private MessageConsumer listening() throws JMSException {
        MessageConsumer consumer = consumer(jms.session(Session.AUTO_ACKNOWLEDGE));
        consumer.setMessageListener(holding());
        jms.send("a");
        return consumer;
    }

    @Test
    void ofAConsumerWhoseListenerRuns() throws Exception {
        assertBothWait(listening());
    }

    @Test
    void ofASessionWhoseListenerRuns() throws Exception {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        consumer(session).setMessageListener(holding());
        jms.send("a");
        assertBothWait(session);
    }

    @Test
    void ofAConnectionWhoseListenerRuns() throws Exception {
        MessageConsumer consumer = listening();
        assertBothWait(jms.connection);
        consumer.close();
    }

    @Test
    void ofAProducerWhoseCallbackRuns() throws Exception {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createQueue("q"));
        producer.send(session.createMessage(), holdingCompletions());
        assertBothWait(producer);
    }

    @Test
    void ofAContextWhoseListenerRuns() throws Exception {
        JMSContext context = jms.broker.factory("").createContext();
        JMSConsumer consumer = context.createConsumer(context.createQueue("q"));
        consumer.setMessageListener(holding());
        context.createProducer().send(context.createQueue("q"), "a");
        assertBothWait(context);
        assertThat(jms.broker.connections()).as("its own connection is closed").isEqualTo(1);
    }

    @Test
    void ofAConsumerWhoseEndTheBrokerHasNotConfirmed() throws Exception {
        MessageConsumer consumer = consumer(jms.session(Session.AUTO_ACKNOWLEDGE));
        jms.broker.hold();
        Closer first = new Closer(consumer);
        Closer second = new Closer(consumer);
        first.assertWaits();
        second.assertWaits();
        jms.broker.release();
        first.assertReturns();
        second.assertReturns();
        assertThat(jms.told("unsubscribe")).hasSize(1);
    }

    @Test
    void aListenerMayCloseItsConsumerWhileAnotherThreadDoes() throws Exception {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer = consumer(session);
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        consumer.setMessageListener(message -> {
            hold();
            try {
                consumer.close();
                closed.complete(true);
            } catch (JMSException e) {
                closed.completeExceptionally(e);
            }
        });
        jms.send("a");
        running.await();
        Closer other = new Closer(consumer);
        other.assertWaits();
        mayReturn.countDown();
        assertThat(closed.get()).isTrue();
        other.assertReturns();
    }

    @Test
    void aCallbackMustNotCloseItsProducerAlsoWhileAnotherThreadDoes() throws Exception {
        Session session = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createQueue("q"));
        CompletableFuture<Throwable> refused = new CompletableFuture<>();
        CompletionListener closing = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                hold();
                refused.complete(catchThrowable(producer::close));
            }

            @Override
            public void onException(Message message, Exception exception) {
                refused.complete(exception);
            }
        };
        producer.send(session.createMessage(), closing);
        running.await();
        Closer other = new Closer(producer);
        other.assertWaits();
        mayReturn.countDown();
        assertThat(refused.get()).isInstanceOf(IllegalStateException.class);
        other.assertReturns();
    }

    /** The connection is closed while the listener of its second session runs, which then does this. */
    private void assertAvailableWhileClosing(Use use) throws Exception {
        Session first = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = first.createProducer(first.createQueue("out"));
        CompletableFuture<Object> used = new CompletableFuture<>();
        consumer(jms.session(Session.AUTO_ACKNOWLEDGE)).setMessageListener(message -> {
            hold();
            try {
                used.complete(use.of(first, producer));
            } catch (JMSException | RuntimeException e) {
                used.completeExceptionally(e);
            }
        });
        jms.send("a");
        running.await();
        Closer closer = new Closer(jms.connection);
        closer.assertWaits();
        mayReturn.countDown();
        assertThat(used.get()).isEqualTo(true);
        closer.assertReturns();
    }

    private interface Use {
        Object of(Session session, MessageProducer producer) throws JMSException;
    }

    @Test
    void ofAConnectionLeavesItsOtherSessionsToTheListenerThatRuns() throws Exception {
        assertAvailableWhileClosing((session, producer) -> {
            producer.send(session.createTextMessage("answer"));
            return true;
        });
        assertThat(jms.broker.depth("queue:out")).isEqualTo(1);
    }

    @Test
    void ofAConnectionLeavesItsOtherSessionsToTheListenerThatClosesOne() throws Exception {
        assertAvailableWhileClosing((session, producer) -> {
            session.close();
            return true;
        });
    }
}
