package dev.turnstone.jms;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Broker;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ConnectionListener;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.port.Message;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.spi.Principal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A broker in memory that does each command on the thread that flushes it, remembers them all as text, and confirms at
 * once or, while it is told to hold, later. Its monitor guards everything.
 */
final class FakeBroker implements Broker {
    final List<String> commands = new CopyOnWriteArrayList<>();
    final Map<String, TreeMap<Long, Entry>> queues = new HashMap<>();
    final List<FakeSession.Consumer> consumers = new ArrayList<>();
    private final Map<Connection, ConnectionListener> connections = new LinkedHashMap<>();
    private final Map<String, Connection> clientIds = new HashMap<>();
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private @Nullable BrokerException nextRefusal;
    private boolean holding;
    private boolean full;
    private boolean refusedPosts;
    private long positions;

    /** One message in one queue. */
    static final class Entry {
        final long position;
        final Message message;
        int attempts;
        boolean redelivered;

        Entry(long position, Message message) {
            this.position = position;
            this.message = message;
        }
    }

    /** A factory for connections to a new fake broker; {@code parameters} as in {@code ?prefetch=4}. */
    TurnstoneConnectionFactory factory(String parameters) {
        String name = "b" + UUID.randomUUID();
        FakeConnector.register(name, this);
        return new TurnstoneConnectionFactory("fake://" + name + parameters);
    }

    @Override
    public CompletionStage<Connection> resume(Principal principal, Login login, ConnectionListener listener) {
        throw new UnsupportedOperationException("JMS does nothing when its application is not there");
    }

    @Override
    public synchronized CompletionStage<Connection> connect(Login login, ConnectionListener listener) {
        if ("wrong".equals(login.password())) {
            return CompletableFuture.failedFuture(
                    new BrokerException(ErrorCode.UNAUTHENTICATED, "the password of " + login.user() + " is wrong"));
        }
        if (login.clientId() != null && clientIds.containsKey(login.clientId())) {
            return CompletableFuture.failedFuture(
                    new BrokerException(ErrorCode.CLIENT_ID_IN_USE, "in use: " + login.clientId()));
        }
        FakeConnection connection = new FakeConnection(this);
        connections.put(connection, listener);
        if (login.clientId() != null) {
            clientIds.put(login.clientId(), connection);
        }
        return CompletableFuture.completedFuture(connection);
    }

    synchronized void closed(Connection connection) {
        connections.remove(connection);
        clientIds.values().remove(connection);
    }

    synchronized int connections() {
        return connections.size();
    }

    /** Ends every connection, as a broker does whose journal has failed. */
    void fail(String why) {
        List<ConnectionListener> listeners;
        synchronized (this) {
            listeners = List.copyOf(connections.values());
            connections.clear();
        }
        listeners.forEach(listener -> listener.closed(new BrokerException(ErrorCode.STOPPED, why)));
    }

    /** Ends every consumer, as a broker does that has taken the permission to consume. */
    synchronized void endConsumers(String why) {
        List<FakeSession.Consumer> ended = List.copyOf(consumers);
        consumers.clear();
        ended.forEach(consumer -> consumer.end(new BrokerException(ErrorCode.FORBIDDEN, why)));
    }

    /** Confirms nothing until {@link #release}. */
    synchronized void hold() {
        holding = true;
    }

    synchronized void release() {
        holding = false;
        while (!held.isEmpty()) {
            held.removeFirst().run();
        }
    }

    synchronized boolean isHolding(int confirmations) {
        return held.size() >= confirmations;
    }

    /** Takes no more commands, until {@link #takeAgain}. */
    synchronized void takeNoMore() {
        full = true;
    }

    void takeAgain() {
        List<Connection> all;
        synchronized (this) {
            full = false;
            all = List.copyOf(connections.keySet());
        }
        all.forEach(connection -> ((FakeConnection) connection).wakeRefused());
    }

    /** Under the monitor: whether it takes nothing of what a session flushes. */
    boolean refusesPost() {
        refusedPosts |= full;
        return full;
    }

    /** Whether a session was told that it takes no more. */
    synchronized boolean hasRefused() {
        return refusedPosts;
    }

    /** Refuses the next command that can be refused. */
    synchronized void refuseNext(ErrorCode code) {
        nextRefusal = new BrokerException(code, "told to refuse");
    }

    synchronized @Nullable BrokerException takeRefusal() {
        BrokerException refusal = nextRefusal;
        nextRefusal = null;
        return refusal;
    }

    void confirm(FakeSession session, Completion completion, @Nullable BrokerException refusal) {
        Runnable confirmation = () -> session.due(listener -> {
            if (refusal != null) {
                completion.failed(refusal);
            } else {
                completion.done();
            }
        });
        if (holding) {
            held.add(confirmation);
        } else {
            confirmation.run();
        }
    }

    void route(Message message) {
        Address address = message.address();
        long position = ++positions;
        if (address.kind() == AddressKind.QUEUE) {
            queue(address.toString()).put(position, new Entry(position, message));
        } else {
            for (String name : List.copyOf(queues.keySet())) {
                if (name.startsWith(address + "::")) {
                    queue(name).put(position, new Entry(position, message));
                }
            }
        }
        dispatch();
    }

    TreeMap<Long, Entry> queue(String name) {
        return queues.computeIfAbsent(name, none -> new TreeMap<>());
    }

    synchronized int depth(String queue) {
        return queue(queue).size();
    }

    static String durable(Address topic, SubscriptionName subscription) {
        return topic + "::" + subscription.clientId() + "/" + subscription.name();
    }

    void dispatch() {
        boolean more = true;
        while (more) {
            more = false;
            for (FakeSession.Consumer consumer : List.copyOf(consumers)) {
                Map.Entry<Long, Entry> first = queue(consumer.queue).firstEntry();
                if (first != null && consumer.credit > 0) {
                    queue(consumer.queue).remove(first.getKey());
                    consumer.deliver(first.getValue());
                    more = true;
                }
            }
        }
    }
}
