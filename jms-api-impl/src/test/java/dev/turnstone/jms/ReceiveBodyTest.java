package dev.turnstone.jms;

import static dev.turnstone.jms.FakeJms.SOON;
import static dev.turnstone.jms.FakeJms.consumer;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What runs while a body is looked at before its message is taken. */
final class ReceiveBodyTest {
    private static FakeJms jms;
    private static Session session;

    /** Its own code runs when it is deserialised, and needs the session in another thread. */
    private static final class Busy implements Serializable {
        private static final long serialVersionUID = 1;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            CompletableFuture.runAsync(Busy::send)
                    .orTimeout(SOON.toSeconds(), TimeUnit.SECONDS)
                    .join();
        }

        private static void send() {
            try {
                session.createProducer(session.createQueue("other")).send(session.createMessage());
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        }
    }

    @AfterEach
    void disconnect() throws JMSException {
        jms.close();
    }

    @Test
    void anObjectsOwnCodeRunsWithoutTheSessionsLock() throws JMSException {
        jms = new FakeJms("?object.allow=dev.turnstone.jms.**");
        session = jms.session(Session.AUTO_ACKNOWLEDGE);
        session.createProducer(session.createQueue("q")).send(session.createObjectMessage(new Busy()));
        ContextConsumer consumer = new ContextConsumer((ClientConsumer) consumer(session));
        assertThat(consumer.receiveBody(Busy.class, SOON.toMillis())).isNotNull();
        assertThat(jms.broker.depth("queue:q")).isZero();
        assertThat(consumer.receiveBodyNoWait(Busy.class)).isNull();
    }
}
