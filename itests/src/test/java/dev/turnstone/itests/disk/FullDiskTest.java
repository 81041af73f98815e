package dev.turnstone.itests.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import dev.turnstone.testkit.transport.Ports;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker on a disk that fills up: sends are refused, consumers drain, and then it goes on by itself. */
@Timeout(120)
final class FullDiskTest {
    /** The low-water mark is 256 MiB. */
    private static final int DISK_MEBIBYTES = 256 + 100;

    private static final int BODY_BYTES = 200 << 10;

    /** More would be more than the disk holds. */
    private static final int SENDS_MAX = DISK_MEBIBYTES * 5;

    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    private int stompPort;

    @Test
    void whenTheDiskIsFullSendsAreRefusedConsumersDrainAndSendsAreTakenAgain() throws IOException, JMSException {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DISK_MEBIBYTES)) {
            stompPort = Ports.free();
            String url = "vm://?data=" + disk.folder().resolve("data") + "&disk.waitMs=0&listen=stomp=127.0.0.1:"
                    + stompPort;
            try (Connection connection = new TurnstoneConnectionFactory(url).createConnection()) {
                connection.start();
                fillAndDrain(connection);
            }
        }
    }

    private void fillAndDrain(Connection connection) throws JMSException, IOException {
        try (Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = session.createProducer(null)) {
            Queue queue = session.createQueue("orders");
            int sent = fill(session, producer, queue);
            assertThat(sent).isBetween(50, SENDS_MAX - 1);
            refusesStomp();
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            producer.send(session.createQueue("prices"), session.createTextMessage("fleeting"));
            producer.setDeliveryMode(DeliveryMode.PERSISTENT);
            drain(session, queue, sent);
            BytesMessage again = body(session);
            await().atMost(SOON)
                    .ignoreException(ResourceAllocationException.class)
                    .until(() -> {
                        producer.send(queue, again);
                        return true;
                    });
            drain(session, queue, 1);
        }
    }

    /** Returns how many were taken before the first was refused. */
    private static int fill(Session session, MessageProducer producer, Queue queue) throws JMSException {
        BytesMessage body = body(session);
        for (int sent = 0; sent < SENDS_MAX; sent++) {
            try {
                producer.send(queue, body);
            } catch (ResourceAllocationException refusal) {
                assertThat(refusal.getErrorCode()).isEqualTo("DISK_FULL");
                assertThat(refusal).hasMessageContaining("disk.lowWater");
                return sent;
            }
        }
        return SENDS_MAX;
    }

    private static BytesMessage body(Session session) throws JMSException {
        BytesMessage body = session.createBytesMessage();
        body.writeBytes(new byte[BODY_BYTES]);
        return body;
    }

    private void refusesStomp() throws IOException {
        try (StompClient stomp = StompClient.connect("127.0.0.1", stompPort)) {
            stomp.send("/queue/orders", "no room", "receipt", "r1");
            StompFrame error = stomp.awaitError(SOON);
            assertThat(error.header("error-code")).isEqualTo("DISK_FULL");
        }
    }

    private static void drain(Session session, Queue queue, int messages) throws JMSException {
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            for (int i = 0; i < messages; i++) {
                assertThat(consumer.receive(SOON.toMillis()))
                        .as("message %s", i)
                        .isNotNull();
            }
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }
}
