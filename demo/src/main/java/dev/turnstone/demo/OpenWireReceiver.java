package dev.turnstone.demo;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.ActiveMQConnectionFactory;

/**
 * ActiveMQ's own client with a durable subscription. It acknowledges each message when it has noted it; one that comes
 * again after a kill says so, and is noted once. A thread of its own.
 */
final class OpenWireReceiver implements AutoCloseable {
    private static final long READY_S = 120;
    private static final long PAUSE_NANOS = 100_000_000;
    private static final long RECEIVE_MS = 500;

    private final ActiveMQConnectionFactory factory;
    private final Tally tally;
    private final CountDownLatch ready = new CountDownLatch(1);
    private volatile boolean stopped;

    OpenWireReceiver(int port, Tally tally) {
        this.factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port);
        this.tally = tally;
        factory.setClientID("demo-openwire");
        Thread thread = new Thread(this::run, "demo-openwire");
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits for the subscription. */
    void awaitReady() throws IOException, InterruptedException {
        if (!ready.await(READY_S, TimeUnit.SECONDS)) {
            throw new IOException("the OpenWire receiver could not subscribe");
        }
    }

    private void run() {
        while (!stopped) {
            try {
                receive();
            } catch (JMSException e) {
                // The broker was killed, or is not up yet; it will be back.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void receive() throws JMSException {
        Connection connection = factory.createConnection();
        try {
            connection.start();
            Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = session.createDurableSubscriber(session.createTopic(Doors.RESULTS), "results");
            ready.countDown();
            while (!stopped) {
                Message message = consumer.receive(RECEIVE_MS);
                if (message instanceof TextMessage text) {
                    tally.got(Integer.parseInt(text.getText()), message.getJMSRedelivered());
                    message.acknowledge();
                }
            }
        } finally {
            connection.close();
        }
    }

    @Override
    public void close() {
        stopped = true;
    }
}
