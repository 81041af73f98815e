package dev.turnstone.itests.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.jms.TurnstoneDestination;
import dev.turnstone.testkit.stomp.StompClient;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues made after a model stay until somebody deletes them. */
class DeletedQueueTest {
    private static final Duration SOON = Duration.ofSeconds(10);

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

    @Test
    void aStompClientDeletesAQueueWithUnsubscribe() throws Exception {
        try (Meeting meeting = new Meeting(data, "addresses.queue:model.>.autoDelete=false")) {
            Session session = meeting.session();
            Queue queue = session.createQueue("model.a");
            Meeting.send(session, "model.a", "1", null);
            StompClient stomp = meeting.stomp();
            stomp.subscribe("s", "/queue/model.a", "client");
            assertThat(stomp.message(SOON).text()).isEqualTo("1");
            assertThatThrownBy(() -> stomp.unsubscribe("s", "delete", "/queue/model.a"))
                    .hasMessageContaining("SUBSCRIPTION_IN_USE");
            await().untilAsserted(() -> assertThat(isEmpty(session, queue)).isFalse());

            StompClient another = meeting.stomp();
            another.confirmed("UNSUBSCRIBE", "delete", "/queue/model.a");
            assertThat(isEmpty(session, queue)).isTrue();
            another.subscribe("t", "/topic/model", "auto");
            assertThatThrownBy(() -> another.unsubscribe("t", "delete", "/topic/model"))
                    .hasMessageContaining("INVALID_ADDRESS");
        }
    }

    @Test
    void whatAStompClientHasAcknowledgedIsNoObstacle() throws Exception {
        try (Meeting meeting = new Meeting(data, "addresses.queue:model.>.autoDelete=false")) {
            StompClient stomp = meeting.stomp();
            stomp.sendConfirmed("/queue/model.a", "1");
            stomp.sendConfirmed("/queue/model.a", "2");
            stomp.subscribe("s", "/queue/model.a", "client", "prefetch-count", "1");
            stomp.ack(stomp.message(SOON));
            stomp.ack(stomp.message(SOON));
            stomp.sendConfirmed("/queue/model.b", "x");
            stomp.confirmed("UNSUBSCRIBE", "id", "s", "delete", "/queue/model.a");
            Session session = meeting.session();
            assertThatThrownBy(() -> TurnstoneDestination.delete(session, session.createQueue("model.a")))
                    .isInstanceOf(InvalidDestinationException.class);
        }
    }
}
