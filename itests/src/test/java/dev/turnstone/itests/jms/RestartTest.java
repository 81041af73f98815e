package dev.turnstone.itests.jms;

import static dev.turnstone.itests.jms.Jms.consumer;
import static dev.turnstone.itests.jms.Jms.next;
import static dev.turnstone.itests.jms.Jms.nothing;
import static dev.turnstone.itests.jms.Jms.numbers;
import static dev.turnstone.itests.jms.Jms.send;
import static dev.turnstone.itests.jms.Jms.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded broker's life: from its first connection to its last. */
final class RestartTest {
    @TempDir
    Path data;

    private ConnectionFactory factory() {
        return new TurnstoneConnectionFactory("vm://?data=" + data);
    }

    @Test
    void whatWasSentAndWhatWasConsumedIsKnownAfterARestart() throws JMSException {
        try (Connection connection = started(factory())) {
            Session session = connection.createSession();
            send(session, session.createQueue("q"), 1, 10);
            assertThat(next(consumer(session, "q"), 4)).isEqualTo(numbers(1, 4));
        }
        try (Connection connection = started(factory())) {
            MessageConsumer consumer = consumer(connection.createSession(), "q");
            assertThat(next(consumer, 6)).isEqualTo(numbers(5, 10));
            assertThat(nothing(consumer)).isNull();
        }
    }

    @Test
    void aDurableSubscriptionOutlivesTheBroker() throws JMSException {
        TurnstoneConnectionFactory named = new TurnstoneConnectionFactory("vm://?data=" + data);
        named.setClientID("me");
        try (Connection connection = started(named)) {
            Session session = connection.createSession();
            session.createDurableConsumer(session.createTopic("t"), "s").close();
        }
        try (Connection connection = started(factory())) {
            Session session = connection.createSession();
            send(session, session.createTopic("t"), 1, 2);
        }
        try (Connection connection = started(named)) {
            Session session = connection.createSession();
            assertThat(next(session.createDurableConsumer(session.createTopic("t"), "s"), 2))
                    .isEqualTo(numbers(1, 2));
        }
    }

    @Test
    void twoFactoriesOnOneFolderShareABroker() throws JMSException {
        try (Connection first = started(factory());
                Connection second = started(factory())) {
            Session session = first.createSession();
            send(session, session.createQueue("q"), 1, 1);
            assertThat(next(consumer(second.createSession(), "q"))).isEqualTo("1");
        }
    }

    @Test
    void aFactoryWithAWrongUrlSaysWhatIsWrong() {
        assertThatThrownBy(() -> new TurnstoneConnectionFactory("vm://?dta=x").createConnection())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("dta");
        assertThatThrownBy(() -> new TurnstoneConnectionFactory("carrier://x").createConnection())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("vm");
    }
}
