package dev.turnstone.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.ErrorCode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TemporariesTest {
    private FakeJms jms;
    private Session session;

    @BeforeEach
    void connect() throws JMSException {
        jms = new FakeJms();
        session = jms.session(Session.AUTO_ACKNOWLEDGE);
    }

    @AfterEach
    void disconnect() throws JMSException {
        jms.close();
    }

    @Test
    void theBrokerHearsOfEachAndNoTwoHaveOneName() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        session.createTemporaryTopic();
        session.close();
        queue.delete();
        assertThat(jms.told("declare")).hasSize(2).doesNotHaveDuplicates();
        assertThat(jms.told("delete")).containsExactly("delete queue:" + queue.getQueueName());
    }

    @Test
    void whatTheBrokerRefusesIsTold() {
        jms.broker.refuseNext(ErrorCode.LIMIT_EXCEEDED);
        assertThatThrownBy(session::createTemporaryQueue)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("told to refuse");
    }

    @Test
    void oneThatCameInAMessageIsTemporaryAndNotToBeDeleted() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        TurnstoneDestination received = TurnstoneDestination.of(((TurnstoneDestination) queue).address());
        assertThat(received).isEqualTo(queue).isInstanceOf(TemporaryQueue.class);
        assertThatThrownBy(((TemporaryQueue) received)::delete).isInstanceOf(IllegalStateException.class);
        assertThat(jms.told("delete")).isEmpty();
    }

    @Test
    void nothingWaitsForABrokerThatHasGone() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        jms.broker.fail("the disk is gone");
        assertThatThrownBy(queue::delete).isInstanceOf(JMSException.class).hasMessageContaining("the disk is gone");
    }
}
