package dev.turnstone.testkit.sim;

import dev.turnstone.port.BranchId;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.testkit.model.Box;
import dev.turnstone.testkit.model.Holding;
import dev.turnstone.testkit.model.Ledger;
import dev.turnstone.testkit.model.Producer;
import dev.turnstone.testkit.model.Sent;
import dev.turnstone.testkit.model.SessionState;
import dev.turnstone.testkit.model.Stream;
import dev.turnstone.testkit.model.Unit;
import dev.turnstone.testkit.model.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A session of the port whose every command and event goes through the ledger as well. */
final class SimSession implements SessionListener {
    private static final Set<ErrorCode> NO_DELIVERY = Set.of(ErrorCode.NO_SUCH_DELIVERY, ErrorCode.NO_SUCH_CONSUMER);
    private static final Set<ErrorCode> TOO_LARGE = Set.of(ErrorCode.TRANSACTION_TOO_LARGE);
    /** Why a transaction may be refused that did something wrong. */
    private static final Set<ErrorCode> REFUSED =
            Set.of(ErrorCode.NO_SUCH_DELIVERY, ErrorCode.NO_SUCH_CONSUMER, ErrorCode.TRANSACTION_TOO_LARGE);

    private enum Life {
        OPEN,
        CLOSING,
        OVER
    }

    private final Session port;
    private final Ledger ledger;
    private final Trace trace;
    private final Carried carried;
    private final CommandLine line = new CommandLine();
    private final Map<Integer, SimConsumer> consumers = new LinkedHashMap<>();
    private final Map<Long, Unit> units = new LinkedHashMap<>();
    private final SessionState state;
    final SimBranches branches;
    private String connectionId = "";
    private Life life = Life.OPEN;
    private boolean woken;

    SimSession(Function<Runnable, Session> open, Producer producer, Ledger ledger, Trace trace, Carried carried) {
        this.carried = carried;
        this.port = open.apply(() -> woken = true);
        this.ledger = ledger;
        this.trace = trace;
        this.branches = new SimBranches(this, port.branches(), ledger, carried.prepared);
        this.state = new SessionState(producer, new ArrayList<>(), new LinkedHashSet<>(), units.values());
    }

    /** The broker's name of its connection. */
    void on(String connection) {
        connectionId = connection;
    }

    Producer producer() {
        return state.producer();
    }

    /** True until its end was asked for. */
    boolean open() {
        return life == Life.OPEN;
    }

    boolean over() {
        return life == Life.OVER;
    }

    boolean writable() {
        return port.writable();
    }

    /** Checks that no command waits for its outcome and nothing keeps it from sending. */
    void mustBeIdle() {
        if (!line.isEmpty()) {
            throw new Violation(Violation.Promise.PROGRESS, "no outcome comes for: " + line.first());
        }
        if (open() && !port.writable()) {
            throw new Violation(Violation.Promise.PROGRESS, this + " stays unwritable");
        }
    }

    List<SimConsumer> consumers() {
        return List.copyOf(consumers.values());
    }

    Collection<Stream> streams() {
        return state.streams();
    }

    /** Open transactions by number. */
    List<Long> transactions() {
        return units.entrySet().stream()
                .filter(unit -> unit.getValue().isOpen())
                .map(Map.Entry::getKey)
                .toList();
    }

    Command command(String what) {
        return line.add(this + " " + what, trace);
    }

    /** Sends a message, with its id as identity if it must not be stored twice, and with a mark of its effect. */
    void send(Message message, Sent.Content content, long transaction, boolean once, boolean marked) {
        carried.contents.add(message);
        Command command = command("send " + content.id() + in(transaction) + " to " + content.address());
        Unit unit = units.get(transaction);
        Sent sent = ledger.send(content, state.producer(), unit, line.count());
        if (marked) {
            carried.marks.add(sent);
        }
        if (unit == null) {
            if (content.address().equals(Features.TIGHT)) {
                command.mayRefuse(Set.of(ErrorCode.QUEUE_FULL), () -> ledger.sendRefused(sent));
            }
            int full = carried.full();
            command.whenDone(() -> {
                if (content.persistent() && full != 0 && full == carried.full()) {
                    throw new Violation(Violation.Promise.ROOM, sent + " was confirmed while the disk is full");
                }
                ledger.sendDone(sent);
                if (once && content.persistent()) {
                    carried.repeatable.add(message);
                }
            });
        } else if (unit.isRefused()) {
            command.mayRefuse(REFUSED, () -> {});
        }
        Send send = new Send(message, transaction).with(once ? DedupId.of(content.id()) : null);
        port.send(marked ? send.with(List.of(Carried.mark(content.id()))) : send, command);
    }

    /** Sends a message again that took effect: it is confirmed, and nothing else happens. */
    void sendAgain(Message message) {
        Command command = command("sends " + message.id() + " again");
        port.send(Send.of(message).with(DedupId.of(String.valueOf(message.id()))), command);
    }

    /** Sends one message more than a transaction may. */
    void sendTooMany(Message message, long transaction) {
        unit(transaction).refuse();
        port.send(
                new Send(message, transaction),
                command("send too many" + in(transaction)).mustRefuse(TOO_LARGE, () -> {}));
    }

    /** How many messages the transaction would send. */
    int sendCount(long transaction) {
        return unit(transaction).sendCount();
    }

    private static String in(long transaction) {
        return transaction == Session.NO_TRANSACTION ? "" : " in " + transaction;
    }

    SimConsumer subscribe(Subscribe subscribe, Stream stream) {
        SimConsumer consumer = new SimConsumer(subscribe.consumer(), stream, subscribe.address());
        consumers.put(consumer.number, consumer);
        state.streams().add(stream);
        port.subscribe(
                subscribe,
                command("subscribe " + stream + ", " + subscribe.selector()).whenDone(() -> ledger.confirmed(stream)));
        return consumer;
    }

    int nextConsumer() {
        return consumers.size() + 1;
    }

    void credit(SimConsumer consumer, int messages) {
        trace.add(this + " credit " + messages + " to " + consumer.number);
        ledger.credit(consumer.stream, messages);
        port.credit(consumer.number, messages);
    }

    /** The application sees the next deliveries. */
    void see(SimConsumer consumer, int count) {
        for (Holding holding : consumer.unseen()) {
            if (count-- == 0) {
                return;
            }
            trace.add(this + " sees " + holding);
            consumer.see(holding);
            ledger.seen(holding);
        }
    }

    /** Settles the held deliveries of a range with its ends. */
    void settle(SimConsumer consumer, List<Holding> range, Outcome outcome, long transaction) {
        long first = range.get(0).number();
        long last = range.get(range.size() - 1).number();
        Command command =
                command("settles " + consumer.number + "#" + first + ".." + last + " " + outcome + in(transaction));
        Unit unit = units.get(transaction);
        ledger.settle(range, outcome, unit);
        carried.rejected |= outcome == Outcome.REJECTED;
        if (unit == null) {
            command.whenDone(() -> ledger.settled(range, outcome));
        } else if (unit.isRefused()) {
            command.mayRefuse(REFUSED, () -> {});
        }
        port.settle(new Settle(consumer.number, first, last, outcome, transaction), command);
    }

    /** Settles what does not exist; a transaction can then not commit. */
    void settleWrongly(int consumer, long number, long transaction) {
        Unit unit = units.get(transaction);
        if (unit != null) {
            unit.refuse();
        }
        port.settle(
                new Settle(consumer, number, number, Outcome.ACCEPTED, transaction),
                command("settles wrongly " + consumer + "#" + number + in(transaction))
                        .mustRefuse(NO_DELIVERY, () -> {}));
    }

    void recall(SimConsumer consumer) {
        long lastSeen = consumer.lastSeen();
        Command command = command("recalls " + consumer.number + " after " + lastSeen);
        List<Holding> holdings = List.copyOf(consumer.holdings());
        ledger.recall(consumer.stream, lastSeen, holdings, false);
        port.recall(
                consumer.number,
                lastSeen,
                command.whenDone(() -> ledger.recalled(consumer.stream, lastSeen, holdings, false)));
    }

    void unsubscribe(SimConsumer consumer) {
        long lastSeen = consumer.lastSeen();
        Command command = command("ends " + consumer.number + " after " + lastSeen);
        consumer.ended = true;
        List<Holding> holdings = List.copyOf(consumer.holdings());
        ledger.recall(consumer.stream, lastSeen, holdings, true);
        port.unsubscribe(
                consumer.number,
                lastSeen,
                command.whenDone(() -> ledger.recalled(consumer.stream, lastSeen, holdings, true)));
    }

    void deleteSubscription(SubscriptionName name, Box box) {
        Command command = command("deletes " + box);
        ledger.delete(name, box, state.producer());
        port.deleteSubscription(name, command.whenDone(() -> ledger.deleted(name, box)));
    }

    /** A transaction begins: a branch of a global one if there is an identifier. */
    void begin(@Nullable BranchId branch) {
        long transaction = line.count() + 1;
        units.put(transaction, ledger.begin(this + "/" + transaction));
        if (branch == null) {
            port.begin(transaction, command("begins " + transaction));
        } else {
            branches.start(transaction, branch);
        }
    }

    /** How many commands it has given. */
    long commandCount() {
        return line.count();
    }

    void endBranch(long transaction, SimBranches.Ending how) {
        branches.end(transaction, unit(transaction), how);
    }

    void committed(long transaction, Unit unit) {
        units.remove(transaction);
        ledger.committed(unit);
    }

    /** Commits, under an identifier by which its outcome can be asked for if there is one. */
    void commit(long transaction, @Nullable String commitId) {
        Command command = command("commits " + transaction);
        Unit unit = unit(transaction);
        if (unit.isRefused()) {
            ledger.rollback(unit);
            command.mustRefuse(REFUSED, () -> rolledBack(transaction, unit));
        } else {
            ledger.commit(unit, line.count());
            command.whenDone(() -> committed(transaction, unit));
        }
        if (commitId == null) {
            port.commit(transaction, command);
            return;
        }
        if (!unit.isRefused()) {
            carried.commits(unit, commitId, connectionId);
        }
        port.commit(transaction, commitId, command);
    }

    void rollback(long transaction) {
        Unit unit = unit(transaction);
        ledger.rollback(unit);
        port.rollback(transaction, command("rolls back " + transaction).whenDone(() -> rolledBack(transaction, unit)));
    }

    void rolledBack(long transaction, Unit unit) {
        units.remove(transaction);
        ledger.rolledBack(unit);
    }

    /** Asks for the outcome of a transaction that does not exist. */
    void commitWrongly() {
        port.commit(
                Long.MAX_VALUE, command("commits wrongly").mustRefuse(Set.of(ErrorCode.NO_SUCH_TRANSACTION), () -> {}));
    }

    private Unit unit(long transaction) {
        Unit unit = units.get(transaction);
        if (unit == null) {
            throw new IllegalStateException("no transaction " + transaction);
        }
        return unit;
    }

    void sync() {
        port.sync(command("syncs"));
    }

    void flush() {
        port.flush();
    }

    void close() {
        losing();
        port.close(command("closes").whenDone(this::lost));
    }

    /** Its connection is about to go, or the broker is gone. */
    void losing() {
        life = life == Life.OVER ? Life.OVER : Life.CLOSING;
        ledger.losing(state);
    }

    void lost() {
        if (life != Life.OVER) {
            life = Life.OVER;
            ledger.lost(state);
        }
    }

    /** Takes at most so many events, if the broker said that there are some; says how many there were. */
    int drain(int eventsMax) {
        if (!woken || life == Life.OVER) {
            return 0;
        }
        // Before the drain: the wake-up for what it does not find may come at once.
        woken = false;
        int taken = port.drain(this, eventsMax);
        if (taken > eventsMax) {
            throw new Violation(Violation.Promise.CREDIT, taken + " events in place of " + eventsMax);
        }
        woken |= taken == eventsMax;
        state.holdings().removeIf(Holding::isOver);
        return taken;
    }

    @Override
    public void delivery(Delivery delivery) {
        trace.add(this + " gets " + delivery.consumer() + "#" + delivery.number() + " at " + delivery.position()
                + (delivery.redelivered() ? " flagged" : "") + " count " + delivery.deliveryCount() + ": "
                + delivery.message().id());
        SimConsumer consumer = consumers.get(delivery.consumer());
        if (consumer == null) {
            throw new Violation(Violation.Promise.ROUTING, delivery + " came to no consumer of " + this);
        }
        carried.contents.check(delivery);
        @Nullable Holding holding = ledger.delivered(consumer.stream, delivery);
        if (holding != null) {
            consumer.add(holding);
            state.holdings().add(holding);
        }
    }

    @Override
    public void consumerClosed(int consumer, BrokerException cause) {
        throw new Violation(Violation.Promise.REFUSAL, "consumer " + consumer + " of " + this + " was ended: " + cause);
    }

    @Override
    public String toString() {
        return "session " + state.producer().session();
    }
}
