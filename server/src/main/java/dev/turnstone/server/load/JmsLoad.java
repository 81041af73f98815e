package dev.turnstone.server.load;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Load through Jakarta Messaging, over whatever a connection factory connects to. Any thread. */
public final class JmsLoad implements LoadProtocol {
    private static final Logger LOG = LoggerFactory.getLogger(JmsLoad.class);
    private static final String AUTO = "auto";
    private static final String DUPS_OK = "dups-ok";
    private static final String CLIENT = "client";
    private static final String TRANSACTED = "transacted";
    private static final long POLL_MS = 100;

    private final ConnectionFactory factory;
    private final AsyncSend asyncSend;

    /** How a library sends without waiting. Any thread. */
    @FunctionalInterface
    interface AsyncSend {
        void send(MessageProducer producer, Message message, CompletionListener listener) throws JMSException;
    }

    /** With a factory whose connections are logged in as they should be. */
    public JmsLoad(ConnectionFactory factory) {
        this(factory, MessageProducer::send);
    }

    JmsLoad(ConnectionFactory factory, AsyncSend asyncSend) {
        this.factory = factory;
        this.asyncSend = asyncSend;
    }

    @Override
    public List<String> acknowledgeModes() {
        return List.of(AUTO, DUPS_OK, CLIENT, TRANSACTED);
    }

    @Override
    public LoadSender sender(LoadPlan plan, int number, Consumer<IOException> failed) throws IOException {
        return open(connection -> new JmsSender(connection, plan, asyncSend, failed));
    }

    @Override
    public LoadReceiver receiver(LoadPlan plan, int number) throws IOException {
        return open(connection -> new JmsReceiver(connection, plan));
    }

    private interface Opening<T> {
        T of(Connection connection) throws JMSException;
    }

    private <T> T open(Opening<T> opening) throws IOException {
        try {
            Connection connection = factory.createConnection();
            try {
                return opening.of(connection);
            } catch (JMSException e) {
                connection.close();
                throw e;
            }
        } catch (JMSException e) {
            throw failure(e);
        }
    }

    private static IOException failure(JMSException cause) {
        return new IOException(cause.getMessage(), cause);
    }

    private static Session session(Connection connection, LoadPlan plan) throws JMSException {
        return connection.createSession(
                switch (plan.acknowledge()) {
                    case DUPS_OK -> Session.DUPS_OK_ACKNOWLEDGE;
                    case CLIENT -> Session.CLIENT_ACKNOWLEDGE;
                    case TRANSACTED -> Session.SESSION_TRANSACTED;
                    default -> Session.AUTO_ACKNOWLEDGE;
                });
    }

    private static Destination destination(Session session, LoadPlan plan) throws JMSException {
        return plan.topic() ? session.createTopic(plan.destination()) : session.createQueue(plan.destination());
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (JMSException e) {
            LOG.debug("the end of a connection failed", e);
        }
    }

    /** Sends in transactions of what may be in flight, or waits for each send, or, with several in flight, for none. */
    private static final class JmsSender implements LoadSender {
        private final Connection connection;
        private final Session session;
        private final MessageProducer producer;
        private final boolean transacted;
        private final boolean single;
        private final AsyncSend asyncSend;
        private final Consumer<IOException> failed;
        private final List<Runnable> uncommitted = new ArrayList<>();

        JmsSender(Connection connection, LoadPlan plan, AsyncSend asyncSend, Consumer<IOException> failed)
                throws JMSException {
            this.connection = connection;
            this.asyncSend = asyncSend;
            this.failed = failed;
            transacted = plan.acknowledge().equals(TRANSACTED);
            single = plan.inFlight() == 1;
            session = session(connection, plan);
            producer = session.createProducer(destination(session, plan));
            producer.setDeliveryMode(plan.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        }

        @Override
        public void send(byte[] body, Runnable confirmed) throws IOException {
            try {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(body);
                if (transacted) {
                    producer.send(message);
                    uncommitted.add(confirmed);
                } else if (single) {
                    producer.send(message);
                    confirmed.run();
                } else {
                    asyncSend.send(producer, message, new Confirmation(confirmed, failed));
                }
            } catch (JMSException e) {
                throw failure(e);
            }
        }

        @Override
        public void flush() throws IOException {
            if (!uncommitted.isEmpty()) {
                try {
                    session.commit();
                } catch (JMSException e) {
                    throw failure(e);
                }
                uncommitted.forEach(Runnable::run);
                uncommitted.clear();
            }
        }

        @Override
        public void close() {
            JmsLoad.close(connection);
        }
    }

    private record Confirmation(Runnable confirmed, Consumer<IOException> failed) implements CompletionListener {
        @Override
        public void onCompletion(Message message) {
            confirmed.run();
        }

        @Override
        public void onException(Message message, Exception exception) {
            failed.accept(new IOException(exception.getMessage(), exception));
        }
    }

    private static final class JmsReceiver implements LoadReceiver {
        private final Connection connection;
        private final Session session;
        private final MessageConsumer consumer;
        private final boolean transacted;
        private final boolean manual;
        private final int batch;
        private volatile boolean closed;

        JmsReceiver(Connection connection, LoadPlan plan) throws JMSException {
            this.connection = connection;
            transacted = plan.acknowledge().equals(TRANSACTED);
            manual = plan.acknowledge().equals(CLIENT);
            batch = plan.inFlight();
            session = session(connection, plan);
            consumer = session.createConsumer(destination(session, plan));
            connection.start();
        }

        @Override
        public void run(Consumer<byte[]> received) throws IOException {
            int uncommitted = 0;
            try {
                while (!closed) {
                    Message message = uncommitted > 0 ? consumer.receiveNoWait() : consumer.receive(POLL_MS);
                    if (message != null) {
                        received.accept(body(message));
                        acknowledge(message);
                        uncommitted += transacted ? 1 : 0;
                    }
                    if (uncommitted > 0 && (message == null || uncommitted == batch)) {
                        session.commit();
                        uncommitted = 0;
                    }
                }
            } catch (JMSException e) {
                if (!closed) {
                    throw failure(e);
                }
                LOG.debug("closed while it was at work", e);
            }
        }

        private void acknowledge(Message message) throws JMSException {
            if (manual) {
                message.acknowledge();
            }
        }

        private static byte[] body(Message message) throws JMSException {
            if (message instanceof BytesMessage bytes) {
                byte[] body = new byte[(int) bytes.getBodyLength()];
                bytes.readBytes(body);
                return body;
            }
            return new byte[0];
        }

        @Override
        public void close() {
            closed = true;
            JmsLoad.close(connection);
        }
    }
}
