package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.receive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §3.4: message header fields, on queues and on topics. */
@EveryClient
final class MessageHeadersTest {
    @RegisterExtension
    final Messaging jms;

    private Session session;
    private Queue queue;
    private MessageProducer producer;
    private MessageConsumer consumer;

    MessageHeadersTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        session = jms.session();
        queue = jms.queue();
        producer = session.createProducer(queue);
        consumer = session.createConsumer(queue);
    }

    private Message exchanged(Message message) throws JMSException {
        producer.send(message);
        return receive(consumer);
    }

    @Test
    void sendingOverwritesWhatTheProviderSets() throws JMSException {
        Message sent = session.createMessage();
        sent.setJMSDestination(jms.topic());
        sent.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
        sent.setJMSMessageID("ID:mine");
        sent.setJMSTimestamp(1);
        sent.setJMSExpiration(2);
        sent.setJMSDeliveryTime(3);
        sent.setJMSPriority(8);
        long before = System.currentTimeMillis();
        Message received = exchanged(sent);
        long after = System.currentTimeMillis();

        for (Message message : new Message[] {sent, received}) {
            assertThat(message.getJMSDestination()).isEqualTo(queue);
            assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
            assertThat(message.getJMSMessageID()).startsWith("ID:").isNotEqualTo("ID:mine");
            assertThat(message.getJMSTimestamp()).isBetween(before, after);
            assertThat(message.getJMSExpiration()).isZero();
            assertThat(message.getJMSDeliveryTime()).isBetween(before, after);
            assertThat(message.getJMSPriority()).isEqualTo(Message.DEFAULT_PRIORITY);
        }
        assertThat(received.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
        assertThat(received.getJMSTimestamp()).isEqualTo(sent.getJMSTimestamp());
        assertThat(received.getJMSDeliveryTime()).isEqualTo(sent.getJMSDeliveryTime());
    }

    @Test
    void argumentsOfSendOverrideTheProducersSettings() throws JMSException {
        producer.setDeliveryMode(DeliveryMode.PERSISTENT);
        producer.setPriority(1);
        producer.setTimeToLive(1);
        Message sent = session.createMessage();
        producer.send(sent, DeliveryMode.NON_PERSISTENT, 7, 600_000);
        Message received = receive(consumer);
        for (Message message : new Message[] {sent, received}) {
            assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(message.getJMSPriority()).isEqualTo(7);
            assertThat(message.getJMSExpiration()).isEqualTo(message.getJMSTimestamp() + 600_000);
        }
    }

    @Test
    void theProducersSettingsReachBothSides() throws JMSException {
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.setPriority(9);
        producer.setTimeToLive(900_000);
        Message sent = session.createMessage();
        Message received = exchanged(sent);
        for (Message message : new Message[] {sent, received}) {
            assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(message.getJMSPriority()).isEqualTo(9);
            assertThat(message.getJMSExpiration()).isEqualTo(message.getJMSTimestamp() + 900_000);
        }
    }

    @Test
    void eachSendGivesANewId() throws JMSException {
        Message message = session.createMessage();
        producer.send(message);
        String first = message.getJMSMessageID();
        producer.send(message);
        assertThat(message.getJMSMessageID()).isNotEqualTo(first);
        assertThat(receive(consumer).getJMSMessageID()).isEqualTo(first);
        assertThat(receive(consumer).getJMSMessageID()).isEqualTo(message.getJMSMessageID());
    }

    @Test
    void aHintAgainstIdsGivesNullOrANormalId() throws JMSException {
        producer.setDisableMessageID(true);
        assertThat(producer.getDisableMessageID()).isTrue();
        Message sent = session.createMessage();
        Message received = exchanged(sent);
        assertThat(received.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
        assertThat(sent.getJMSMessageID())
                .satisfiesAnyOf(
                        id -> assertThat(id).isNull(), id -> assertThat(id).startsWith("ID:"));
    }

    @Test
    void aHintAgainstTimestampsGivesZeroOrTheTime() throws JMSException {
        producer.setDisableMessageTimestamp(true);
        assertThat(producer.getDisableMessageTimestamp()).isTrue();
        Message sent = session.createMessage();
        Message received = exchanged(sent);
        assertThat(received.getJMSTimestamp()).isEqualTo(sent.getJMSTimestamp());
        assertThat(sent.getJMSTimestamp())
                .satisfiesAnyOf(
                        time -> assertThat(time).isZero(),
                        time -> assertThat(time).isCloseTo(System.currentTimeMillis(), within(10_000L)));
    }

    @Test
    void correlationIdAndTypeArriveAsSet() throws JMSException {
        Message sent = session.createMessage();
        sent.setJMSCorrelationID("order 17 – ü");
        sent.setJMSType("car");
        Message received = exchanged(sent);
        assertThat(received.getJMSCorrelationID()).isEqualTo("order 17 – ü");
        assertThat(received.getJMSType()).isEqualTo("car");
        Message bare = exchanged(session.createMessage());
        assertThat(bare.getJMSCorrelationID()).isNull();
        assertThat(bare.getJMSType()).isNull();
        assertThat(bare.getJMSReplyTo()).isNull();
    }

    @Test
    void aCorrelationIdOfBytesArrivesAsSet() throws JMSException {
        byte[] id = "native".getBytes(StandardCharsets.US_ASCII);
        Message sent = session.createMessage();
        sent.setJMSCorrelationIDAsBytes(id);
        id[0] = 'X';
        assertThat(exchanged(sent).getJMSCorrelationIDAsBytes())
                .isEqualTo("native".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void replyToIsAQueueATopicOrATemporaryOne() throws JMSException {
        Message message = session.createMessage();
        message.setJMSReplyTo(queue);
        assertThat(exchanged(message).getJMSReplyTo()).isInstanceOf(Queue.class).isEqualTo(queue);

        Topic topic = jms.topic();
        message.setJMSReplyTo(topic);
        assertThat(exchanged(message).getJMSReplyTo()).isInstanceOf(Topic.class).isEqualTo(topic);

        message.setJMSReplyTo(null);
        assertThat(exchanged(message).getJMSReplyTo()).isNull();
    }

    @Test
    void replyToKeepsItsBeingTemporary() throws JMSException {
        Message message = session.createMessage();
        TemporaryQueue queueForReplies = session.createTemporaryQueue();
        message.setJMSReplyTo(queueForReplies);
        assertThat(exchanged(message).getJMSReplyTo())
                .isInstanceOf(TemporaryQueue.class)
                .isEqualTo(queueForReplies);

        TemporaryTopic topicForReplies = session.createTemporaryTopic();
        message.setJMSReplyTo(topicForReplies);
        assertThat(exchanged(message).getJMSReplyTo())
                .isInstanceOf(TemporaryTopic.class)
                .isEqualTo(topicForReplies);
    }

    @Test
    void redeliveredIsTheProvidersToSet() throws JMSException {
        Message sent = session.createMessage();
        sent.setJMSRedelivered(true);
        assertThat(exchanged(sent).getJMSRedelivered()).isFalse();
    }

    @Test
    void headersOfAReceivedMessageCanBeChanged() throws JMSException {
        Message received = exchanged(session.createMessage());
        received.setJMSCorrelationID("c");
        received.setJMSType("t");
        received.setJMSReplyTo(queue);
        received.setJMSPriority(2);
        assertThat(received.getJMSCorrelationID()).isEqualTo("c");
        assertThat(received.getJMSType()).isEqualTo("t");
        assertThat(received.getJMSReplyTo()).isEqualTo(queue);
        assertThat(received.getJMSPriority()).isEqualTo(2);
    }

    @Test
    void aTopicsMessagesHaveTheSameHeaders() throws JMSException {
        Topic topic = jms.topic();
        MessageConsumer subscriber = session.createConsumer(topic);
        Message sent = session.createMessage();
        sent.setJMSCorrelationID("c");
        sent.setJMSReplyTo(queue);
        sent.setJMSType("t");
        session.createProducer(topic).send(sent, DeliveryMode.NON_PERSISTENT, 3, 500_000);
        Message received = receive(subscriber);
        assertThat(received.getJMSDestination()).isEqualTo(topic);
        assertThat(received.getJMSMessageID()).startsWith("ID:").isEqualTo(sent.getJMSMessageID());
        assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(received.getJMSPriority()).isEqualTo(3);
        assertThat(received.getJMSTimestamp()).isEqualTo(sent.getJMSTimestamp());
        assertThat(received.getJMSExpiration()).isEqualTo(sent.getJMSTimestamp() + 500_000);
        assertThat(received.getJMSCorrelationID()).isEqualTo("c");
        assertThat(received.getJMSReplyTo()).isEqualTo(queue);
        assertThat(received.getJMSType()).isEqualTo("t");
        assertThat(received.getJMSRedelivered()).isFalse();
    }
}
