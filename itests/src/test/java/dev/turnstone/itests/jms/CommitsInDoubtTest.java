package dev.turnstone.itests.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.itests.security.SecuredConnector;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionRolledBackException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The case J14 in the broker's JVM: the connection, or the broker, ends while a commit is under way. Whoever is told of
 * success has committed, whoever is told of a rollback has not, and a transaction is there as a whole or not at all.
 */
final class CommitsInDoubtTest {
    private static final int ROUNDS = 60;
    private static final int SENDS = 3;
    private static final int WAIT_MICROS_MAX = 6_000;

    @TempDir
    Path data;

    private final Random random = new Random(14);
    private final Map<String, String> told = new TreeMap<>();

    private Connection connect() throws JMSException {
        Connection connection = new TurnstoneConnectionFactory(SecuredConnector.url(data)).createConnection();
        connection.start();
        return connection;
    }

    private EmbeddedBroker start() {
        EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(data));
        SecuredConnector.serve(data, broker.broker());
        return broker;
    }

    /** Commits one transaction after the other until the connection has gone, and notes what it is told. */
    private void commitAll(Connection connection, String name) {
        int number = 0;
        String text = "";
        try {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue("q"));
            while (true) {
                text = name + "." + number++;
                for (int n = 0; n < SENDS; n++) {
                    producer.send(session.createTextMessage(text));
                }
                told.put(text, "unknown");
                session.commit();
                told.put(text, "committed");
            }
        } catch (TransactionRolledBackException e) {
            told.put(text, "rolled back");
        } catch (JMSException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    @FunctionalInterface
    private interface End {
        void run() throws JMSException;
    }

    private void cut(Connection connection, String name, End end) throws Exception {
        Thread worker = new Thread(() -> commitAll(connection, name), name);
        worker.start();
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500 + random.nextInt(WAIT_MICROS_MAX)));
        end.run();
        worker.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(worker.getStackTrace()).as("it has heard of the end").isEmpty();
    }

    private void check() throws JMSException {
        Map<String, Integer> counts = new HashMap<>();
        try (Connection connection = connect()) {
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
            for (Message next = consumer.receiveNoWait(); next != null; next = consumer.receiveNoWait()) {
                counts.merge(((TextMessage) next).getText(), 1, Integer::sum);
            }
        }
        assertThat(counts.values()).as("all or nothing").allMatch(count -> count == SENDS);
        List<String> wrong = new ArrayList<>();
        told.forEach((text, what) -> {
            boolean there = counts.containsKey(text);
            if (what.equals("committed") && !there || what.equals("rolled back") && there) {
                wrong.add(text + " " + what + (there ? " and there" : " and not there"));
            }
        });
        assertThat(wrong).isEmpty();
        assertThat(told).as("some have committed").containsValue("committed");
    }

    @Test
    void j14_whereTheConnectionEndsNobodyIsToldWrong() throws Exception {
        try (EmbeddedBroker broker = start()) {
            assertThat(broker).isNotNull();
            for (int round = 0; round < ROUNDS; round++) {
                Connection connection = connect();
                cut(connection, "r" + round, connection::close);
            }
            check();
        }
    }

    @Test
    void j14_whereTheBrokerEndsNobodyIsToldWrong() throws Exception {
        for (int round = 0; round < ROUNDS / 6; round++) {
            EmbeddedBroker broker = start();
            Connection connection = connect();
            cut(connection, "r" + round, broker::close);
            connection.close();
        }
        try (EmbeddedBroker broker = start()) {
            assertThat(broker).isNotNull();
            check();
        }
    }
}
