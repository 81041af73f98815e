package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cases J03, J07, J09 and J19 through ActiveMQ's client. */
@Timeout(60)
final class OpenWireCasesTest {
    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    private static String[] numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(String::valueOf).toArray(String[]::new);
    }

    @Test
    void j03RecoverBringsBackWhatWasNotAcknowledgedInOrder() throws JMSException {
        Session session = broker.session(Session.CLIENT_ACKNOWLEDGE);
        Queue queue = session.createQueue("j03");
        ActiveMq.send(session, queue, "1", "2", "3", "4");
        MessageConsumer consumer = session.createConsumer(queue);
        consumer.receive(ActiveMq.SOON_MS).acknowledge();
        assertThat(ActiveMq.text(consumer)).isEqualTo("2");
        assertThat(ActiveMq.text(consumer)).isEqualTo("3");
        session.recover();
        for (String again : new String[] {"2", "3"}) {
            Message message = consumer.receive(ActiveMq.SOON_MS);
            assertThat(message.getBody(String.class)).isEqualTo(again);
            assertThat(message.getJMSRedelivered()).isTrue();
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
        Message fresh = consumer.receive(ActiveMq.SOON_MS);
        assertThat(fresh.getBody(String.class)).isEqualTo("4");
        assertThat(fresh.getJMSRedelivered()).isFalse();
        assertThat(fresh.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NOT (x = 1) | false",
                "x <> 1 | false",
                "x NOT IN ('a') | false",
                "x NOT LIKE 'a%' | false",
                "NOT (x + 1 > 0) | false",
                "NOT (x > 1 AND n = 5) | false",
                "NOT (x > 1 AND n = 4) | true",
                "s LIKE 'a\\_b' ESCAPE '\\' | true",
                "s LIKE 'a\\%b' ESCAPE '\\' | false",
                "p = 5 | false",
                "NOT (p = 5) | true",
                "l = 9007199254740992 | false",
                "l = 9007199254740993 | true"
            })
    void j07SelectorsKnowThreeValues(String selector, boolean matches) throws JMSException {
        Session session = broker.session();
        Queue queue = session.createQueue("j07");
        Message message = session.createTextMessage("x");
        message.setIntProperty("n", 5);
        message.setStringProperty("s", "a_b");
        message.setStringProperty("p", "5");
        message.setLongProperty("l", 9_007_199_254_740_993L);
        session.createProducer(queue).send(message);
        MessageConsumer consumer = session.createConsumer(queue, selector.strip());
        assertThat(ActiveMq.text(consumer, matches ? ActiveMq.SOON_MS : ActiveMq.A_WHILE_MS))
                .isEqualTo(matches ? "x" : null);
    }

    @Test
    void j09WhatAClosedConsumerNeverSawComesUnflaggedAndInOrder() throws JMSException {
        Session sender = broker.session();
        Queue queue = sender.createQueue("j09");
        ActiveMq.send(sender, queue, numbers(1, 100));
        Connection first = broker.connect(broker.factory("?jms.prefetchPolicy.all=100&jms.optimizeAcknowledge=false"));
        Session taking = first.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer closing = taking.createConsumer(queue);
        Message tenth = null;
        for (String expected : numbers(1, 10)) {
            tenth = closing.receive(ActiveMq.SOON_MS);
            assertThat(tenth.getBody(String.class)).isEqualTo(expected);
        }
        tenth.acknowledge();
        closing.close();
        MessageConsumer next = broker.session().createConsumer(queue);
        for (String expected : numbers(11, 100)) {
            Message message = next.receive(ActiveMq.SOON_MS);
            assertThat(message.getBody(String.class)).isEqualTo(expected);
            assertThat(message.getJMSRedelivered()).isFalse();
        }
        assertThat(broker.next(sender.createQueue("DLQ"))).isNull();
    }

    @Test
    void j19WhatCannotBeSentIsRefusedAndNeverLost() throws JMSException {
        Session session = broker.session();
        MessageProducer anonymous = session.createProducer(null);
        assertThatThrownBy(() -> anonymous.send(null, session.createMessage()))
                .isInstanceOf(InvalidDestinationException.class);
        Queue queue = session.createQueue("j19");
        // More than a record of the journal holds, less than a frame may have.
        String large = "x".repeat(1 << 21);
        anonymous.send(queue, session.createTextMessage(large));
        anonymous.send(queue, session.createTextMessage("goes on"));
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(consumer.receive(ActiveMq.SOON_MS).getBody(String.class)).isEqualTo(large);
        Message got = consumer.receive(ActiveMq.SOON_MS);
        assertThat(got.getBody(String.class)).isEqualTo("goes on");
        assertThat(got.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    void j19AClosedConnectionSendsNothingInSilence() throws JMSException {
        Connection connection = broker.connect();
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(session.createQueue("j19"));
        connection.close();
        assertThatThrownBy(() -> producer.send(session.createTextMessage("x")))
                .isInstanceOf(IllegalStateException.class);
    }
}
