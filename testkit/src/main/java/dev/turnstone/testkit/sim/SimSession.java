package dev.turnstone.testkit.sim;

import dev.turnstone.port.Address;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.QueueChange;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.port.SubscriptionQueue;
import dev.turnstone.testkit.model.Box;
import dev.turnstone.testkit.model.Holding;
import dev.turnstone.testkit.model.Ledger;
import dev.turnstone.testkit.model.Producer;
import dev.turnstone.testkit.model.Sent;
import dev.turnstone.testkit.model.SessionState;
import dev.turnstone.testkit.model.Stream;
import dev.turnstone.testkit.model.Unit;
import dev.turnstone.testkit.model.View;
import dev.turnstone.testkit.model.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A session of the port whose every command and event goes through the ledger as well. */
final class SimSession {
    private static final Set<ErrorCode> NO_DELIVERY = Set.of(ErrorCode.NO_SUCH_DELIVERY, ErrorCode.NO_SUCH_CONSUMER);
    private static final Set<ErrorCode> TOO_LARGE = Set.of(ErrorCode.TRANSACTION_TOO_LARGE);
    private static final int ALL = 1_000_000;

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
    private final SessionState state;
    private final Arrivals arrivals;
    final SimUnits units;
    final SimBranches branches;
    private Life life = Life.OPEN;
    private boolean woken;

    SimSession(Function<Runnable, Session> open, Producer producer, Ledger ledger, Trace trace, Carried carried) {
        this.carried = carried;
        this.port = open.apply(() -> woken = true);
        this.ledger = ledger;
        this.trace = trace;
        this.units = new SimUnits(this, port, ledger, carried);
        this.branches = new SimBranches(this, port.branches(), ledger, carried.prepared);
        this.state = new SessionState(producer, new ArrayList<>(), new LinkedHashSet<>(), units.all());
        SimBodies bodies = new SimBodies(port.bodies(), this::command, carried.contents);
        this.arrivals = new Arrivals(this, ledger, trace, carried.contents, bodies, state.holdings());
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

    /** True if it waits for room, with all that it has asked for since. */
    boolean isBlocked() {
        Command first = line.first();
        return first != null && (first.waits() || carried.memoryFull());
    }

    /** Checks that no command waits for its outcome and nothing keeps it from sending. */
    void mustBeIdle(long nowMs) {
        if (isBlocked()) {
            return;
        }
        if (!line.isEmpty()) {
            throw new Violation(Violation.Promise.PROGRESS, "no outcome comes for: " + line.first());
        }
        if (!open()) {
            return;
        }
        arrivals.rest(nowMs);
        if (!port.writable()) {
            throw new Violation(Violation.Promise.PROGRESS, this + " stays unwritable");
        }
    }

    List<SimConsumer> consumers() {
        return arrivals.consumers();
    }

    Collection<Stream> streams() {
        return state.streams();
    }

    /** How many commands it has given. */
    long commandCount() {
        return line.count();
    }

    Command command(String what) {
        return line.add(this + " " + what, trace);
    }

    /** Sends a message, with its id as identity if it must not be stored twice, and with a mark of its effect. */
    void send(Message message, Sent.Content content, long transaction, boolean once, boolean marked) {
        carried.contents.add(message);
        Command command = command("send " + content.id() + in(transaction) + " to " + content.address());
        Unit unit = units.find(transaction);
        Sent sent = ledger.send(content, state.producer(), unit, line.count());
        if (marked) {
            carried.marks.add(sent);
        }
        if (message.retain()) {
            ledger.retained().add(sent);
        }
        if (unit == null) {
            mayLackRoom(sent, content.address(), command);
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
            command.mayRefuse(SimUnits.REFUSED, () -> {});
        }
        Send send = new Send(message, transaction).with(once ? DedupId.of(content.id()) : null);
        port.send(marked ? send.with(List.of(Carried.mark(content.id()))) : send, command);
    }

    private void mayLackRoom(Sent sent, Address address, Command command) {
        if (carried.fullMemory) {
            command.mayRefuse(Set.of(ErrorCode.LIMIT_EXCEEDED), sent::isRefused);
        }
        if (address.equals(Features.TIGHT)) {
            command.mayRefuse(Set.of(ErrorCode.QUEUE_FULL), () -> ledger.sendRefused(sent));
        } else if (address.equals(Features.BLOCKED)) {
            command.mayWait(sent::mayHaveToWait);
        }
    }

    /** Sends a message again that took effect: it is confirmed, and nothing else happens. */
    void sendAgain(Message message) {
        Command command = command("sends " + message.id() + " again");
        if (carried.fullMemory) {
            command.mayRefuse(Set.of(ErrorCode.LIMIT_EXCEEDED), () -> {});
        }
        port.send(Send.of(message).with(DedupId.of(String.valueOf(message.id()))), command);
    }

    /** Sends one message more than a transaction may. */
    void sendTooMany(Message message, long transaction) {
        units.get(transaction).refuse();
        port.send(
                new Send(message, transaction),
                command("send too many" + in(transaction)).mustRefuse(TOO_LARGE, () -> {}));
    }

    /** Sends a message in a branch of another session, which this one has joined under a number. */
    void helpWith(Message message, Sent.Content content, Unit unit, Producer producer, long number) {
        carried.contents.add(message);
        ledger.send(content, producer, unit, line.count());
        port.send(
                new Send(message, number),
                branches.ofHelper("helps with " + content.id() + in(number) + " to " + content.address(), () -> {}));
    }

    private static String in(long transaction) {
        return transaction == Session.NO_TRANSACTION ? "" : " in " + transaction;
    }

    SimConsumer subscribe(Subscribe subscribe, Stream stream) {
        SimConsumer consumer = new SimConsumer(subscribe.consumer(), stream, subscribe.address());
        arrivals.add(consumer);
        state.streams().add(stream);
        port.subscribe(
                subscribe,
                command("subscribe " + stream + ", " + subscribe.selector()).whenDone(() -> ledger.confirmed(stream)));
        return consumer;
    }

    /** The number of another consumer. */
    int nextConsumer() {
        return arrivals.nextConsumer();
    }

    /** Somebody is to be shown all that there is, and consumes nothing. */
    void view(Subscribe subscribe, View view) {
        arrivals.add(subscribe.consumer(), view);
        port.subscribe(subscribe, command("is " + view + " as " + subscribe.consumer() + ", " + subscribe.selector()));
        port.credit(subscribe.consumer(), ALL);
    }

    /** True if it looks at something without consuming. */
    boolean looks() {
        return arrivals.hasViews();
    }

    /** Something was shown: whoever reads says that it has done so, which changes nothing for others. */
    void looked(Delivery delivery, View view) {
        if (open() && !view.browses()) {
            port.settle(
                    Settle.one(delivery, Outcome.ACCEPTED),
                    command("has read " + delivery.message().id()));
        }
    }

    /** A browser has seen everything. */
    void hasLooked(int browser) {
        if (open()) {
            port.unsubscribe(browser, 0, command("ends its browser " + browser));
        }
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
        Unit unit = units.find(transaction);
        // Nothing is moved out of where it was moved to: it has failed there.
        boolean stays = outcome == Outcome.REJECTED && Features.isForMoved(consumer.address);
        Outcome effect = stays ? Outcome.MODIFIED : outcome;
        ledger.settle(range, effect, unit);
        if (unit == null) {
            command.whenDone(() -> ledger.settled(range, effect));
        } else if (unit.isRefused()) {
            command.mayRefuse(SimUnits.REFUSED, () -> {});
        }
        port.settle(new Settle(consumer.number, first, last, outcome, transaction), command);
    }

    /** Settles what does not exist; a transaction can then not commit. */
    void settleWrongly(int consumer, long number, long transaction) {
        Unit unit = units.find(transaction);
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

    /** Makes a queue that subscribes by filters, or finds that it is there. */
    void declare(SubscriptionQueue queue, Box box) {
        port.changeQueue(
                new QueueChange.Declare(queue),
                command("declares " + box)
                        .whenDone(box::confirmed)
                        // Whoever has made it may not know it yet, nor the disk.
                        .mayRefuse(Set.of(ErrorCode.SUBSCRIPTION_IN_USE), () -> revise(queue, box)));
    }

    private void revise(SubscriptionQueue queue, Box box) {
        if (open()) {
            port.changeQueue(
                    new QueueChange.Revise(queue), command("revises " + box).whenDone(box::confirmed));
        }
    }

    /** Changes a filter of such a queue; there may be none to remove. */
    void changeFilter(QueueChange change, Box box, Address topic) {
        boolean adds = change instanceof QueueChange.AddFilter;
        ledger.changing(box, topic);
        Command command =
                command((adds ? "adds " : "removes ") + topic + " of " + box).whenDone(() -> box.changed(topic, adds));
        if (!adds) {
            command.mayRefuse(Set.of(ErrorCode.NO_SUCH_SUBSCRIPTION), () -> box.changed(topic, false));
        }
        port.changeQueue(change, command);
    }

    /** True if the outcome of a command is open. */
    boolean waits() {
        return !line.isEmpty();
    }

    void deleteSubscription(SubscriptionName name, Box box) {
        Command command = command("deletes " + box);
        ledger.delete(name, box, state.producer());
        port.deleteSubscription(name, command.whenDone(() -> ledger.deleted(name, box)));
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
        int taken = port.drain(arrivals, eventsMax);
        if (taken > eventsMax) {
            throw new Violation(Violation.Promise.CREDIT, taken + " events in place of " + eventsMax);
        }
        woken |= taken == eventsMax;
        state.holdings().removeIf(Holding::isOver);
        return taken;
    }

    @Override
    public String toString() {
        return "session " + state.producer().session();
    }
}
