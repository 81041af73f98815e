package dev.turnstone.itests.jms;

import static dev.turnstone.itests.jms.Jms.consumer;
import static dev.turnstone.itests.jms.Jms.next;
import static dev.turnstone.itests.jms.Jms.numbers;
import static dev.turnstone.itests.jms.Jms.producer;
import static dev.turnstone.itests.jms.Jms.started;
import static dev.turnstone.itests.jms.Jms.text;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Asynchronous sends and what waits for them: case J05. */
@ExtendWith(FreshBroker.class)
final class AsynchronousSendsTest {
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private Connection connection;

    @BeforeEach
    void connect(ConnectionFactory factory) throws JMSException {
        connection = started(factory);
    }

    @AfterEach
    void disconnect() throws JMSException {
        connection.close();
    }

    private interface Call {
        void run() throws JMSException;
    }

    private CompletionListener hearing(Call call) {
        return new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                try {
                    call.run();
                    heard.add(text(message));
                } catch (JMSException e) {
                    heard.add(e.getClass().getSimpleName());
                }
            }

            @Override
            public void onException(Message message, Exception exception) {
                heard.add(exception.toString());
            }
        };
    }

    private void send(Session session, MessageProducer producer, int count) throws JMSException {
        for (int i = 1; i <= count; i++) {
            producer.send(session.createTextMessage("" + i), hearing(() -> {}));
        }
    }

    @Test
    void j05CloseReturnsWhenAllCallbacksHave(ConnectionFactory factory) throws JMSException {
        Session session = connection.createSession();
        send(session, producer(session, "q"), 100);
        session.close();
        assertThat(heard).isEqualTo(numbers(1, 100));
        assertThat(next(consumer(connection.createSession(), "q"), 100)).isEqualTo(numbers(1, 100));
    }

    @Test
    void j05CommitReturnsWhenAllCallbacksHave() throws JMSException {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        send(session, producer(session, "q"), 100);
        session.commit();
        assertThat(heard).isEqualTo(numbers(1, 100));
        assertThat(next(consumer(connection.createSession(), "q"), 100)).isEqualTo(numbers(1, 100));
    }

    @Test
    void j05ACallbackMustNotEndWhatWaitsForIt() throws JMSException {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = producer(session, "q");
        for (Call call :
                List.<Call>of(session::close, session::commit, session::rollback, producer::close, connection::close)) {
            producer.send(session.createTextMessage("x"), hearing(call));
        }
        session.commit();
        assertThat(heard).hasSize(5).containsOnly(IllegalStateException.class.getSimpleName());
    }

    @Test
    void synchronousAndAsynchronousSendsKeepTheirOrder() throws JMSException {
        Session session = connection.createSession();
        MessageProducer producer = producer(session, "q");
        for (int i = 1; i <= 100; i++) {
            if (i % 10 == 0) {
                producer.send(session.createTextMessage("" + i));
            } else {
                producer.send(session.createTextMessage("" + i), hearing(() -> {}));
            }
        }
        assertThat(next(consumer(connection.createSession(), "q"), 100)).isEqualTo(numbers(1, 100));
    }
}
