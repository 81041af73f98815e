package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.receive;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveTexts;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jakarta Messaging 3.1 §6.2.10, §3.4.7 and §3.5.11: acknowledgement, recovery and what redelivery shows. */
@EveryClient
final class AcknowledgementTest {
    @RegisterExtension
    final Messaging jms;

    private Session sending;
    private Queue queue;

    AcknowledgementTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        sending = jms.session();
        queue = jms.queue();
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    void automaticModesAcknowledgeWhatReceiveReturned(int mode) throws JMSException {
        send(sending, queue, "1", "2");
        Session session = jms.session(mode);
        assertThat(receiveText(session.createConsumer(queue))).isEqualTo("1");
        session.close();
        assertThat(jms.remaining(queue)).containsExactly("2");
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    void automaticModesIgnoreAcknowledgeCalls(int mode) throws JMSException {
        send(sending, queue, "1", "2");
        MessageConsumer consumer = jms.session(mode).createConsumer(queue);
        Message first = receive(consumer);
        first.acknowledge();
        first.acknowledge();
        assertThat(receiveText(consumer)).isEqualTo("2");
    }

    @Test
    void acknowledgingOneAcknowledgesAllThatTheSessionDelivered() throws JMSException {
        Queue second = jms.queue();
        send(sending, queue, "1", "2", "3");
        send(sending, second, "other queue");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        Message first = receive(consumer);
        receive(consumer);
        receive(session.createConsumer(second));
        first.acknowledge();
        session.close();
        assertThat(jms.remaining(queue)).containsExactly("3");
        assertThat(jms.remaining(second)).isEmpty();
    }

    @Test
    void recoveringStartsAgainWithTheFirstUnacknowledged() throws JMSException {
        send(sending, queue, "1", "2", "3", "4");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        receive(consumer).acknowledge();
        assertThat(receiveTexts(consumer, 2)).containsExactly("2", "3");
        session.recover();
        for (String text : new String[] {"2", "3"}) {
            Message again = receive(consumer);
            assertThat(Messaging.textOf(again)).isEqualTo(text);
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
        Message unseen = receive(consumer);
        assertThat(Messaging.textOf(unseen)).isEqualTo("4");
        assertThat(unseen.getJMSRedelivered()).isFalse();
        assertThat(unseen.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        unseen.acknowledge();
        session.close();
        assertThat(jms.remaining(queue)).isEmpty();
    }

    @Test
    void recoveringAgainCountsFurther() throws JMSException {
        send(sending, queue, "1");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        for (int count = 1; count <= 4; count++) {
            assertThat(receive(consumer).getIntProperty("JMSXDeliveryCount")).isEqualTo(count);
            session.recover();
        }
        receive(consumer).acknowledge();
        session.close();
        assertThat(jms.remaining(queue)).isEmpty();
    }

    @Test
    void recoveringWithNothingOutstandingChangesNothing() throws JMSException {
        send(sending, queue, "1", "2");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        session.recover();
        receive(consumer).acknowledge();
        session.recover();
        Message second = receive(consumer);
        assertThat(Messaging.textOf(second)).isEqualTo("2");
        assertThat(second.getJMSRedelivered()).isFalse();
    }

    @Test
    void anAutomaticSessionRecoversNothingThatItAcknowledged() throws JMSException {
        send(sending, queue, "1", "2");
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(receiveText(consumer)).isEqualTo("1");
        session.recover();
        assertThat(receiveText(consumer)).isEqualTo("2");
    }

    @Test
    void recoveringCoversAllConsumersOfTheSession() throws JMSException {
        Queue second = jms.queue();
        send(sending, queue, "1");
        send(sending, second, "2");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer one = session.createConsumer(queue);
        MessageConsumer two = session.createConsumer(second);
        receive(one);
        receive(two);
        session.recover();
        assertThat(receive(one).getJMSRedelivered()).isTrue();
        assertThat(receive(two).getJMSRedelivered()).isTrue();
    }

    @Test
    void aNonDurableSubscriberRecovers() throws JMSException {
        Topic topic = jms.topic();
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer subscriber = session.createConsumer(topic);
        send(sending, topic, "1", "2");
        assertThat(receiveTexts(subscriber, 2)).containsExactly("1", "2");
        session.recover();
        TextMessage first = (TextMessage) receive(subscriber);
        assertThat(first.getText()).isEqualTo("1");
        assertThat(first.getJMSRedelivered()).isTrue();
        assertThat(receiveText(subscriber)).isEqualTo("2");
        first.acknowledge();
        session.recover();
        Messaging.assertNothingFor(subscriber);
    }

    @Test
    void anotherConsumerGetsWhatAClosedSessionDidNotAcknowledge() throws JMSException {
        send(sending, queue, "1", "2", "3");
        Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(queue);
        receive(consumer).acknowledge();
        assertThat(receiveText(consumer)).isEqualTo("2");
        session.close();
        MessageConsumer next = jms.session().createConsumer(queue);
        Message second = receive(next);
        assertThat(Messaging.textOf(second)).isEqualTo("2");
        assertThat(second.getJMSRedelivered()).isTrue();
        assertThat(second.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        Message third = receive(next);
        assertThat(Messaging.textOf(third)).isEqualTo("3");
        assertThat(third.getJMSRedelivered()).isFalse();
    }
}
