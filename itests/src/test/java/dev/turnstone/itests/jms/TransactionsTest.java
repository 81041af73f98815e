package dev.turnstone.itests.jms;

import static dev.turnstone.itests.jms.Jms.SOON_MS;
import static dev.turnstone.itests.jms.Jms.consumer;
import static dev.turnstone.itests.jms.Jms.next;
import static dev.turnstone.itests.jms.Jms.nothing;
import static dev.turnstone.itests.jms.Jms.numbers;
import static dev.turnstone.itests.jms.Jms.send;
import static dev.turnstone.itests.jms.Jms.started;
import static dev.turnstone.itests.jms.Jms.text;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transacted sessions. */
@ExtendWith(FreshBroker.class)
final class TransactionsTest {
    private Connection connection;
    private Session transacted;

    @BeforeEach
    void connect(ConnectionFactory factory) throws JMSException {
        connection = started(factory);
        transacted = connection.createSession(Session.SESSION_TRANSACTED);
    }

    @AfterEach
    void disconnect() throws JMSException {
        connection.close();
    }

    @Test
    void sendsAreSeenWhenTheyAreCommittedOnQueuesAndTopicsAlike() throws JMSException {
        Session session = connection.createSession();
        MessageConsumer queue = consumer(session, "q");
        MessageConsumer topic = session.createConsumer(session.createTopic("t"));
        send(transacted, transacted.createQueue("q"), 1, 3);
        send(transacted, transacted.createTopic("t"), 1, 3);
        assertThat(nothing(queue)).isNull();
        assertThat(nothing(topic)).isNull();
        transacted.commit();
        assertThat(next(queue, 3)).containsExactly("1", "2", "3");
        assertThat(next(topic, 3)).containsExactly("1", "2", "3");
    }

    @Test
    void rolledBackSendsAreNeverSeen() throws JMSException {
        send(transacted, transacted.createQueue("q"), 1, 3);
        transacted.rollback();
        send(transacted, transacted.createQueue("q"), 4, 4);
        transacted.commit();
        MessageConsumer consumer = consumer(connection.createSession(), "q");
        assertThat(next(consumer)).isEqualTo("4");
        assertThat(nothing(consumer)).isNull();
    }

    @Test
    void rolledBackReceiptsComeAgainInOrderFlaggedAndCounted(ConnectionFactory factory) throws JMSException {
        send(factory, "q", 1, 5);
        MessageConsumer consumer = consumer(transacted, "q");
        for (int attempt = 1; attempt <= 3; attempt++) {
            for (int i = 1; i <= 3; i++) {
                Message message = consumer.receive(SOON_MS);
                assertThat(text(message)).isEqualTo("" + i);
                assertThat(message.getJMSRedelivered()).isEqualTo(attempt > 1);
                assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(attempt);
            }
            transacted.rollback();
        }
        assertThat(next(consumer, 5)).isEqualTo(numbers(1, 5));
        transacted.commit();
        assertThat(nothing(consumer)).isNull();
    }

    @Test
    void aTransactionOfReceiptAndAnswerIsOneUnit(ConnectionFactory factory) throws JMSException {
        send(factory, "in", 1, 10);
        MessageConsumer in = consumer(transacted, "in");
        for (int i = 1; i <= 10; i++) {
            String number = next(in);
            send(transacted, transacted.createQueue("out"), Integer.parseInt(number), Integer.parseInt(number));
            if (i % 2 == 0) {
                transacted.commit();
            }
        }
        MessageConsumer out = consumer(connection.createSession(), "out");
        assertThat(next(out, 10)).isEqualTo(numbers(1, 10));
        assertThat(nothing(out)).isNull();
        assertThat(nothing(in)).isNull();
    }

    @Test
    void receiptsOfAConsumerThatWasClosedSinceAreCommittedToo(ConnectionFactory factory) throws JMSException {
        send(factory, "q", 1, 3);
        MessageConsumer consumer = consumer(transacted, "q");
        assertThat(next(consumer, 2)).containsExactly("1", "2");
        consumer.close();
        transacted.commit();
        MessageConsumer other = consumer(connection.createSession(), "q");
        assertThat(next(other)).isEqualTo("3");
        assertThat(nothing(other)).isNull();
    }

    @Test
    void receiptsOfAConsumerThatWasClosedSinceAreRolledBackToo(ConnectionFactory factory) throws JMSException {
        send(factory, "q", 1, 3);
        MessageConsumer consumer = consumer(transacted, "q");
        assertThat(next(consumer, 2)).containsExactly("1", "2");
        consumer.close();
        transacted.rollback();
        assertThat(next(consumer(connection.createSession(), "q"), 3)).isEqualTo(numbers(1, 3));
    }

    @Test
    void closingTheSessionOrConnectionRollsBack(ConnectionFactory factory) throws JMSException {
        send(factory, "q", 1, 2);
        assertThat(next(consumer(transacted, "q"))).isEqualTo("1");
        send(transacted, transacted.createQueue("q"), 9, 9);
        transacted.close();
        try (Connection other = started(factory)) {
            Session session = other.createSession(Session.SESSION_TRANSACTED);
            assertThat(next(consumer(session, "q"), 2)).containsExactly("1", "2");
        }
        MessageConsumer consumer = consumer(connection.createSession(), "q");
        assertThat(next(consumer, 2)).containsExactly("1", "2");
        assertThat(nothing(consumer)).isNull();
    }

    @Test
    void aLargeTransactionOfManyReceiptsIsCommitted(ConnectionFactory factory) throws JMSException {
        send(connection.createSession(), connection.createSession().createQueue("q"), 1, 3000);
        MessageConsumer consumer = consumer(transacted, "q");
        assertThat(next(consumer, 3000)).isEqualTo(numbers(1, 3000));
        transacted.commit();
        assertThat(nothing(consumer)).isNull();
    }
}
