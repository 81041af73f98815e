package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.assertNothingFor;
import static dev.turnstone.itests.jms.conformance.Messaging.browse;
import static dev.turnstone.itests.jms.conformance.Messaging.receive;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveTexts;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static dev.turnstone.itests.jms.conformance.Messaging.textOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases J01 to J09, J19 and J20, as they are told, against whatever client library there is. */
@EveryClient
final class CasesTest {
    private static final int MANY = 100;

    @RegisterExtension
    final Messaging jms;

    CasesTest(Client client) {
        jms = new Messaging(client);
    }

    private static String[] numbered(int count) {
        String[] texts = new String[count];
        for (int i = 0; i < count; i++) {
            texts[i] = "" + (i + 1);
        }
        return texts;
    }

    @Test
    void j01SharedDurable() throws JMSException {
        Topic topic = jms.topic();
        String name = Messaging.unused("s");
        Session first = jms.session();
        Session second = jms.session();
        MessageConsumer one = first.createSharedDurableConsumer(topic, name);
        MessageConsumer two = second.createSharedDurableConsumer(topic, name);
        String[] sent = numbered(MANY);
        send(jms.session(), topic, sent);
        List<String> received = new ArrayList<>();
        while (received.size() < MANY) {
            int before = received.size();
            received.addAll(Messaging.remainingFor(one));
            received.addAll(Messaging.remainingFor(two));
            assertThat(received).as("all come").hasSizeGreaterThan(before);
        }
        assertThat(received).containsExactlyInAnyOrder(sent);
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> second.createSharedDurableConsumer(topic, name, "n = 1"));
        one.close();
        two.close();
        send(jms.session(), topic, numbered(10));
        MessageConsumer again = first.createSharedDurableConsumer(topic, name);
        assertThat(receiveTexts(again, 10)).containsExactly(numbered(10));
        again.close();
        first.unsubscribe(name);
    }

    @Test
    void j01AnotherSelectorReplacesASharedDurableSubscription() throws JMSException {
        Topic topic = jms.topic();
        String name = Messaging.unused("s");
        Session session = jms.session();
        session.createSharedDurableConsumer(topic, name).close();
        Session sender = jms.session();
        send(sender, topic, "of the one before");
        MessageConsumer replaced = session.createSharedDurableConsumer(topic, name, "n = 1");
        assertNothingFor(replaced);
        MessageProducer producer = sender.createProducer(topic);
        for (int n : new int[] {2, 1}) {
            Message message = sender.createTextMessage("n is " + n);
            message.setIntProperty("n", n);
            producer.send(message);
        }
        assertThat(receiveText(replaced)).isEqualTo("n is 1");
        assertNothingFor(replaced);
        replaced.close();
        session.unsubscribe(name);
    }

    @Test
    void j02UnsubscribeWhileActive() throws JMSException {
        Connection connection = jms.named(Messaging.unused("client"));
        Topic topic = jms.topic();
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = transacted.createDurableConsumer(topic, "d");
        Session other = connection.createSession();
        assertThatThrownBy(() -> other.unsubscribe("d")).isInstanceOf(JMSException.class);
        send(jms.session(), topic, "1");
        assertThat(receiveText(consumer)).isEqualTo("1");
        consumer.close();
        assertThatThrownBy(() -> other.unsubscribe("d"))
                .as("a delivery is in a transaction")
                .isInstanceOf(JMSException.class);
        transacted.rollback();
        MessageConsumer again = transacted.createDurableConsumer(topic, "d");
        assertThat(receiveText(again)).as("the subscription is intact").isEqualTo("1");
        transacted.commit();
        again.close();
        other.unsubscribe("d");
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> other.unsubscribe("d"));
    }

    @Test
    void j03Recover() throws JMSException {
        Queue queue = jms.queue();
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        send(jms.session(), queue, "1", "2", "3", "4");
        receive(consumer).acknowledge();
        assertThat(receiveTexts(consumer, 2)).containsExactly("2", "3");
        session.recover();
        for (String text : new String[] {"2", "3"}) {
            Message message = receive(consumer);
            assertThat(textOf(message)).isEqualTo(text);
            assertThat(message.getJMSRedelivered()).isTrue();
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
        Message fourth = receive(consumer);
        assertThat(textOf(fourth)).isEqualTo("4");
        assertThat(fourth.getJMSRedelivered()).isFalse();
        assertThat(fourth.getIntProperty("JMSXDeliveryCount")).isOne();
        fourth.acknowledge();
    }

    @Test
    void j04aADelayedMessageGoesToTheSubscriptionsOfItsSending() throws JMSException {
        Session session = jms.session();
        Topic topic = jms.topic();
        MessageConsumer there = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(topic);
        producer.setDeliveryDelay(1_000);
        long before = System.currentTimeMillis();
        producer.send(session.createTextMessage("late"));
        MessageConsumer after = jms.session().createConsumer(topic);
        assertThat(receiveText(there)).isEqualTo("late");
        assertThat(System.currentTimeMillis() - before).isGreaterThanOrEqualTo(1_000);
        assertNothingFor(after);
    }

    @Test
    void j04bTheDelayCountsFromTheSend() throws Exception {
        Session session = jms.session(Session.SESSION_TRANSACTED);
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryDelay(400);
        Message sent = session.createTextMessage("1");
        producer.send(sent);
        MessageConsumer consumer = jms.session().createConsumer(queue);
        // The transaction is open for longer than the delay.
        assertThat(consumer.receive(600)).isNull();
        session.commit();
        long committed = System.currentTimeMillis();
        assertThat(receiveText(consumer)).isEqualTo("1");
        assertThat(committed).isGreaterThanOrEqualTo(sent.getJMSDeliveryTime());
        assertThat(System.currentTimeMillis() - committed).isLessThan(400);
    }

    @Test
    void j04cABrowserDoesNotShowItEarly() throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryDelay(500);
        producer.send(session.createTextMessage("1"));
        assertThat(browse(session, queue, null)).isEmpty();
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(receiveText(consumer)).isEqualTo("1");
    }

    @Test
    void j04dWhatExpiresBeforeItsTimeNeverComes() throws JMSException {
        Session session = jms.session();
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryDelay(300);
        producer.setTimeToLive(100);
        try {
            producer.send(session.createTextMessage("1"));
        } catch (JMSException refused) {
            return; // May be refused as well.
        }
        assertThat(session.createConsumer(queue).receive(600)).isNull();
    }

    @Test
    void j05CloseAndCommitWaitForCallbacks() throws Exception {
        Queue queue = jms.queue();
        for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.SESSION_TRANSACTED}) {
            Session session = jms.started().createSession(mode);
            AtomicInteger told = new AtomicInteger();
            MessageProducer producer = session.createProducer(queue);
            for (int i = 0; i < MANY; i++) {
                producer.send(session.createTextMessage("" + i), new CompletionListener() {
                    @Override
                    public void onCompletion(Message message) {
                        told.incrementAndGet();
                    }

                    @Override
                    public void onException(Message message, Exception exception) {
                        told.addAndGet(MANY);
                    }
                });
            }
            if (mode == Session.SESSION_TRANSACTED) {
                session.commit();
            } else {
                session.close();
            }
            assertThat(told.get()).isEqualTo(MANY);
        }
    }

    @Test
    void j05ACallbackMayNotCloseOrCommit() throws Exception {
        Connection connection = jms.started();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(jms.queue());
        List<AutoCloseable> verbs = List.of(session, session::commit, session::rollback, connection);
        List<Exception> thrown = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        AtomicReference<Exception> refused = new AtomicReference<>();
        producer.send(session.createTextMessage("1"), new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                for (AutoCloseable verb : verbs) {
                    try {
                        verb.close();
                    } catch (Exception e) {
                        thrown.add(e);
                    }
                }
                done.countDown();
            }

            @Override
            public void onException(Message message, Exception exception) {
                refused.set(exception);
                done.countDown();
            }
        });
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(refused.get()).isNull();
        assertThat(thrown).hasSameSizeAs(verbs).allMatch(IllegalStateException.class::isInstance);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a='y' AND ( OR ))", "n > 4 AND", "a LIKE 5"})
    void j06ABadSelectorIsRefusedWhereItIsGiven(String selector) throws JMSException {
        Connection connection = jms.named(Messaging.unused("client"));
        Session session = connection.createSession();
        Queue queue = jms.queue();
        Topic topic = jms.topic();
        assertThatThrownBy(() -> session.createConsumer(queue, selector)).isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createConsumer(topic, selector)).isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createBrowser(queue, selector)).isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "d", selector, false))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(topic, "s", selector))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, "sd", selector))
                .isInstanceOf(InvalidSelectorException.class);
        send(session, queue, "the connection lives");
        assertThat(receiveText(session.createConsumer(queue, ""))).isEqualTo("the connection lives");
    }

    private boolean matches(String selector, long waitMs) throws JMSException {
        Queue queue = jms.queue();
        Session session = jms.session();
        Message message = session.createTextMessage("m");
        message.setIntProperty("n", 5);
        message.setStringProperty("p", "5");
        message.setStringProperty("s", "a_b");
        message.setLongProperty("big", (1L << 53) + 1);
        session.createProducer(queue).send(message);
        return session.createConsumer(queue, selector).receive(waitMs) != null;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOT (x=1)",
                "x<>1",
                "x NOT IN ('a')",
                "x NOT LIKE 'a%'",
                "NOT (x+1>0)",
                "NOT(x>1 AND n=5)",
                "s LIKE 'aXb' ESCAPE 'X'",
                "p = 5",
                "big = 9007199254740992"
            })
    void j07DoesNotMatch(String selector) throws JMSException {
        assertThat(matches(selector, Messaging.A_WHILE_MS)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOT(x>1 AND n=4)",
                "s LIKE 'a\\_b' ESCAPE '\\'",
                "NOT (p=5)",
                "big = 9007199254740993",
                "x IS NULL"
            })
    void j07Matches(String selector) throws JMSException {
        assertThat(matches(selector, Messaging.SOON_MS)).isTrue();
    }

    @Test
    void j07TheEscapedUnderscoreStandsForItself() throws JMSException {
        Queue queue = jms.queue();
        Session session = jms.session();
        Message message = session.createTextMessage("m");
        message.setStringProperty("s", "axb");
        session.createProducer(queue).send(message);
        assertNothingFor(session.createConsumer(queue, "s LIKE 'a\\_b' ESCAPE '\\'"));
        receive(session.createConsumer(queue, "s LIKE 'a_b'"));
    }

    @Test
    void j09WhatWasPrefetchedAndNotSeenGoesBackInItsPlace() throws JMSException {
        Queue queue = jms.queue();
        send(jms.session(), queue, numbered(MANY));
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer first = session.createConsumer(queue);
        Message last = receive(first);
        for (int i = 2; i <= 10; i++) {
            last = receive(first);
        }
        last.acknowledge();
        first.close();
        MessageConsumer second = jms.session().createConsumer(queue);
        for (int i = 11; i <= MANY; i++) {
            Message message = receive(second);
            assertThat(textOf(message)).isEqualTo("" + i);
            assertThat(message.getJMSRedelivered()).isFalse();
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isOne();
        }
        assertNothingFor(second);
    }

    @Test
    void j19WrongCallsAreToldWhatIsWrong() throws JMSException {
        Session session = jms.session();
        MessageProducer anonymous = session.createProducer(null);
        assertThatThrownBy(() -> anonymous.send((Destination) null, session.createMessage()))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> anonymous.send(session.createMessage()))
                .isInstanceOf(UnsupportedOperationException.class);
        Queue queue = jms.queue();
        JMSContext context = jms.context();
        assertThatThrownBy(() -> context.createProducer().send(queue, (Message) null))
                .isInstanceOf(MessageFormatRuntimeException.class);
        Topic topic = jms.topic();
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "d")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> session.createMessage().setObjectProperty("c", 'x'))
                .isInstanceOf(MessageFormatException.class);
        assertThat(jms.connection().getMetaData().getJMSVersion()).isEqualTo("3.1");
    }

    @Test
    void j19AReceivedMessageAlwaysHasItsDeliveryCount() throws JMSException {
        Queue queue = jms.queue();
        Session session = jms.session();
        send(session, queue, "1");
        Message message = receive(session.createConsumer(queue));
        assertThat(Messaging.elements(message.getPropertyNames())).contains("JMSXDeliveryCount");
    }

    @Test
    void j19WhatAnAnonymousProducerCannotSendIsNotLostSilently() throws JMSException {
        Session owner = jms.session();
        TemporaryQueue gone = owner.createTemporaryQueue();
        gone.delete();
        Session session = jms.session();
        MessageProducer anonymous = session.createProducer(null);
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> anonymous.send(gone, session.createTextMessage("1")));
    }

    @Test
    void j20TemporaryDestinationsEndWithTheirConnectionAndAreItsOwn() throws JMSException {
        Connection owner = jms.started();
        Session session = owner.createSession();
        TemporaryQueue temporary = session.createTemporaryQueue();
        session.createConsumer(temporary);
        Session other = jms.session();
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> other.createConsumer(temporary));
        send(other, temporary, "all may send");
        owner.close();
        assertThatExceptionOfType(JMSException.class).isThrownBy(() -> send(other, temporary, "gone"));
    }
}
