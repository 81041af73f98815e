package dev.turnstone.jms;

import static dev.turnstone.jms.FakeJms.SOON;
import static dev.turnstone.jms.FakeJms.consumer;
import static dev.turnstone.jms.FakeJms.nothing;
import static dev.turnstone.jms.FakeJms.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.ServerSession;
import jakarta.jms.Session;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * While a connection stops, or closes, a listener that runs has it to itself (Jakarta Messaging 3.1 §6.1.5, §6.1.8).
 */
final class StoppingTest {
    private static final Set<Thread.State> WAITING = EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);
    private static final long SOON_SECONDS = 10;

    private FakeJms jms;
    /** What the listener has, or why it has nothing. */
    private final CompletableFuture<Object> heard = new CompletableFuture<>();

    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);

    @BeforeEach
    void connect() throws JMSException {
        jms = new FakeJms();
    }

    @AfterEach
    void disconnect() throws JMSException {
        mayGoOn.countDown();
        // Else a listener that nobody answers would keep the connection from closing.
        jms.broker.fail("the test is over");
        jms.close();
    }

    private interface Call {
        void run() throws JMSException;
    }

    private interface Work {
        Object of() throws JMSException;
    }

    /** A call on a thread of its own, that has returned or waits. */
    private static FutureTask<Boolean> begun(Call call) {
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            call.run();
            return true;
        });
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        await().until(() -> task.isDone() || WAITING.contains(thread.getState()));
        return task;
    }

    private static void assertReturns(FutureTask<Boolean> begun) throws Exception {
        assertThat(begun.get(SOON_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    private Object heard() throws Exception {
        return heard.get(SOON_SECONDS, TimeUnit.SECONDS);
    }

    /** A listener that says that it runs, waits to be let on, and does this. */
    private MessageListener doing(Work work) {
        return message -> {
            running.countDown();
            try {
                mayGoOn.await();
                heard.complete(work.of());
            } catch (JMSException | InterruptedException | RuntimeException e) {
                heard.completeExceptionally(e);
            }
        };
    }

    private void listen(Work work) throws JMSException, InterruptedException {
        consumer(jms.session(Session.AUTO_ACKNOWLEDGE)).setMessageListener(doing(work));
        jms.send("a");
        running.await();
    }

    /** Sent by another connection, that nobody stops. */
    private void answer(String text) throws JMSException {
        try (Connection other = jms.broker.factory("").createConnection();
                Session session = other.createSession()) {
            session.createProducer(session.createQueue("answers")).send(session.createTextMessage(text));
        }
    }

    private static MessageConsumer answers(Session session) throws JMSException {
        return session.createConsumer(session.createQueue("answers"));
    }

    @Test
    void aListenerReceivesTheAnswerThatItWaitsForByAnotherSession() throws Exception {
        // Opened before the listener's session, so that a stop that goes from one to the next meets it first.
        MessageConsumer answers = answers(jms.session(Session.AUTO_ACKNOWLEDGE));
        listen(() -> text(answers.receive()));
        FutureTask<Boolean> stop = begun(jms.connection::stop);
        assertThat(stop).isNotDone();
        mayGoOn.countDown();
        answer("yes");
        assertThat(heard()).isEqualTo("yes");
        assertReturns(stop);
        answer("too late");
        assertThat(nothing(answers)).as("it has stopped").isNull();
        jms.connection.start();
        assertThat(text(answers.receive(SOON.toMillis()))).isEqualTo("too late");
    }

    @Test
    void aListenerReceivesByASessionThatItOpensOnlyThen() throws Exception {
        listen(() -> {
            try (Session opened = jms.connection.createSession()) {
                return text(answers(opened).receive());
            }
        });
        FutureTask<Boolean> stop = begun(jms.connection::stop);
        mayGoOn.countDown();
        answer("yes");
        assertThat(heard()).isEqualTo("yes");
        assertReturns(stop);
    }

    @Test
    void noOtherListenerIsCalledMeanwhile() throws Exception {
        AtomicInteger called = new AtomicInteger();
        answers(jms.session(Session.AUTO_ACKNOWLEDGE)).setMessageListener(message -> called.incrementAndGet());
        Session probing = jms.session(Session.AUTO_ACKNOWLEDGE);
        MessageConsumer probes = probing.createConsumer(probing.createQueue("probes"));
        listen(() -> "done");
        FutureTask<Boolean> stop = begun(jms.connection::stop);
        answer("for a listener");
        // Whoever is given this was given it after the other would have been called.
        probing.createProducer(probing.createQueue("probes")).send(probing.createTextMessage("probe"));
        assertThat(text(probes.receive(SOON.toMillis()))).isEqualTo("probe");
        mayGoOn.countDown();
        assertReturns(stop);
        assertThat(called).hasValue(0);
        jms.connection.start();
        await().until(() -> called.get() == 1);
    }

    @Test
    void aStartMeanwhileIsWhatHolds() throws Exception {
        listen(() -> "done");
        FutureTask<Boolean> stop = begun(jms.connection::stop);
        assertThat(stop).isNotDone();
        jms.connection.start();
        assertReturns(stop);
        mayGoOn.countDown();
        heard();
        MessageConsumer answers = answers(jms.session(Session.AUTO_ACKNOWLEDGE));
        answer("yes");
        assertThat(text(answers.receive(SOON.toMillis()))).isEqualTo("yes");
    }

    @Test
    void theListenerOfAServerSessionIsWaitedForAndMayReceive() throws Exception {
        MessageConsumer answers = answers(jms.session(Session.AUTO_ACKNOWLEDGE));
        Session served = jms.session(Session.AUTO_ACKNOWLEDGE);
        served.setMessageListener(doing(() -> text(answers.receive())));
        ServerSession server = new ServerSession() {
            @Override
            public Session getSession() {
                return served;
            }

            @Override
            public void start() {
                Thread thread = new Thread(served);
                thread.setDaemon(true);
                thread.start();
            }
        };
        jms.connection.createConnectionConsumer(served.createQueue("q"), null, () -> server, 1);
        jms.send("a");
        running.await();
        FutureTask<Boolean> stop = begun(jms.connection::stop);
        assertThat(stop).isNotDone();
        mayGoOn.countDown();
        answer("yes");
        assertThat(heard()).isEqualTo("yes");
        assertReturns(stop);
    }

    @Test
    void ofAContextToo() throws Exception {
        try (JMSContext context = jms.broker.factory("").createContext();
                JMSContext asking = context.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
            JMSConsumer answers = asking.createConsumer(asking.createQueue("answers"));
            context.createConsumer(context.createQueue("q"))
                    .setMessageListener(doing(() -> answers.receiveBody(String.class)));
            asking.createProducer().send(asking.createQueue("q"), "a");
            running.await();
            FutureTask<Boolean> stop = begun(context::stop);
            mayGoOn.countDown();
            answer("yes");
            assertThat(heard()).isEqualTo("yes");
            assertReturns(stop);
        }
    }

    @Test
    void aReceiveByASessionThatAListenerOpensWhileTheConnectionClosesEnds() throws Exception {
        listen(() -> {
            try (Session opened = jms.connection.createSession()) {
                Message none = answers(opened).receive();
                return none == null ? "nothing" : "something";
            }
        });
        FutureTask<Boolean> close = begun(jms.connection::close);
        assertThat(close).isNotDone();
        mayGoOn.countDown();
        assertThat(heard()).isEqualTo("nothing");
        assertReturns(close);
    }
}
