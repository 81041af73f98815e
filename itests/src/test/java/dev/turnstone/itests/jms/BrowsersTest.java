package dev.turnstone.itests.jms;

import static dev.turnstone.itests.jms.Jms.next;
import static dev.turnstone.itests.jms.Jms.numbers;
import static dev.turnstone.itests.jms.Jms.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Queue browsers (Jakarta Messaging 3.1 §6.2.9). */
@ExtendWith(FreshBroker.class)
@SuppressWarnings("JdkObsolete") // the API has Enumerations
final class BrowsersTest {
    /** More than a consumer may have been sent at once. */
    private static final int MANY = 1_200;

    private static List<String> shown(QueueBrowser browser) throws JMSException {
        List<String> texts = new ArrayList<>();
        Enumeration<?> messages = browser.getEnumeration();
        while (messages.hasMoreElements()) {
            texts.add(Jms.text((Message) messages.nextElement()));
        }
        assertThatThrownBy(messages::nextElement).isInstanceOf(NoSuchElementException.class);
        return texts;
    }

    @Test
    void aBrowserShowsWhatWaitsEachTimeItIsAskedAndTakesNothing(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("q");
            QueueBrowser browser = session.createBrowser(queue);
            assertThat(shown(browser)).isEmpty();
            Jms.send(session, queue, 1, 3);
            assertThat(shown(browser)).containsExactly("1", "2", "3");
            Jms.send(session, queue, 4, 4);
            assertThat(shown(browser)).containsExactly("1", "2", "3", "4");
            browser.close();
            assertThat(next(session.createConsumer(queue), 4)).containsExactly("1", "2", "3", "4");
            assertThatThrownBy(browser::getEnumeration).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aLongQueueIsShownToItsEnd(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession();
            MessageProducer producer = Jms.producer(session, "q");
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            for (int i = 1; i <= MANY; i++) {
                producer.send(session.createTextMessage("" + i));
            }
            producer.close();
            assertThat(shown(session.createBrowser(session.createQueue("q")))).isEqualTo(numbers(1, MANY));
        }
    }

    @Test
    void aSelectorChoosesAndABadOneIsRefusedAtOnce(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("q");
            for (int i = 1; i <= 4; i++) {
                Message message = session.createTextMessage("" + i);
                message.setIntProperty("n", i);
                session.createProducer(queue).send(message);
            }
            QueueBrowser browser = session.createBrowser(queue, "n > 2");
            assertThat(browser.getMessageSelector()).isEqualTo("n > 2");
            assertThat(shown(browser)).containsExactly("3", "4");
            assertThatThrownBy(() -> session.createBrowser(queue, "n >")).isInstanceOf(InvalidSelectorException.class);
        }
    }

    @Test
    void whatIsDelayedIsNotShown(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession();
            MessageProducer producer = Jms.producer(session, "q");
            producer.setDeliveryDelay(60_000);
            producer.send(session.createTextMessage("later"));
            producer.setDeliveryDelay(0);
            producer.send(session.createTextMessage("now"));
            assertThat(shown(session.createBrowser(session.createQueue("q")))).containsExactly("now");
        }
    }

    @Test
    void aBrowserThatIsClosedHalfWayShowsNothingMore(ConnectionFactory factory) throws JMSException {
        try (Connection connection = started(factory)) {
            Session session = connection.createSession();
            Queue queue = session.createQueue("q");
            Jms.send(session, queue, 1, 3);
            QueueBrowser browser = session.createBrowser(queue);
            Enumeration<?> messages = browser.getEnumeration();
            assertThat(messages.hasMoreElements()).isTrue();
            browser.close();
            assertThat(messages.hasMoreElements()).isFalse();
            assertThat(next(session.createConsumer(queue), 3)).containsExactly("1", "2", "3");
        }
    }

    private static Thread closing(Connection connection) {
        return new Thread(() -> {
            try {
                connection.close();
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void aListenerThatRunsWhileItsConnectionClosesIsShownTheQueue(ConnectionFactory factory) throws Exception {
        Jms.send(factory, "shown", 1, 3);
        Jms.send(factory, "in", 1, 1);
        Connection connection = started(factory);
        Session browsing = connection.createSession();
        Queue queue = browsing.createQueue("shown");
        QueueBrowser browser = browsing.createBrowser(queue);
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<List<String>> seen = new CompletableFuture<>();
        Thread closer = closing(connection);
        Jms.consumer(connection.createSession(), "in").setMessageListener(message -> {
            running.countDown();
            await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
            try {
                seen.complete(shown(browser));
            } catch (JMSException | RuntimeException e) {
                seen.completeExceptionally(e);
            }
        });
        running.await();
        closer.start();
        assertThat(seen.get()).containsExactly("1", "2", "3");
        closer.join();
    }
}
