package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.browse;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveTexts;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.Enumeration;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §4.1.6: QueueBrowser. */
@EveryClient
final class QueueBrowserTest {
    @RegisterExtension
    final Messaging jms;

    private Session session;
    private Queue queue;

    QueueBrowserTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        session = jms.session();
        queue = jms.queue();
    }

    @Test
    void browsingShowsMessagesInOrderAndLeavesThem() throws JMSException {
        send(session, queue, "1", "2", "3");
        assertThat(browse(session, queue, null)).containsExactly("1", "2", "3");
        assertThat(browse(session, queue, null)).containsExactly("1", "2", "3");
        assertThat(receiveTexts(session.createConsumer(queue), 3)).containsExactly("1", "2", "3");
        assertThat(browse(session, queue, null)).isEmpty();
    }

    @Test
    void browsingShowsWhatTheSelectorMatches() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < 4; i++) {
            Message message = session.createTextMessage("" + i);
            message.setIntProperty("n", i);
            producer.send(message);
        }
        assertThat(browse(session, queue, "n > 1")).containsExactly("2", "3");
        QueueBrowser browser = session.createBrowser(queue, "n > 1");
        assertThat(browser.getMessageSelector()).isEqualTo("n > 1");
        assertThat(browser.getQueue()).isEqualTo(queue);
    }

    @Test
    void moreMessagesThanAnyBatchAreShown() throws JMSException {
        int count = 2_500;
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        for (int i = 0; i < count; i++) {
            producer.send(session.createTextMessage("" + i));
        }
        assertThat(browse(session, queue, null))
                .hasSize(count)
                .startsWith("0", "1")
                .endsWith("" + (count - 1));
    }

    @Test
    void browsingDoesNotCountAsDelivery() throws JMSException {
        send(session, queue, "1");
        QueueBrowser browser = session.createBrowser(queue);
        Message shown = (Message) browser.getEnumeration().nextElement();
        assertThat(shown.getJMSRedelivered()).isFalse();
        browser.close();
        Message received = Messaging.receive(session.createConsumer(queue));
        assertThat(received.getJMSRedelivered()).isFalse();
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    void browsingNeedsNoStartedConnection() throws JMSException {
        send(session, queue, "1");
        Session stopped = jms.connection().createSession();
        // The specification leaves it open; browsing is not delivery, which stopping stops.
        assertThat(browse(stopped, queue, null)).containsExactly("1");
    }

    @Test
    void anEmptyQueueHasNoElements() throws JMSException {
        Enumeration<?> none = session.createBrowser(queue).getEnumeration();
        assertThat(none.hasMoreElements()).isFalse();
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> none.nextElement());
    }

    @Test
    void eachEnumerationBeginsAnew() throws JMSException {
        send(session, queue, "1");
        QueueBrowser browser = session.createBrowser(queue);
        assertThat(browser.getEnumeration().hasMoreElements()).isTrue();
        send(session, queue, "2");
        Enumeration<?> second = browser.getEnumeration();
        second.nextElement();
        assertThat(Messaging.textOf((Message) second.nextElement())).isEqualTo("2");
    }

    @Test
    void uncommittedMessagesAreNotShown() throws JMSException {
        Session transacted = jms.session(Session.SESSION_TRANSACTED);
        send(transacted, queue, "1");
        assertThat(browse(session, queue, null)).isEmpty();
        transacted.commit();
        assertThat(browse(session, queue, null)).containsExactly("1");
    }

    @Test
    void aMissingQueueIsAnInvalidDestination() {
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> session.createBrowser(null));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.createBrowser(null, "n = 1"));
    }

    @Test
    void aClosedBrowserIsOfNoUse() throws JMSException {
        QueueBrowser browser = session.createBrowser(queue);
        browser.close();
        browser.close();
        ClosedCalls.of(browser).assertRefused();
        QueueBrowser ofSession = session.createBrowser(queue);
        session.close();
        ClosedCalls.of(ofSession).assertRefused();
        ofSession.close();
    }

    @Test
    void aBadSelectorIsRefused() {
        assertThatExceptionOfType(InvalidSelectorException.class).isThrownBy(() -> session.createBrowser(queue, "n ="));
    }
}
