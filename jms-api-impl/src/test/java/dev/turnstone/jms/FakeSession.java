package dev.turnstone.jms;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Branches;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.CommitOutcome;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.HandOver;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.OutcomeQuery;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.Settle;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StatePage;
import dev.turnstone.port.StateQuery;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A session of the fake broker; does what the port says with one lock, the broker's. */
final class FakeSession implements Session {
    private final FakeBroker broker;
    private final Runnable wakeup;
    private final List<Runnable> collected = new ArrayList<>();
    private final ArrayDeque<java.util.function.Consumer<SessionListener>> due = new ArrayDeque<>();
    private final Map<Integer, Consumer> consumers = new HashMap<>();
    private final Map<Long, Transaction> transactions = new HashMap<>();
    private boolean silent;
    private boolean closed;
    private volatile boolean refused;

    FakeSession(FakeBroker broker, Runnable wakeup) {
        this.broker = broker;
        this.wakeup = wakeup;
    }

    private static final class Transaction {
        final List<Send> sends = new ArrayList<>();
        final List<FakeBroker.Entry> accepted = new ArrayList<>();
        final List<Consumer> acceptedBy = new ArrayList<>();

        @Nullable
        BrokerException refused;
    }

    final class Consumer {
        final int number;
        final String queue;
        int credit;
        private final TreeMap<Long, FakeBroker.Entry> unsettled = new TreeMap<>();
        private long delivered;

        Consumer(int number, String queue) {
            this.number = number;
            this.queue = queue;
        }

        void deliver(FakeBroker.Entry entry) {
            credit--;
            unsettled.put(++delivered, entry);
            int count = Math.max(1 + entry.attempts, entry.redelivered ? 2 : 1);
            Delivery delivery =
                    new Delivery(number, delivered, entry.position, entry.message, count, entry.redelivered);
            due(listener -> listener.delivery(delivery));
        }

        void giveBack(FakeBroker.Entry entry) {
            broker.queue(queue).put(entry.position, entry);
        }

        void end(BrokerException cause) {
            due(listener -> listener.consumerClosed(number, cause));
        }

        void recall(long lastSeen) {
            credit = 0;
            Map<Long, FakeBroker.Entry> unseen = unsettled.tailMap(lastSeen, false);
            unseen.values().forEach(this::giveBack);
            unseen.clear();
        }
    }

    void due(java.util.function.Consumer<SessionListener> event) {
        due.add(event);
        if (!silent) {
            silent = true;
            wakeup.run();
        }
    }

    private void collect(String text, Completion completion, Supplier<@Nullable BrokerException> effect) {
        collect(NO_TRANSACTION, text, completion, effect);
    }

    private void collect(
            long transaction, String text, Completion completion, Supplier<@Nullable BrokerException> effect) {
        collected.add(() -> {
            broker.commands.add(text);
            BrokerException told = broker.takeRefusal();
            BrokerException refusal = told == null ? effect.get() : told;
            if (refusal != null && transaction != NO_TRANSACTION) {
                transactions.get(transaction).refused = refusal;
            }
            broker.confirm(this, completion, refusal);
        });
    }

    @Override
    public void send(Send send, Completion completion) {
        String text = "send " + send.message().text() + inTransaction(send.transaction());
        collect(send.transaction(), text, completion, () -> {
            if (send.transaction() == NO_TRANSACTION) {
                broker.route(send.message());
                return null;
            }
            transactions.get(send.transaction()).sends.add(send);
            return null;
        });
    }

    private static String inTransaction(long transaction) {
        return transaction == NO_TRANSACTION ? "" : " in " + transaction;
    }

    @Override
    public void subscribe(Subscribe subscribe, Completion completion) {
        collect("subscribe " + subscribe.consumer() + " to " + subscribe.address(), completion, () -> {
            if ("bad".equals(subscribe.selector())) {
                return new BrokerException(ErrorCode.INVALID_SELECTOR, "a bad selector");
            }
            SubscriptionName name = subscribe.subscription();
            String queue = subscribe.address().toString();
            if (name != null) {
                queue = FakeBroker.durable(subscribe.address(), name);
            } else if (subscribe.address().kind() == AddressKind.TOPIC) {
                queue += "::" + System.identityHashCode(this) + "/" + subscribe.consumer();
            }
            broker.queue(queue);
            Consumer consumer = new Consumer(subscribe.consumer(), queue);
            consumers.put(consumer.number, consumer);
            broker.consumers.add(consumer);
            return null;
        });
    }

    @Override
    public void keepsDeliveries() {
        // It gives whatever there is credit for.
    }

    @Override
    public void taken(int consumer, long bytes) {
        // It gives whatever there is credit for.
    }

    @Override
    public void credit(int consumer, int messages) {
        collected.add(() -> {
            broker.commands.add("credit " + consumer + " " + messages);
            consumers.get(consumer).credit += messages;
            broker.dispatch();
        });
    }

    @Override
    public void settle(Settle settle, Completion completion) {
        String text = "settle " + settle.consumer() + " " + settle.first() + ".." + settle.last() + " "
                + settle.outcome() + inTransaction(settle.transaction());
        collect(settle.transaction(), text, completion, () -> {
            Consumer consumer = consumers.get(settle.consumer());
            Map<Long, FakeBroker.Entry> range = consumer.unsettled.subMap(settle.first(), true, settle.last(), true);
            if (range.isEmpty()) {
                return new BrokerException(ErrorCode.NO_SUCH_DELIVERY, text);
            }
            range.values().forEach(entry -> settle(consumer, entry, settle));
            range.clear();
            broker.dispatch();
            return null;
        });
    }

    private void settle(Consumer consumer, FakeBroker.Entry entry, Settle settle) {
        if (settle.transaction() != NO_TRANSACTION) {
            transactions.get(settle.transaction()).accepted.add(entry);
            transactions.get(settle.transaction()).acceptedBy.add(consumer);
        } else if (settle.outcome() == Outcome.MODIFIED) {
            entry.attempts++;
            entry.redelivered = true;
            consumer.giveBack(entry);
        } else if (settle.outcome() == Outcome.RELEASED) {
            consumer.giveBack(entry);
        }
    }

    @Override
    public void handOver(HandOver handOver, Completion completion) {
        collect(
                "hand over " + handOver.consumer() + " " + handOver.first() + ".." + handOver.last(),
                completion,
                () -> {
                    Consumer from = consumers.get(handOver.consumer());
                    FakeSession to = (FakeSession) handOver.to();
                    Consumer inlet = to.new Consumer(handOver.inlet(), from.queue);
                    to.consumers.put(inlet.number, inlet);
                    Map<Long, FakeBroker.Entry> range =
                            from.unsettled.subMap(handOver.first(), true, handOver.last(), true);
                    range.values().forEach(inlet::deliver);
                    range.clear();
                    return null;
                });
    }

    @Override
    public void recall(int consumer, long lastSeen, Completion completion) {
        collect("recall " + consumer + " after " + lastSeen, completion, () -> {
            consumers.get(consumer).recall(lastSeen);
            return null;
        });
    }

    @Override
    public void unsubscribe(int consumer, long lastSeen, Completion completion) {
        collect("unsubscribe " + consumer + " after " + lastSeen, completion, () -> {
            consumers.get(consumer).recall(lastSeen);
            broker.consumers.remove(consumers.get(consumer));
            broker.dispatch();
            return null;
        });
    }

    @Override
    public void changeQueue(QueueChange change, Completion completion) {
        throw new UnsupportedOperationException("JMS has no such queues");
    }

    @Override
    public void deleteSubscription(SubscriptionName subscription, Completion completion) {
        collect("delete " + subscription.name(), completion, () -> {
            boolean known = broker.queues
                    .keySet()
                    .removeIf(queue -> queue.endsWith("::" + subscription.clientId() + "/" + subscription.name()));
            return known ? null : new BrokerException(ErrorCode.NO_SUCH_SUBSCRIPTION, "none: " + subscription.name());
        });
    }

    @Override
    public void declareTemporary(Address temporary, Completion completion) {
        collect("declare " + temporary, completion, () -> null);
    }

    @Override
    public void deleteTemporary(Address temporary, Completion completion) {
        collect("delete " + temporary, completion, () -> null);
    }

    @Override
    public void deleteQueue(Address queue, Completion completion) {
        collect("delete " + queue, completion, () -> null);
    }

    @Override
    public void changeState(List<StateChange> changes, long transaction, Completion completion) {
        throw new UnsupportedOperationException("JMS keeps no protocol state");
    }

    @Override
    public void listState(StateQuery query, java.util.function.Consumer<StatePage> page, Completion completion) {
        throw new UnsupportedOperationException("JMS keeps no protocol state");
    }

    @Override
    public void begin(long transaction, Completion completion) {
        collect("begin " + transaction, completion, () -> {
            transactions.put(transaction, new Transaction());
            return null;
        });
    }

    @Override
    public void commit(long transaction, Completion completion) {
        collected.add(() -> {
            broker.commands.add("commit " + transaction);
            BrokerException told = broker.takeRefusal();
            Transaction unit = transactions.remove(transaction);
            BrokerException refusal = told == null ? unit.refused : told;
            if (refusal == null) {
                unit.sends.forEach(send -> broker.route(send.message()));
            } else {
                undo(unit);
            }
            broker.confirm(this, completion, refusal);
        });
    }

    @Override
    public void commit(long transaction, String commitId, Completion completion) {
        commit(transaction, completion);
    }

    @Override
    public void outcome(OutcomeQuery query, java.util.function.Consumer<CommitOutcome> answer, Completion completion) {
        throw new UnsupportedOperationException("JMS does not ask for outcomes");
    }

    @Override
    public void rollback(long transaction, Completion completion) {
        collect("rollback " + transaction, completion, () -> {
            undo(transactions.remove(transaction));
            return null;
        });
    }

    private void undo(Transaction unit) {
        for (int i = 0; i < unit.accepted.size(); i++) {
            unit.accepted.get(i).attempts++;
            unit.accepted.get(i).redelivered = true;
            unit.acceptedBy.get(i).giveBack(unit.accepted.get(i));
        }
        broker.dispatch();
    }

    @Override
    public Branches branches() {
        throw new UnsupportedOperationException("the fake has no branches");
    }

    @Override
    public void sync(Completion completion) {
        collect("sync", completion, () -> null);
    }

    @Override
    public void close(Completion completion) {
        if (!closed) {
            closed = true;
            collect("close", completion, () -> {
                for (Consumer consumer : consumers.values()) {
                    broker.consumers.remove(consumer);
                    consumer.unsettled.values().forEach(entry -> entry.redelivered = true);
                    consumer.recall(0);
                }
                broker.dispatch();
                return null;
            });
            flush();
        }
    }

    @Override
    public void flush() {
        synchronized (broker) {
            refused = !closed && broker.refusesPost();
            if (!refused) {
                collected.forEach(Runnable::run);
                collected.clear();
            }
        }
    }

    void wakeIfRefused() {
        if (refused) {
            wakeup.run();
        }
    }

    @Override
    public boolean writable() {
        return !refused;
    }

    @Override
    public int drain(SessionListener listener, int eventsMax) {
        if (refused) {
            flush();
        }
        int events = 0;
        while (events < eventsMax) {
            java.util.function.Consumer<SessionListener> event;
            synchronized (broker) {
                event = due.poll();
                if (event == null) {
                    silent = false;
                    break;
                }
            }
            event.accept(listener);
            events++;
        }
        return events;
    }
}
