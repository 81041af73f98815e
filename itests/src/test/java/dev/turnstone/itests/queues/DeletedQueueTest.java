package dev.turnstone.itests.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.jms.TurnstoneDestination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues made after a model stay until somebody deletes them. */
class DeletedQueueTest {
    @TempDir
    Path data;

    private static boolean isEmpty(Session session, Queue queue) throws JMSException {
        try (QueueBrowser browser = session.createBrowser(queue)) {
            return !browser.getEnumeration().hasMoreElements();
        }
    }

    @Test
    void aQueueIsDeletedWithItsMessagesWhenNobodyUsesIt() throws Exception {
        try (Meeting meeting = new Meeting(data, "addresses.queue:model.>.autoDelete=false")) {
            Session session = meeting.session();
            Queue queue = session.createQueue("model.a");
            Meeting.send(session, "model.a", "1", null);
            MessageConsumer consumer = meeting.session().createConsumer(queue);
            assertThatThrownBy(() -> TurnstoneDestination.delete(session, queue))
                    .isInstanceOf(IllegalStateException.class);
            consumer.close();
            assertThat(isEmpty(session, queue)).isFalse();
            TurnstoneDestination.delete(session, queue);
            assertThatThrownBy(() -> TurnstoneDestination.delete(session, queue))
                    .isInstanceOf(InvalidDestinationException.class);
            assertThat(isEmpty(session, queue)).isTrue();
        }
    }

    @Test
    void aTemporaryQueueIsDeletedByItsOwnMethodAlone() throws Exception {
        try (Meeting meeting = new Meeting(data)) {
            Session session = meeting.session();
            Queue temporary = session.createTemporaryQueue();
            assertThatThrownBy(() -> TurnstoneDestination.delete(session, temporary))
                    .isInstanceOf(InvalidDestinationException.class);
        }
    }
}
