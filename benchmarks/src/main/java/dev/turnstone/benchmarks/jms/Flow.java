package dev.turnstone.benchmarks.jms;

import com.sun.management.OperatingSystemMXBean;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Non-persistent messages from one producer through a queue to one consumer, each on a thread and a session of its own.
 */
final class Flow {
    private static final long RECEIVE_MS = 10_000;
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final byte[] body;
    private volatile boolean ended;

    Flow(int bytes) {
        body = new byte[bytes];
    }

    /**
     * What one round gave: messages received a second, and the processor time that each took, on all threads together.
     */
    record Result(double messagesPerSecond, double processorMicros) {}

    Result run(Path folder, long nanos) throws JMSException {
        try (Connection connection = new TurnstoneConnectionFactory("vm://?data=" + folder).createConnection()) {
            connection.start();
            Session receiving = connection.createSession();
            MessageConsumer consumer = receiving.createConsumer(receiving.createQueue("benchmark"));
            CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> send(connection));
            long start = System.nanoTime();
            long processorStart = SYSTEM.getProcessCpuTime();
            long received = 0;
            long now = start;
            while (now - start < nanos) {
                for (int i = 0; i < 256; i++) {
                    if (consumer.receive(RECEIVE_MS) == null) {
                        throw new IllegalStateException("nothing has come for " + RECEIVE_MS + " ms");
                    }
                }
                received += 256;
                now = System.nanoTime();
            }
            ended = true;
            sender.join();
            double processorMicros = (SYSTEM.getProcessCpuTime() - processorStart) / 1e3 / received;
            return new Result(received / ((now - start) / 1e9), processorMicros);
        }
    }

    private void send(Connection connection) {
        try {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue("benchmark"));
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            while (!ended) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body);
                producer.send(message);
            }
        } catch (JMSException e) {
            throw new CompletionException(e);
        }
    }
}
