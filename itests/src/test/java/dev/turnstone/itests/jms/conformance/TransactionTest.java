package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.assertNothingFor;
import static dev.turnstone.itests.jms.conformance.Messaging.receive;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveTexts;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §6.2.7: local transactions. */
@EveryClient
final class TransactionTest {
    @RegisterExtension
    final Messaging jms;

    private Session transacted;
    private Session other;
    private Queue queue;

    TransactionTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        transacted = jms.session(Session.SESSION_TRANSACTED);
        other = jms.session();
        queue = jms.queue();
    }

    @Test
    void nothingIsSentBeforeTheCommit() throws JMSException {
        MessageConsumer consumer = other.createConsumer(queue);
        send(transacted, queue, "1", "2");
        assertNothingFor(consumer);
        transacted.commit();
        assertThat(receiveTexts(consumer, 2)).containsExactly("1", "2");
    }

    @Test
    void aRollbackDropsWhatWasSent() throws JMSException {
        send(transacted, queue, "dropped");
        transacted.rollback();
        send(transacted, queue, "kept");
        transacted.commit();
        assertThat(jms.remaining(queue)).containsExactly("kept");
    }

    @Test
    void aRollbackBringsReceivedMessagesBackInOrderAndFlagged() throws JMSException {
        send(other, queue, "1", "2", "3");
        MessageConsumer consumer = transacted.createConsumer(queue);
        assertThat(receiveTexts(consumer, 2)).containsExactly("1", "2");
        transacted.rollback();
        for (String text : List.of("1", "2")) {
            Message again = receive(consumer);
            assertThat(Messaging.textOf(again)).isEqualTo(text);
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        }
        Message third = receive(consumer);
        assertThat(Messaging.textOf(third)).isEqualTo("3");
        assertThat(third.getJMSRedelivered()).isFalse();
        assertThat(third.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        transacted.commit();
        assertThat(jms.remaining(queue)).isEmpty();
    }

    @Test
    void eachRollbackCountsOneMoreDelivery() throws JMSException {
        send(other, queue, "1");
        MessageConsumer consumer = transacted.createConsumer(queue);
        for (int count = 1; count <= 4; count++) {
            Message message = receive(consumer);
            assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(count);
            assertThat(message.getJMSRedelivered()).isEqualTo(count > 1);
            transacted.rollback();
        }
        receive(consumer);
        transacted.commit();
    }

    @Test
    void aCommitAcknowledgesWhatWasReceived() throws JMSException {
        send(other, queue, "1", "2");
        MessageConsumer consumer = transacted.createConsumer(queue);
        receiveText(consumer);
        transacted.commit();
        transacted.close();
        assertThat(jms.remaining(queue)).containsExactly("2");
    }

    @Test
    void aReceivedMessageIsHiddenFromOthersUntilTheEnd() throws JMSException {
        send(other, queue, "1");
        MessageConsumer consumer = transacted.createConsumer(queue);
        receiveText(consumer);
        try (MessageConsumer competing = other.createConsumer(queue)) {
            assertNothingFor(competing);
        }
        transacted.rollback();
        consumer.close();
        assertThat(receiveText(other.createConsumer(queue))).isEqualTo("1");
    }

    @Test
    void oneTransactionSpansQueuesAndTopics() throws JMSException {
        Queue first = jms.queue();
        Queue second = jms.queue();
        Topic topic = jms.topic();
        MessageConsumer subscriber = other.createConsumer(topic);
        send(other, first, "in");
        MessageConsumer consumer = transacted.createConsumer(first);

        assertThat(receiveText(consumer)).isEqualTo("in");
        send(transacted, second, "out");
        send(transacted, topic, "published");
        transacted.rollback();
        assertNothingFor(subscriber);
        assertThat(jms.remaining(second)).isEmpty();

        assertThat(receiveText(consumer)).isEqualTo("in");
        send(transacted, second, "out again");
        send(transacted, topic, "published again");
        transacted.commit();
        assertThat(receiveText(subscriber)).isEqualTo("published again");
        assertThat(jms.remaining(second)).containsExactly("out again");
        assertThat(jms.remaining(first)).isEmpty();
    }

    @Test
    void anEmptyTransactionEndsToo() throws JMSException {
        transacted.commit();
        transacted.rollback();
        transacted.commit();
    }

    @Test
    void aTopicSubscribersRollbackRedelivers() throws JMSException {
        Topic topic = jms.topic();
        MessageConsumer subscriber = transacted.createConsumer(topic);
        send(other, topic, "1");
        assertThat(receiveText(subscriber)).isEqualTo("1");
        transacted.rollback();
        Message again = receive(subscriber);
        assertThat(Messaging.textOf(again)).isEqualTo("1");
        assertThat(again.getJMSRedelivered()).isTrue();
        transacted.commit();
        assertNothingFor(subscriber);
    }

    @Test
    void acknowledgingIsIgnored() throws JMSException {
        send(other, queue, "1");
        MessageConsumer consumer = transacted.createConsumer(queue);
        receive(consumer).acknowledge();
        transacted.rollback();
        assertThat(receiveText(consumer)).isEqualTo("1");
        transacted.commit();
    }

    @Test
    void onlyATransactedSessionCommits() throws JMSException {
        for (int mode : new int[] {Session.AUTO_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE}) {
            Session session = jms.session(mode);
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(session::commit);
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(session::rollback);
        }
    }

    @Test
    void aTransactedSessionDoesNotRecover() {
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(transacted::recover);
    }
}
