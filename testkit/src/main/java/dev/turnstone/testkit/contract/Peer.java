package dev.turnstone.testkit.contract;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.HandOver;
import dev.turnstone.port.Login;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One session, scripted by a test: gives commands, waits for what comes back and keeps all of it. */
public final class Peer {
    private static final int EVENTS_MAX = 64;
    private static final long ROUND_MS = 20;

    /** A consumer that the broker ended, and why. */
    public record Ended(int consumer, ErrorCode cause) {}

    private final BrokerHost host;
    private final Connection connection;
    private final Session session;
    private final Semaphore woken = new Semaphore(0);
    private final AtomicInteger wakeups = new AtomicInteger();
    private final List<Delivery> deliveries = new ArrayList<>();
    private final List<Ended> ended = new ArrayList<>();
    private final List<Reply> heard = new ArrayList<>();
    private final List<Integer> browsed = new ArrayList<>();

    private Peer(BrokerHost host, Connection connection) {
        this.host = host;
        this.connection = connection;
        this.session = connection.openSession(() -> {
            wakeups.incrementAndGet();
            woken.release();
        });
    }

    /** A session on a new connection. */
    static Peer connect(BrokerHost host, @Nullable String clientId) {
        return new Peer(host, connection(host, clientId));
    }

    /** A new connection without sessions; the refusal, if refused. */
    static Connection connection(BrokerHost host, @Nullable String clientId) {
        Login login = new Login(null, null, clientId, "test", "vm");
        CompletableFuture<Connection> connecting = host.broker()
                .connect(login, cause -> {
                    // The session's commands fail or stay open; tests look at those.
                })
                .toCompletableFuture();
        return await(host, connecting);
    }

    /** Waits for a stage; throws what it failed with. */
    static <T> T await(BrokerHost host, CompletableFuture<T> stage) {
        host.pump();
        try {
            return stage.get(host.patience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BrokerException refusal) {
                throw refusal;
            }
            throw new AssertionError("failed with something else than a BrokerException", e);
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within " + host.patience(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Another session on the same connection. */
    Peer sibling() {
        return new Peer(host, connection);
    }

    Connection connection() {
        return connection;
    }

    Session session() {
        return session;
    }

    int wakeups() {
        return wakeups.get();
    }

    Reply send(Message message) {
        return send(message, Session.NO_TRANSACTION);
    }

    Reply send(Message message, long transaction) {
        return send(new Send(message, transaction));
    }

    Reply send(Send send) {
        Reply reply = reply("send " + send.message());
        session.send(send, reply);
        return reply;
    }

    /** Sends texts as persistent messages and waits until all are confirmed. */
    void sendTexts(Address address, String... texts) {
        for (String text : texts) {
            send(MessageBuilder.to(address).text(text).build());
        }
        sync();
    }

    Reply subscribe(Subscribe subscribe) {
        Reply reply = reply("subscribe " + subscribe.consumer());
        session.subscribe(subscribe, reply);
        return reply;
    }

    /** Subscribes, gives credit and waits for the confirmation. */
    void consume(Subscribe subscribe, int credit) {
        awaitDone(subscribe(subscribe));
        session.credit(subscribe.consumer(), credit);
        session.flush();
    }

    void consume(int consumer, Address address, int credit) {
        consume(Subscribe.to(consumer, address), credit);
    }

    void credit(int consumer, int messages) {
        session.credit(consumer, messages);
        session.flush();
    }

    Reply settle(Settle settle) {
        Reply reply = reply("settle " + settle.first() + ".." + settle.last() + " " + settle.outcome());
        session.settle(settle, reply);
        return reply;
    }

    Reply settle(Delivery delivery, Outcome outcome) {
        return settle(Settle.one(delivery, outcome));
    }

    Reply settle(Delivery delivery, Outcome outcome, long transaction) {
        return settle(new Settle(delivery.consumer(), delivery.number(), delivery.number(), outcome, transaction));
    }

    Reply handOver(HandOver handOver) {
        Reply reply = reply("hand over " + handOver.first() + ".." + handOver.last());
        session.handOver(handOver, reply);
        return reply;
    }

    Reply recall(int consumer, long lastSeen) {
        Reply reply = reply("recall " + consumer + " after " + lastSeen);
        session.recall(consumer, lastSeen, reply);
        return reply;
    }

    Reply unsubscribe(int consumer, long lastSeen) {
        Reply reply = reply("unsubscribe " + consumer + " after " + lastSeen);
        session.unsubscribe(consumer, lastSeen, reply);
        return reply;
    }

    Reply deleteSubscription(SubscriptionName name) {
        Reply reply = reply("delete " + name);
        session.deleteSubscription(name, reply);
        return reply;
    }

    Reply declareTemporary(Address temporary) {
        Reply reply = reply("declare " + temporary);
        session.declareTemporary(temporary, reply);
        return reply;
    }

    Reply deleteTemporary(Address temporary) {
        Reply reply = reply("delete " + temporary);
        session.deleteTemporary(temporary, reply);
        return reply;
    }

    Reply begin(long transaction) {
        Reply reply = reply("begin " + transaction);
        session.begin(transaction, reply);
        return reply;
    }

    Reply commit(long transaction) {
        Reply reply = reply("commit " + transaction);
        session.commit(transaction, reply);
        return reply;
    }

    Reply rollback(long transaction) {
        Reply reply = reply("rollback " + transaction);
        session.rollback(transaction, reply);
        return reply;
    }

    Reply close() {
        Reply reply = reply("close");
        session.close(reply);
        return reply;
    }

    /** Waits for everything that this session asked for, and for all deliveries that were due before. */
    void sync() {
        Reply reply = reply("sync");
        session.sync(reply);
        awaitDone(reply);
    }

    /** Ends the connection without a word about what was seen, as when its socket breaks. */
    void lose() {
        await(host, connection.close().toCompletableFuture());
    }

    /** Flushes, waits for the outcome and demands that the command took effect. */
    void awaitDone(Reply reply) {
        awaitHeard(reply);
        if (!reply.isDone()) {
            throw new AssertionError(reply.toString());
        }
    }

    /** Flushes, waits for the outcome and demands a refusal. */
    ErrorCode awaitRefusal(Reply reply) {
        awaitHeard(reply);
        ErrorCode code = reply.refusal();
        if (code == null) {
            throw new AssertionError("not refused: " + reply);
        }
        return code;
    }

    /** Drains and flushes until the session takes more, but no longer than this; says whether it does. */
    boolean writableWithin(Duration time) {
        long deadline = System.nanoTime() + time.toNanos();
        while (true) {
            session.flush();
            host.pump();
            drain();
            if (session.writable()) {
                return true;
            }
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            pause();
        }
    }

    private void awaitHeard(Reply reply) {
        session.flush();
        await("the outcome of " + reply, reply::isHeard);
    }

    /** Waits until a consumer has had so many deliveries in all, and gives them in order; more than that fails. */
    List<Delivery> awaitDeliveries(int consumer, int count) {
        await(
                count + " deliveries, after " + deliveries.size(),
                () -> received(consumer).size() >= count);
        List<Delivery> received = received(consumer);
        if (received.size() > count) {
            throw new AssertionError(received.size() + " deliveries in place of " + count + ": " + texts(received));
        }
        return received;
    }

    /** What a consumer has had so far. */
    List<Delivery> received(int consumer) {
        return deliveries.stream().filter(d -> d.consumer() == consumer).toList();
    }

    /** The texts of what a consumer has had when all that is due has come. */
    List<String> settledTexts(int consumer) {
        sync();
        // What the commands before the first made ready may be handed out behind its confirmation, but before the
        // second's.
        sync();
        return texts(received(consumer));
    }

    /** The bodies of deliveries. */
    static List<String> texts(List<Delivery> deliveries) {
        return deliveries.stream().map(d -> String.valueOf(d.message().text())).toList();
    }

    /** Outcomes in the order in which they came. */
    List<Reply> heard() {
        return List.copyOf(heard);
    }

    /** Browsers that have ended. */
    List<Integer> browsed() {
        return List.copyOf(browsed);
    }

    List<Ended> ended() {
        return List.copyOf(ended);
    }

    /** Drains until the condition holds. */
    void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + host.patience().toNanos();
        while (true) {
            host.pump();
            drain();
            if (condition.getAsBoolean()) {
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited in vain for " + what);
            }
            pause();
        }
    }

    /** Takes what there is, without waiting. */
    int drain() {
        int all = 0;
        int taken;
        do {
            taken = session.drain(
                    new SessionListener() {
                        @Override
                        public void delivery(Delivery delivery) {
                            deliveries.add(delivery);
                        }

                        @Override
                        public void browseEnded(int consumer) {
                            browsed.add(consumer);
                        }

                        @Override
                        public void consumerClosed(int consumer, BrokerException cause) {
                            ended.add(new Ended(consumer, cause.code()));
                        }
                    },
                    EVENTS_MAX);
            all += taken;
        } while (taken == EVENTS_MAX);
        return all;
    }

    private void pause() {
        try {
            if (woken.tryAcquire(ROUND_MS, TimeUnit.MILLISECONDS)) {
                woken.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** The outcome of a command that a test gives to the port itself. */
    Reply reply(String command) {
        return new Reply(command, heard);
    }
}
