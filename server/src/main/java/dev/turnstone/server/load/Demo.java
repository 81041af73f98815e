package dev.turnstone.server.load;

import dev.turnstone.server.Turnstone;
import dev.turnstone.spi.Listener;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Orders go in over STOMP, a JMS transaction consumes each and sends a result, and the results are counted: each order
 * must have exactly one. One thread; its own are gone when it is done.
 */
public final class Demo {
    private static final String ORDERS = "demo.orders";
    private static final String RESULTS = "demo.results";
    private static final int UNCONFIRMED_MAX = 500;
    private static final int QUIET_MS = 500;
    private static final int ANSWER_MS = 30_000;

    private final Turnstone broker;
    private final int orders;
    private final long deadlineNanos;

    /**
     * What came of it.
     *
     * @param results orders with a result
     * @param lost orders without one
     * @param doubled results that were not the first of their order
     * @param millis how long it took
     */
    public record Outcome(int results, int lost, int doubled, long millis) {
        /** True if each order has exactly one result. */
        public boolean right() {
            return lost == 0 && doubled == 0;
        }
    }

    /**
     * With a broker that has a STOMP listener.
     *
     * @param orders how many
     * @param secondsMax after which it ends, whatever is missing
     */
    public Demo(Turnstone broker, int orders, int secondsMax) {
        this.broker = broker;
        this.orders = orders;
        this.deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsMax);
    }

    /**
     * Runs it.
     *
     * @param progress told now and then how many results there are
     * @throws IOException if a client failed
     */
    public Outcome run(IntConsumer progress) throws IOException {
        long began = System.nanoTime();
        AtomicInteger worked = new AtomicInteger();
        CompletableFuture<Void> shop = background(this::order);
        CompletableFuture<Void> warehouse = background(() -> work(worked));
        BitSet seen = new BitSet(orders);
        int doubled = count(seen, progress);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        await(shop);
        await(warehouse);
        return new Outcome(seen.cardinality(), orders - seen.cardinality(), doubled, millis);
    }

    private interface Work {
        void run() throws IOException, JMSException;
    }

    private static CompletableFuture<Void> background(Work work) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | JMSException e) {
                        throw new CompletionException(e);
                    }
                },
                task -> {
                    Thread thread = new Thread(task, "turnstone-demo");
                    thread.setDaemon(true);
                    thread.start();
                });
    }

    private void await(CompletableFuture<Void> work) throws IOException {
        try {
            work.get(
                    Math.max(1, deadlineNanos - System.nanoTime()) + TimeUnit.SECONDS.toNanos(1), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new IOException("a client failed: " + e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("a client did not end in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private boolean late() {
        return System.nanoTime() > deadlineNanos;
    }

    /** Sends the orders; a receipt says of each that it is on disk. */
    private void order() throws IOException {
        Listener listener = broker.listeners().get(0);
        try (StompSocket stomp = new StompSocket(new LoadTarget(listener.host(), listener.port(), false, null, null))) {
            stomp.patience(ANSWER_MS);
            int confirmed = 0;
            for (int sent = 0; confirmed < orders && !late(); ) {
                while (sent < orders && sent - confirmed < UNCONFIRMED_MAX) {
                    Map<String, String> headers = Map.of(
                            "destination",
                            "/queue/" + ORDERS,
                            "persistent",
                            "true",
                            "content-type",
                            "text/plain",
                            "receipt",
                            Integer.toString(sent));
                    stomp.write("SEND", headers, Integer.toString(sent++).getBytes(StandardCharsets.UTF_8));
                }
                stomp.flush();
                stomp.read();
                confirmed++;
            }
        }
    }

    /** Takes each order and sends its result, both or neither. */
    private void work(AtomicInteger worked) throws JMSException {
        ConnectionFactory factory = broker.connectionFactory();
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            JMSConsumer consumer = context.createConsumer(context.createQueue(ORDERS));
            JMSProducer producer = context.createProducer();
            Queue results = context.createQueue(RESULTS);
            while (worked.get() < orders && !late()) {
                Message order = consumer.receive(QUIET_MS);
                if (order != null) {
                    producer.send(results, ((TextMessage) order).getText());
                    context.commit();
                    worked.incrementAndGet();
                }
            }
        }
    }

    private int count(BitSet seen, IntConsumer progress) {
        int doubled = 0;
        try (JMSContext context = broker.connectionFactory().createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue(RESULTS));
            while (!late()) {
                // When all are there, whatever comes within a while is one too many.
                String result = consumer.receiveBody(String.class, QUIET_MS);
                if (result == null) {
                    if (seen.cardinality() == orders) {
                        break;
                    }
                    continue;
                }
                int order = Integer.parseInt(result);
                doubled += seen.get(order) ? 1 : 0;
                seen.set(order);
                progress.accept(seen.cardinality());
            }
        }
        return doubled;
    }
}
