package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveTexts;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §6.2.9 and §3.4.10: in which order messages come. */
@EveryClient
final class MessageOrderTest {
    private static final int MANY = 300;

    @RegisterExtension
    final Messaging jms;

    private Session session;
    private Queue queue;

    MessageOrderTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        session = jms.session();
        queue = jms.queue();
    }

    @Test
    void aSessionsMessagesComeInTheOrderOfSendingInEitherMode() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            producer.setDeliveryMode(i % 3 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
            producer.send(session.createTextMessage("" + i));
            expected.add("" + i);
        }
        assertThat(receiveTexts(session.createConsumer(queue), MANY)).isEqualTo(expected);
    }

    @Test
    void synchronousAndAsynchronousSendsKeepTheirOrder() throws Exception {
        MessageProducer producer = session.createProducer(queue);
        Completions completions = new Completions();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            if (i % 10 == 0) {
                producer.send(session.createTextMessage("" + i));
            } else {
                producer.send(session.createTextMessage("" + i), completions);
            }
            expected.add("" + i);
        }
        assertThat(receiveTexts(session.createConsumer(queue), MANY)).isEqualTo(expected);
    }

    @Test
    void twoProducersOfOneSessionKeepItsOrder() throws JMSException {
        Topic topic = jms.topic();
        MessageConsumer subscriber = session.createConsumer(topic);
        MessageProducer one = session.createProducer(topic);
        MessageProducer two = session.createProducer(topic);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            (i % 2 == 0 ? one : two).send(session.createTextMessage("" + i));
            expected.add("" + i);
        }
        assertThat(receiveTexts(subscriber, 20)).isEqualTo(expected);
    }

    @Test
    void higherPrioritiesComeFirstAndEachKeepsItsOrder() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        for (int round = 0; round < 2; round++) {
            for (int priority : new int[] {0, 9, 4, 5}) {
                producer.setPriority(priority);
                producer.send(session.createTextMessage(priority + "/" + round));
            }
        }
        assertThat(receiveTexts(session.createConsumer(queue), 8))
                .containsExactly("9/0", "9/1", "5/0", "5/1", "4/0", "4/1", "0/0", "0/1");
    }

    @Test
    void competingConsumersShareAQueueWithoutDoubling() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer one = jms.session().createConsumer(queue);
        MessageConsumer two = jms.session().createConsumer(queue);
        for (int i = 0; i < 20; i++) {
            producer.send(session.createTextMessage("" + i));
        }
        List<Integer> all = new ArrayList<>();
        for (MessageConsumer consumer : List.of(one, two)) {
            List<Integer> own = Messaging.remainingFor(consumer).stream()
                    .map(Integer::valueOf)
                    .toList();
            assertThat(own).isSorted();
            all.addAll(own);
        }
        assertThat(all).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void aMessageGoesToOneConsumerOfAQueueAndToAllOfATopic() throws JMSException {
        Topic topic = jms.topic();
        MessageConsumer first = session.createConsumer(topic);
        MessageConsumer second = session.createConsumer(topic);
        Messaging.send(session, topic, "to all");
        assertThat(receiveText(first)).isEqualTo("to all");
        assertThat(receiveText(second)).isEqualTo("to all");
    }
}
