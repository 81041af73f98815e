package dev.turnstone.itests.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.testkit.stomp.StompClient;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of messages for which a queue has no place. */
class LimitsTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    Path data;

    private static void put(Session session, String text, String key) throws JMSException {
        Message message = session.createTextMessage(text);
        message.setStringProperty("symbol", key);
        session.createProducer(session.createQueue("q")).send(message);
    }

    @Test
    void theLastValueOfEachKeyIsKeptWhoeverSendsIt() throws Exception {
        try (Meeting meeting = new Meeting(data, "addresses.queue:q.lastValueKey=symbol")) {
            Session jms = meeting.session();
            put(jms, "1", "A");
            put(jms, "2", "B");
            meeting.stomp().sendConfirmed("/queue/q", "3", "symbol", "A");
            MessageConsumer consumer = jms.createConsumer(jms.createQueue("q"));
            assertThat(Meeting.next(consumer)).isEqualTo("2");
            assertThat(Meeting.next(consumer)).isEqualTo("3");
            assertThat(Meeting.nothing(consumer)).isNull();
        }
    }

    @Test
    void aRingKeepsTheNewest() throws Exception {
        try (Meeting meeting = new Meeting(data, "addresses.queue:q.ringSize=2")) {
            StompClient stomp = meeting.stomp();
            for (int i = 1; i <= 5; i++) {
                stomp.sendConfirmed("/queue/q", "m" + i);
            }
            stomp.subscribe("s", "/queue/q", "auto");
            assertThat(stomp.message(SOON).text()).isEqualTo("m4");
            assertThat(stomp.message(SOON).text()).isEqualTo("m5");
        }
    }

    @Test
    void aFullQueueRefusesSendsAndCommits() throws Exception {
        try (Meeting meeting = new Meeting(data, "addresses.queue:q.maxMessages=2")) {
            Session jms = meeting.session();
            Meeting.send(jms, "q", "1", null);
            Session transacted = meeting.session(Session.SESSION_TRANSACTED);
            Meeting.send(transacted, "q", "2", null);
            Meeting.send(transacted, "q", "3", null);
            assertThatThrownBy(transacted::commit).isInstanceOf(TransactionRolledBackException.class);
            Meeting.send(jms, "q", "4", null);
            assertThatThrownBy(() -> Meeting.send(jms, "q", "5", null)).isInstanceOf(ResourceAllocationException.class);
            StompClient stomp = meeting.stomp();
            stomp.send("/queue/q", "6");
            assertThat(stomp.awaitError(SOON).header("error-code")).isEqualTo("QUEUE_FULL");
        }
    }

    @Test
    void aContextIsClosedAlsoIfItsCloseTellsOfALateRefusal() throws Exception {
        try (Meeting meeting = new Meeting(data, "addresses.queue:q.maxMessages=1")) {
            JMSContext context = meeting.context();
            context.setClientID("c");
            Queue queue = context.createQueue("q");
            JMSProducer producer = context.createProducer().setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            producer.send(queue, "1").send(queue, "2");
            assertThatThrownBy(context::close).isInstanceOf(ResourceAllocationRuntimeException.class);
            assertThat(meeting.another("c").getClientID()).isEqualTo("c");
            context.close();
        }
    }

    @Test
    void aSenderWaitsForRoomAndOthersDoNot() throws Exception {
        try (Meeting meeting =
                new Meeting(data, "addresses.queue:q.maxMessages=1", "addresses.queue:q.whenFull=block")) {
            Session jms = meeting.session();
            Meeting.send(jms, "q", "1", null);
            Session blocked = meeting.session();
            CompletableFuture<Void> waits = CompletableFuture.runAsync(() -> {
                try {
                    Meeting.send(blocked, "q", "2", null);
                } catch (JMSException e) {
                    throw new IllegalStateException(e);
                }
            });
            StompClient stomp = meeting.stomp();
            String receipt = stomp.nextReceipt();
            stomp.send("/queue/q", "3", "receipt", receipt);
            Meeting.send(jms, "other", "x", null);
            assertThat(Meeting.next(jms.createConsumer(jms.createQueue("other"))))
                    .isEqualTo("x");
            assertThat(waits).isNotDone();
            MessageConsumer consumer = jms.createConsumer(jms.createQueue("q"));
            assertThat(Meeting.next(consumer)).isEqualTo("1");
            assertThat(new String[] {Meeting.next(consumer), Meeting.next(consumer)})
                    .containsExactlyInAnyOrder("2", "3");
            waits.get(10, TimeUnit.SECONDS);
            stomp.awaitReceipt(receipt);
        }
    }

    @Test
    void aSessionThatWaitsIsClosedByItsConnection() throws Exception {
        try (Meeting meeting =
                new Meeting(data, "addresses.queue:q.maxMessages=1", "addresses.queue:q.whenFull=block")) {
            Session jms = meeting.session();
            Meeting.send(jms, "q", "1", null);
            jakarta.jms.Connection own = meeting.another();
            Session blocked = own.createSession();
            CompletableFuture<JMSException> waits = CompletableFuture.supplyAsync(() -> {
                try {
                    Meeting.send(blocked, "q", "2", null);
                    return new JMSException("it was sent");
                } catch (JMSException e) {
                    return e;
                }
            });
            assertThat(Meeting.nothing(jms.createConsumer(jms.createQueue("none"))))
                    .isNull();
            assertThat(waits).isNotDone();
            own.close();
            assertThat(waits.get(10, TimeUnit.SECONDS)).isNotNull();
            MessageConsumer consumer = jms.createConsumer(jms.createQueue("q"));
            assertThat(Meeting.next(consumer)).isEqualTo("1");
            assertThat(Meeting.nothing(consumer)).isNull();
        }
    }
}
