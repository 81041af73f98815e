package dev.turnstone.itests.openwire.crash;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.ActiveMQConnectionFactory;

/**
 * Applications with ActiveMQ's client over {@code failover:}. Producers send numbered messages to one queue, one by one
 * or some in a transaction; two movers move them in transactions, each to a queue of its own, where a consumer or a
 * listener takes them: as the library acknowledges without waiting for the answer, and only remembers within a
 * connection what it has acknowledged, two connections on one queue could both see a message. None of them knows of the
 * kills, but that a commit may be answered with its rollback. Who then sends the same again has an identity for it, as
 * {@code docs/openwire.md} says.
 */
final class Workers implements AutoCloseable {
    private static final String FROM = "in";
    private static final String TO = "out";
    private static final int PRODUCERS = 6;
    private static final int BATCHERS = 2;
    private static final int BATCH = 3;
    private static final int MOVERS = 2;
    private static final int MOVED_MAX = 5;
    private static final long RECEIVE_MS = 200;
    private static final long PATIENCE_S = Long.getLong("crash.patienceS", 90);

    private final ActiveMQConnectionFactory factory;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> producing = new ArrayList<>();
    private final List<Future<?>> taking = new ArrayList<>();
    private final Queue<String> confirmed = new ConcurrentLinkedQueue<>();
    private final Map<String, Queue<Receipt>> received = new ConcurrentHashMap<>();
    private final Map<String, Queue<String>> moves = new ConcurrentHashMap<>();
    private final AtomicInteger rolledBack = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopped;
    private volatile boolean done;

    /** One message, once. */
    private record Receipt(Instant when, String messageId, boolean redelivered) {}

    Workers(int port) {
        factory = new ActiveMQConnectionFactory("failover:(tcp://127.0.0.1:" + port
                + ")?initialReconnectDelay=20&maxReconnectDelay=100&randomize=false");
        // A rollback that the client makes of a commit without an answer is no fault of the message.
        factory.getRedeliveryPolicy().setMaximumRedeliveries(-1);
        factory.getRedeliveryPolicy().setInitialRedeliveryDelay(0);
        factory.getRedeliveryPolicy().setRedeliveryDelay(0);
    }

    void start() {
        for (int i = 0; i < PRODUCERS; i++) {
            String name = "p" + i;
            producing.add(start(() -> produce(name)));
        }
        for (int i = 0; i < BATCHERS; i++) {
            String name = "t" + i;
            producing.add(start(() -> produceSome(name)));
        }
        for (int i = 0; i < MOVERS; i++) {
            String to = TO + i;
            taking.add(start(() -> move(to)));
        }
        taking.add(start(this::take));
        taking.add(start(this::listen));
    }

    private Future<?> start(Callable<Void> work) {
        return threads.submit(work);
    }

    private Void produce(String name) throws JMSException {
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue(FROM));
            for (int i = 0; !stopped; i++) {
                String id = name + "-" + i;
                producer.send(session.createTextMessage(id));
                confirmed.add(id);
            }
        }
        return null;
    }

    private Void produceSome(String name) throws JMSException {
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(session.createQueue(FROM));
            for (int i = 0; !stopped; i += BATCH) {
                List<String> ids = new ArrayList<>();
                for (int j = i; j < i + BATCH; j++) {
                    ids.add(name + "-" + j);
                }
                while (!isCommitted(session, producer, ids)) {
                    rolledBack.incrementAndGet();
                }
                confirmed.addAll(ids);
            }
        }
        return null;
    }

    private static boolean isCommitted(Session session, MessageProducer producer, List<String> ids)
            throws JMSException {
        try {
            for (String id : ids) {
                Message message = session.createTextMessage(id);
                message.setStringProperty("JMS_TURNSTONE_DEDUP_ID", id);
                producer.send(message);
            }
            session.commit();
            return true;
        } catch (TransactionRolledBackException e) {
            return false;
        }
    }

    private Void move(String to) throws JMSException {
        try (Connection connection = factory.createConnection()) {
            connection.start();
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            MessageConsumer consumer = session.createConsumer(session.createQueue(FROM));
            MessageProducer producer = session.createProducer(session.createQueue(to));
            while (!done) {
                try {
                    for (int moved = 0; moved < MOVED_MAX; moved++) {
                        Message message = consumer.receive(RECEIVE_MS);
                        if (message == null) {
                            break;
                        }
                        Message copy = session.createTextMessage(message.getBody(String.class));
                        producer.send(copy);
                        moves.computeIfAbsent(text(message), text -> new ConcurrentLinkedQueue<>())
                                .add(Instant.now() + " " + receipt(message) + " as " + copy.getJMSMessageID());
                    }
                    session.commit();
                } catch (JMSException e) {
                    rolledBack.incrementAndGet();
                    session.rollback();
                }
            }
        }
        return null;
    }

    private Void take() throws JMSException {
        try (Connection connection = factory.createConnection()) {
            connection.start();
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue(TO + 0));
            while (!done) {
                Message message = consumer.receive(RECEIVE_MS);
                if (message != null) {
                    received(message);
                }
            }
        }
        return null;
    }

    private Void listen() throws JMSException, InterruptedException {
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession();
            session.createConsumer(session.createQueue(TO + 1)).setMessageListener(this::received);
            connection.start();
            ended.await();
        }
        return null;
    }

    private void received(Message message) {
        received.computeIfAbsent(text(message), text -> new ConcurrentLinkedQueue<>())
                .add(receipt(message));
    }

    private static String text(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Receipt receipt(Message message) {
        try {
            return new Receipt(Instant.now(), message.getJMSMessageID(), message.getJMSRedelivered());
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    /** No more is sent; waits for what is being sent. */
    void stopProducing() throws Exception {
        stopped = true;
        for (Future<?> one : producing) {
            one.get(PATIENCE_S, TimeUnit.SECONDS);
        }
    }

    /** Ends the movers and the consumer; throws what they threw. */
    void finish() throws Exception {
        done = true;
        ended.countDown();
        for (Future<?> one : taking) {
            one.get(PATIENCE_S, TimeUnit.SECONDS);
        }
    }

    /** What was confirmed so far. */
    Queue<String> confirmed() {
        return confirmed;
    }

    /** What came. */
    Set<String> received() {
        return received.keySet();
    }

    /** What came more than once without saying so, and all that befell it. */
    Map<String, List<String>> doubled() {
        Map<String, List<String>> doubled = new TreeMap<>();
        for (String text : repeated(false)) {
            List<String> events = new ArrayList<>(moves.getOrDefault(text, new ConcurrentLinkedQueue<>()));
            received.get(text).forEach(receipt -> events.add(receipt.toString()));
            doubled.put(text, events);
        }
        return doubled;
    }

    /** What came more than once, and said so. */
    Set<String> again() {
        return repeated(true);
    }

    private Set<String> repeated(boolean saidAgain) {
        Set<String> repeated = new TreeSet<>();
        received.forEach((text, receipts) -> {
            if (receipts.size() > 1 && isOneSaidAgain(receipts) == saidAgain) {
                repeated.add(text);
            }
        });
        return repeated;
    }

    /**
     * The library acknowledges without waiting, so that a kill may undo that: the broker delivers the message again and
     * flags it, and the library drops it, mostly. After two kills in a row it has been seen to pass it on.
     */
    private static boolean isOneSaidAgain(Queue<Receipt> receipts) {
        Receipt first = receipts.element();
        return receipts.stream()
                .skip(1)
                .allMatch(other -> other.redelivered() && other.messageId().equals(first.messageId()));
    }

    /** How many transactions were rolled back. */
    int rolledBack() {
        return rolledBack.get();
    }

    /** Text messages in the dead-letter queue. */
    List<String> dead() throws JMSException {
        List<String> dead = new ArrayList<>();
        try (Connection connection = factory.createConnection()) {
            connection.start();
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("DLQ"));
            for (Message message = consumer.receive(RECEIVE_MS);
                    message != null;
                    message = consumer.receive(RECEIVE_MS)) {
                dead.add(message.getBody(String.class) + ": " + message.getStringProperty("JMS_TURNSTONE_EXCEPTION"));
            }
        }
        return dead;
    }

    @Override
    public void close() {
        stopped = true;
        done = true;
        threads.shutdownNow();
    }
}
