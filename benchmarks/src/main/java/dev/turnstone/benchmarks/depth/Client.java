package dev.turnstone.benchmarks.depth;

import dev.turnstone.port.Address;
import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Login;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.Settle;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StateQuery;
import dev.turnstone.port.Subscribe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** One session with many sends, or deliveries, on their way. One thread. */
final class Client implements SessionListener, Completion {
    private static final int WINDOW = 1_000;
    private static final int FLUSH = 50;
    private static final int STATE_CHANGES = 200;
    private static final int STATE_WINDOW = 50;
    private static final long PATIENCE_SECONDS = 120;

    private final BlockingQueue<Boolean> wakeups = new ArrayBlockingQueue<>(1);
    private final Connection connection;
    private final Session session;
    private long asked;
    private long done;
    private long received;
    /** What may have come before it was asked for counts all the same. */
    private long wanted;

    private IntFunction<@Nullable DedupId> identities = i -> null;
    private @Nullable BrokerException cause;

    Client(Broker broker, @Nullable String clientId) {
        Login login = new Login(null, null, clientId, "benchmark", "vm");
        this.connection = broker.connect(login, why -> {}).toCompletableFuture().join();
        this.session = connection.openSession(() -> wakeups.offer(true));
    }

    /** Sends so many messages with random bodies and waits until all are confirmed; returns messages a second. */
    double send(IntFunction<Address> to, int count, byte[] body, long deliveryTimeMs) throws InterruptedException {
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            while (asked - done >= WINDOW || !session.writable()) {
                hear();
            }
            Message message = MessageBuilder.to(to.apply(i))
                    .property("n", i)
                    .deliveryTimeMs(deliveryTimeMs)
                    .bytes(body)
                    .build();
            asked++;
            session.send(Send.of(message).with(identities.apply(i)), this);
            if (i % FLUSH == 0) {
                session.flush();
            }
        }
        confirmed();
        return count / seconds(start);
    }

    /** From now on messages have these identities, by their number in {@link #send}. */
    void identify(IntFunction<@Nullable DedupId> by) {
        identities = by;
    }

    /** Puts so many keys of protocol state, some hundred with a command; returns keys a second. */
    double put(int keys, byte[] value) throws InterruptedException {
        long start = System.nanoTime();
        List<StateChange> changes = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            changes.add(StateChange.put("depth", key(i), value));
            if (changes.size() == STATE_CHANGES || i == keys - 1) {
                while (asked - done >= STATE_WINDOW || !session.writable()) {
                    hear();
                }
                asked++;
                session.changeState(List.copyOf(changes), Session.NO_TRANSACTION, this);
                session.flush();
                changes.clear();
            }
        }
        confirmed();
        return keys / seconds(start);
    }

    private static String key(int number) {
        return "device-" + number / 10 + "/packet-" + number % 10;
    }

    /** Lists what the tenth part of a key is a prefix of; returns how many there are. */
    int list(int number) throws InterruptedException {
        int[] count = new int[1];
        asked++;
        session.listState(
                StateQuery.of("depth", "device-" + number + "/"),
                page -> count[0] += page.entries().size(),
                this);
        confirmed();
        return count[0];
    }

    /** Sends one message, takes the next delivery, and waits until both are confirmed. */
    void roundTrip(Message message) throws InterruptedException {
        long until = received + 1;
        asked++;
        session.send(Send.of(message), this);
        while (received < until) {
            hear();
        }
        confirmed();
    }

    /** Sends so many and takes them; returns messages a second. */
    double pass(Message message, int count) throws InterruptedException {
        long start = System.nanoTime();
        long until = received + count;
        for (int i = 0; i < count; i++) {
            while (asked - done >= WINDOW || !session.writable()) {
                hear();
            }
            asked++;
            session.send(Send.of(message), this);
            if (i % FLUSH == 0) {
                session.flush();
            }
        }
        while (received < until) {
            hear();
        }
        confirmed();
        return count / seconds(start);
    }

    /** Waits until all that was asked for is confirmed. */
    void confirmed() throws InterruptedException {
        session.flush();
        while (done < asked) {
            hear();
        }
    }

    void subscribe(Subscribe subscribe, int credit) {
        asked++;
        session.subscribe(subscribe, this);
        if (credit > 0) {
            session.credit(subscribe.consumer(), credit);
        }
    }

    void unsubscribe(int consumer) {
        asked++;
        session.unsubscribe(consumer, Long.MAX_VALUE, this);
    }

    /** Takes and settles so many; returns messages a second. */
    double receive(long count) throws InterruptedException {
        long start = System.nanoTime();
        wanted += count;
        while (received < wanted) {
            hear();
        }
        confirmed();
        return count / seconds(start);
    }

    static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    void close() {
        connection.close().toCompletableFuture().join();
    }

    private void hear() throws InterruptedException {
        session.flush();
        if (session.drain(this, WINDOW) == 0 && wakeups.poll(PATIENCE_SECONDS, TimeUnit.SECONDS) == null) {
            throw new IllegalStateException("nothing came after " + received + " deliveries and " + done + " outcomes");
        }
        if (cause != null) {
            throw cause;
        }
    }

    @Override
    public void delivery(Delivery delivery) {
        received++;
        asked++;
        session.settle(Settle.one(delivery, Outcome.ACCEPTED), this);
        session.credit(delivery.consumer(), 1);
    }

    @Override
    public void consumerClosed(int consumer, BrokerException why) {
        cause = why;
    }

    @Override
    public void done() {
        done++;
    }

    @Override
    public void failed(BrokerException why) {
        cause = why;
    }
}
