package dev.turnstone.transport.stomp;

import dev.turnstone.port.Address;
import dev.turnstone.port.Branches;
import dev.turnstone.port.CommitOutcome;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.HandOver;
import dev.turnstone.port.Message;
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
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Notes the commands that are flushed, and completes them at once or when the test says so. Any thread. */
final class ScriptedSession implements Session {
    private final Runnable wakeup;
    private final List<String> commands = new ArrayList<>();
    private final List<Message> sent = new ArrayList<>();
    private final List<Runnable> collected = new ArrayList<>();
    private final Deque<Completion> held = new ArrayDeque<>();
    private final Deque<Consumer<SessionListener>> events = new ArrayDeque<>();
    private boolean holding;
    private boolean writable = true;
    private boolean idle = true;
    private int flushes;

    ScriptedSession(Runnable wakeup) {
        this.wakeup = wakeup;
    }

    /** The commands posted so far. */
    synchronized List<String> commands() {
        return List.copyOf(commands);
    }

    synchronized List<Message> sent() {
        return List.copyOf(sent);
    }

    /** How often something was posted. */
    synchronized int flushes() {
        return flushes;
    }

    /** From now on completions wait for {@link #confirmHeld}. */
    synchronized void hold() {
        holding = true;
    }

    void confirmHeld() {
        synchronized (this) {
            holding = false;
            for (Completion completion : held) {
                events.add(listener -> completion.done());
            }
            held.clear();
        }
        wake();
    }

    void writable(boolean takesMore) {
        synchronized (this) {
            writable = takesMore;
            idle = idle || takesMore;
        }
        if (takesMore) {
            wake();
        }
    }

    void deliver(Delivery delivery) {
        synchronized (this) {
            events.add(listener -> listener.delivery(delivery));
        }
        wake();
    }

    /** How many deliveries and outcomes nobody has taken. */
    synchronized int waiting() {
        return events.size();
    }

    private void wake() {
        synchronized (this) {
            if (!idle) {
                return;
            }
            idle = false;
        }
        wakeup.run();
    }

    private synchronized void collect(String command, Completion completion) {
        collected.add(() -> {
            commands.add(command);
            if (holding) {
                held.add(completion);
            } else {
                events.add(listener -> completion.done());
            }
        });
    }

    @Override
    public void send(Send send, Completion completion) {
        collect(
                "send " + send.message().address() + " tx " + send.transaction()
                        + (send.dedup() == null ? "" : " " + send.dedup()),
                completion);
        synchronized (this) {
            collected.add(() -> sent.add(send.message()));
        }
    }

    @Override
    public void subscribe(Subscribe subscribe, Completion completion) {
        collect("subscribe " + subscribe.consumer() + " " + subscribe.address(), completion);
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
        synchronized (this) {
            collected.add(() -> commands.add("credit " + consumer + " " + messages));
        }
    }

    @Override
    public void settle(Settle settle, Completion completion) {
        collect(
                "settle " + settle.consumer() + " " + settle.first() + ".." + settle.last() + " " + settle.outcome()
                        + " tx " + settle.transaction(),
                completion);
    }

    @Override
    public void handOver(HandOver handOver, Completion completion) {
        collect("hand over " + handOver.consumer() + " " + handOver.first() + ".." + handOver.last(), completion);
    }

    @Override
    public void recall(int consumer, long lastSeen, Completion completion) {
        collect("recall " + consumer + " " + lastSeen, completion);
    }

    @Override
    public void unsubscribe(int consumer, long lastSeen, Completion completion) {
        collect("unsubscribe " + consumer + " " + lastSeen, completion);
    }

    @Override
    public void changeQueue(QueueChange change, Completion completion) {
        collect("change " + change.name(), completion);
    }

    @Override
    public void deleteSubscription(SubscriptionName subscription, Completion completion) {
        collect("delete " + subscription.clientId() + "/" + subscription.name(), completion);
    }

    @Override
    public void declareTemporary(Address temporary, Completion completion) {
        collect("declare " + temporary, completion);
    }

    @Override
    public void deleteTemporary(Address temporary, Completion completion) {
        collect("delete " + temporary, completion);
    }

    @Override
    public void deleteQueue(Address queue, Completion completion) {
        collect("delete " + queue, completion);
    }

    @Override
    public void changeState(List<StateChange> changes, long transaction, Completion completion) {
        throw new UnsupportedOperationException("STOMP keeps no protocol state");
    }

    @Override
    public void listState(StateQuery query, Consumer<StatePage> page, Completion completion) {
        throw new UnsupportedOperationException("STOMP keeps no protocol state");
    }

    @Override
    public void begin(long transaction, Completion completion) {
        collect("begin " + transaction, completion);
    }

    @Override
    public void commit(long transaction, Completion completion) {
        collect("commit " + transaction, completion);
    }

    @Override
    public void commit(long transaction, String commitId, Completion completion) {
        commit(transaction, completion);
    }

    @Override
    public void outcome(OutcomeQuery query, Consumer<CommitOutcome> answer, Completion completion) {
        throw new UnsupportedOperationException("STOMP does not ask for outcomes");
    }

    @Override
    public void rollback(long transaction, Completion completion) {
        collect("rollback " + transaction, completion);
    }

    @Override
    public Branches branches() {
        throw new UnsupportedOperationException("STOMP has no branches");
    }

    @Override
    public void sync(Completion completion) {
        collect("sync", completion);
    }

    @Override
    public void close(Completion completion) {
        collect("close", completion);
        flush();
    }

    @Override
    public void flush() {
        synchronized (this) {
            if (collected.isEmpty()) {
                return;
            }
            flushes++;
            List<Runnable> posted = List.copyOf(collected);
            collected.clear();
            posted.forEach(Runnable::run);
            if (events.isEmpty()) {
                return;
            }
        }
        wake();
    }

    @Override
    public synchronized boolean writable() {
        return writable;
    }

    @Override
    public int drain(SessionListener listener, int eventsMax) {
        int taken = 0;
        while (taken < eventsMax) {
            Consumer<SessionListener> event;
            synchronized (this) {
                event = events.poll();
                if (event == null) {
                    idle = true;
                    return taken;
                }
            }
            event.accept(listener);
            taken++;
        }
        return taken;
    }
}
