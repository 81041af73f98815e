package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §7.3: asynchronous sends. */
@EveryClient
final class AsynchronousSendTest {
    @RegisterExtension
    final Messaging jms;

    private Connection connection;
    private Session session;
    private Queue queue;
    private MessageProducer producer;

    AsynchronousSendTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        connection = jms.started();
        session = connection.createSession();
        queue = jms.queue();
        producer = session.createProducer(queue);
    }

    @Test
    void theListenerIsToldOnAnotherThreadWithTheSameMessage() throws Exception {
        Completions completions = new Completions();
        TextMessage message = session.createTextMessage("text");
        producer.send(message, completions);
        Completions.Told told = completions.next();
        assertThat(told.exception()).isNull();
        assertThat(told.message()).isSameAs(message);
        assertThat(told.thread()).isNotSameAs(Thread.currentThread());
        assertThat(message.getJMSMessageID()).startsWith("ID:");
        assertThat(message.getJMSDestination()).isEqualTo(queue);
        assertThat(receiveText(session.createConsumer(queue))).isEqualTo("text");
    }

    @Test
    void everyFormOfSendTellsItsListener() throws Exception {
        Completions completions = new Completions();
        MessageProducer anonymous = session.createProducer(null);
        producer.send(session.createTextMessage("1"), completions);
        producer.send(session.createTextMessage("2"), DeliveryMode.NON_PERSISTENT, 4, 0, completions);
        anonymous.send(queue, session.createTextMessage("3"), completions);
        anonymous.send(queue, session.createTextMessage("4"), DeliveryMode.PERSISTENT, 4, 0, completions);
        for (int i = 0; i < 4; i++) {
            assertThat(completions.next().exception()).isNull();
        }
        assertThat(jms.remaining(queue)).containsExactlyInAnyOrder("1", "2", "3", "4");
    }

    @Test
    void listenersAreToldInTheOrderOfSending() throws Exception {
        Completions completions = new Completions();
        List<Message> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Message message = session.createTextMessage("" + i);
            producer.setDeliveryMode(i % 2 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
            producer.send(message, completions);
            sent.add(message);
        }
        for (Message message : sent) {
            assertThat(completions.next().message()).isSameAs(message);
        }
    }

    @Test
    void oneListenerOfASessionIsToldAtATime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(100);
        CompletionListener listener = completing(message -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            // Long enough that a second call would be seen.
            LockSupport.parkNanos(50_000);
            inside.decrementAndGet();
            all.countDown();
        });
        MessageProducer second = session.createProducer(jms.queue());
        for (int i = 0; i < 50; i++) {
            producer.send(session.createTextMessage(), listener);
            second.send(session.createTextMessage(), listener);
        }
        assertThat(all.await(Messaging.SOON_MS, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(most.get()).isEqualTo(1);
    }

    @Test
    void closingTheProducerWaitsForItsListeners() throws Exception {
        assertWaits(producer::close);
    }

    @Test
    void closingTheSessionWaitsForItsListeners() throws Exception {
        assertWaits(session::close);
    }

    @Test
    void closingTheConnectionWaitsForItsListeners() throws Exception {
        assertWaits(connection::close);
    }

    @Test
    void committingAndRollingBackWaitForListeners() throws Exception {
        session = connection.createSession(Session.SESSION_TRANSACTED);
        producer = session.createProducer(queue);
        assertWaits(session::commit);
        assertWaits(session::rollback);
    }

    private void assertWaits(ThrowingCallable call) throws Exception {
        Completions completions = new Completions();
        CountDownLatch mayGoOn = new CountDownLatch(1);
        CountDownLatch first = new CountDownLatch(1);
        producer.send(session.createTextMessage("first"), completing(message -> {
            first.countDown();
            await(mayGoOn);
        }));
        for (int i = 0; i < 100; i++) {
            producer.send(session.createTextMessage("" + i), completions);
        }
        first.await();
        CompletableFuture<Integer> toldWhenDone = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                call.call();
                toldWhenDone.complete(completions.count());
            } catch (Throwable e) {
                toldWhenDone.completeExceptionally(e);
            }
        });
        caller.start();
        caller.join(Messaging.A_WHILE_MS);
        assertThat(toldWhenDone).isNotDone();
        mayGoOn.countDown();
        assertThat(toldWhenDone.get(Messaging.SOON_MS, TimeUnit.MILLISECONDS)).isEqualTo(100);
        caller.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aListenerMayNotEndItsOwnSessionNorConnection() throws Exception {
        session = connection.createSession(Session.SESSION_TRANSACTED);
        producer = session.createProducer(queue);
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                session::commit, session::rollback, session::close, connection::close, producer::close)) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            producer.send(session.createTextMessage(), completing(message -> {
                try {
                    call.call();
                    thrown.complete(null);
                } catch (Throwable e) {
                    thrown.complete(e);
                }
            }));
            assertThat(thrown.get(Messaging.SOON_MS, TimeUnit.MILLISECONDS)).isInstanceOf(IllegalStateException.class);
        }
        session.commit();
    }

    @Test
    void aTransactedSendIsToldBeforeTheCommitAndSentByIt() throws Exception {
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        Completions completions = new Completions();
        transacted.createProducer(queue).send(transacted.createTextMessage("text"), completions);
        assertThat(completions.next().exception()).isNull();
        assertThat(jms.remaining(queue)).isEmpty();
        transacted.commit();
        assertThat(jms.remaining(queue)).containsExactly("text");
    }

    @Test
    void aListenerThatThrowsDoesNotStopTheNext() throws Exception {
        producer.send(session.createTextMessage("1"), completing(message -> {
            throw new IllegalArgumentException("a fault of the application");
        }));
        Completions completions = new Completions();
        producer.send(session.createTextMessage("2"), completions);
        assertThat(completions.next().exception()).isNull();
        assertThat(jms.remaining(queue)).containsExactly("1", "2");
    }

    /** What a listener does when a send succeeded. */
    private interface OnCompletion {
        void sent(Message message);
    }

    private static CompletionListener completing(OnCompletion action) {
        return new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                action.sent(message);
            }

            @Override
            public void onException(Message message, Exception exception) {
                throw new AssertionError("the send failed", exception);
            }
        };
    }
}
