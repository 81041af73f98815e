package dev.turnstone.testkit.model;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was asked of a broker and everything that it showed. The driver tells each command when it is given
 * and again when its outcome comes or its session is lost; deliveries are checked as they come. What a crash or a loss
 * leaves in doubt, later deliveries decide; an {@link Audit} decides the rest.
 */
public final class Ledger {
    private static final long UNIT_SENDS_MAX = 10_000;

    private final Map<String, Sent> messages = new HashMap<>();
    private final Map<Address, Box> queues = new LinkedHashMap<>();
    private final List<Box> subscriptions = new ArrayList<>();
    private final List<Unit> units = new ArrayList<>();
    private final Map<SubscriptionName, Producer> deleting = new HashMap<>();
    private final Tally tally = new Tally();
    private final Positions positions = new Positions();
    private final int overFlagsPerCrash;
    private final Rules rules;
    private final LongSupplier clock;
    private final DeadLetters dead;
    private final Retained retained = new Retained(tally);

    /**
     * A ledger for a broker that has nothing.
     *
     * @param overFlagsPerCrash by how many entries at most its dispatch mark runs ahead
     * @param rules what is set for addresses
     * @param clock the broker's
     */
    public Ledger(int overFlagsPerCrash, Rules rules, LongSupplier clock) {
        this.overFlagsPerCrash = overFlagsPerCrash;
        this.rules = rules;
        this.clock = clock;
        this.dead = new DeadLetters(rules, tally);
    }

    /** What was seen so far. */
    public Tally tally() {
        return tally;
    }

    /** What topics retain. */
    public Retained retained() {
        return retained;
    }

    /** The queue's box. */
    public Box queue(Address address) {
        return queues.computeIfAbsent(
                address, queue -> new Box(queue, null, rules.of(queue), rules.beginsWithUse(queue)));
    }

    /** The queues that were used. */
    public Collection<Address> queues() {
        return List.copyOf(queues.keySet());
    }

    /** The durable subscription with this name that is there, or may be; null if there is none. */
    public @Nullable Box durable(SubscriptionName name) {
        for (Box box : subscriptions) {
            if (box.state != Box.State.GONE && box.filter != null && name.equals(box.filter.name())) {
                return box;
            }
        }
        return null;
    }

    /** True while the deletion of a durable subscription was asked for and may still take effect. */
    public boolean isDeleting(SubscriptionName name) {
        return deleting.containsKey(name);
    }

    /** A new subscription is asked for. */
    public Box subscription(Address topic, Box.Filter filter) {
        Box box = new Box(topic, filter, Traits.NONE, true);
        subscriptions.add(box);
        mayTake(box);
        return box;
    }

    /** A queue that subscribes by filters is asked for; it has none yet. */
    public Box subscriptionQueue(SubscriptionName name, Producer owner) {
        return subscription(Address.subscription(name), new Box.Filter(name, owner, null, false, new Filters()));
    }

    /** A filter of such a queue, or its end, is asked for. */
    public void changing(Box box, Address topic) {
        box.filters().asked(topic);
        mayTake(box);
    }

    /** What was given already reaches the broker before a change or after it. */
    private void mayTake(Box box) {
        for (Sent sent : messages.values()) {
            if (sent.effectGiven() && sent.pending && sent.state == Sent.State.GIVEN && box.takes(sent)) {
                Entry entry = box.entry(sent);
                (entry == null ? box.add(sent, false) : entry).member = false;
            }
        }
    }

    /** A consumer is asked for, at the broker's time. */
    public Stream stream(Box box, Producer session, int consumer, @Nullable String kind, long nowMs) {
        box.selective |= kind != null;
        return new Stream(box, session, consumer, kind, nowMs);
    }

    /** A consumer was confirmed, and with it its subscription. */
    public void confirmed(Stream stream) {
        stream.live = !stream.ending;
        retained.confirmed(stream.box);
        stream.box.confirmed();
    }

    /** A transaction was begun. */
    public Unit begin(String name) {
        Unit unit = new Unit(name, tally);
        units.add(unit);
        return unit;
    }

    /** A message is given; the command is numbered among the producer's. */
    public Sent send(Sent.Content content, Producer producer, @Nullable Unit unit, long command) {
        Sent sent = new Sent(content, producer, unit);
        messages.put(content.id(), sent);
        if (unit == null) {
            effect(sent, command * UNIT_SENDS_MAX);
        } else {
            unit.sends.add(sent);
        }
        return sent;
    }

    private void effect(Sent sent, long order) {
        sent.order = order;
        Address address = sent.content.address();
        if (address.kind() == AddressKind.QUEUE) {
            queue(address).add(sent, true);
        }
        rules.copies()
                .getOrDefault(address, List.of())
                .forEach(to -> queue(to).add(sent, queue(to).isLive()));
        for (Box box : subscriptions) {
            if (box.state != Box.State.GONE && box.takes(sent)) {
                box.add(sent, box.takesForSure(sent));
            }
        }
    }

    /** A send outside of transactions was confirmed. */
    public void sendDone(Sent sent) {
        sent.state = Sent.State.DONE;
        sent.pending = false;
    }

    /** A send was refused. */
    public void sendRefused(Sent sent) {
        sent.isRefused();
        Fullness.refuse(sent, tally);
        if (sent.unit != null) {
            sent.unit.sends.remove(sent);
        }
    }

    /** Commit is asked for; the command is numbered among the producer's. */
    public void commit(Unit unit, long command) {
        unit.state = Unit.State.COMMITTING;
        long place = command * UNIT_SENDS_MAX;
        for (Sent sent : unit.sends) {
            effect(sent, place++);
        }
    }

    /** Commit was confirmed. */
    public void committed(Unit unit) {
        unit.effective("its commit was confirmed");
        unit.confirmed = true;
        tally.saw(Sight.COMMIT);
        unit.sends.forEach(sent -> sent.pending = false);
    }

    /** Rollback is asked for. */
    public void rollback(Unit unit) {
        unit.undone("it was rolled back");
        unit.askedMs = clock.getAsLong();
        for (Holding holding : unit.settles) {
            holding.state = Holding.State.RETURNING;
            holding.entry.returns(true, unit);
            holding.entry.past.attemptsMax++;
        }
    }

    /** Rollback was confirmed. */
    public void rolledBack(Unit unit) {
        tally.saw(unit.isRefused() ? Sight.REFUSED_COMMIT : Sight.ROLLBACK);
        for (Holding holding : unit.settles) {
            holding.entry.past.attemptsMin++;
            holding.entry.failed(unit.askedMs, true, clock.getAsLong());
            holding.end();
        }
    }

    /** A delivery came. Gives what the consumer now holds, or null if the delivery is void. */
    public @Nullable Holding delivered(Stream stream, Delivery delivery) {
        boolean voided = stream.credit.use(delivery) || stream.losing;
        Sent sent = messages.get(String.valueOf(delivery.message().id()));
        if (sent != null) {
            sent = retained.shown(dead.shown(sent, stream.box, clock.getAsLong(), this::queue), delivery, stream.box);
        }
        Entry entry = sent == null ? null : stream.box.entry(sent);
        Violation.check(
                sent == null || sent.effectGiven(),
                Violation.Promise.NOT_HALF_DONE,
                sent + " is delivered, but its transaction was never committed");
        if (sent == null || entry == null || !stream.takes(sent)) {
            throw new Violation(Violation.Promise.ROUTING, delivery + " came to " + stream);
        }
        sent.at(delivery.position());
        positions.check(sent);
        tally.saw(voided ? Sight.VOID_DELIVERY : Sight.DELIVERY);
        if (voided) {
            entry.cameForNobody();
            return null;
        }
        Violation.check(
                !stream.isTooLate(entry), Violation.Promise.ROUTING, sent + " had expired and came to " + stream);
        entry.look(delivery, tally);
        entry.inTime(clock.getAsLong(), tally);
        stream.box.sharing.delivered(entry, stream, tally);
        entry.past.mayFlag |= stream.box.unseenLosses > 0;
        entry.delivered(delivery);
        if (!entry.returned) {
            stream.box.firstDelivery(entry, stream.kind == null, delivery);
        }
        stream.inOrder(entry, delivery);
        entry.returns(false, null);
        Holding holding = new Holding(entry, stream, delivery);
        entry.holdings.add(holding);
        return holding;
    }

    /** Somebody asks to be shown a queue: what is there, or what comes too. */
    public View view(Address queue, @Nullable String kind, boolean browses) {
        return new View(queue(queue), kind, browses, clock.getAsLong(), tally);
    }

    /** Somebody is shown a message. */
    public void shown(View view, Delivery delivery) {
        Sent sent = messages.get(String.valueOf(delivery.message().id()));
        view.shows(sent, delivery);
        if (sent != null) {
            sent.at(delivery.position());
            positions.check(sent);
        }
    }

    /** The application sees a delivery. */
    public void seen(Holding holding) {
        holding.seen = true;
    }

    /** Deliveries are settled by one command; in a transaction if there is one. */
    public void settle(Collection<Holding> holdings, Outcome outcome, @Nullable Unit unit) {
        Object cause = new Object();
        for (Holding holding : holdings) {
            holding.entry.rejected |= outcome == Outcome.REJECTED;
            holding.askedMs = clock.getAsLong();
            if (unit != null) {
                holding.state = Holding.State.LOCKED;
                holding.unit = unit;
                unit.settles.add(holding);
            } else if (outcome == Outcome.ACCEPTED || outcome == Outcome.REJECTED) {
                holding.state = Holding.State.SETTLING;
            } else {
                holding.state = Holding.State.RETURNING;
                holding.entry.returns(outcome == Outcome.MODIFIED, cause);
                holding.entry.past.attemptsMax += outcome == Outcome.MODIFIED ? 1 : 0;
            }
        }
    }

    /** A settle outside of transactions was confirmed. */
    public void settled(Collection<Holding> holdings, Outcome outcome) {
        for (Holding holding : holdings) {
            if (outcome == Outcome.ACCEPTED || outcome == Outcome.REJECTED) {
                holding.entry.rejectedForSure |= outcome == Outcome.REJECTED;
                holding.entry.fate = Entry.Fate.GONE;
            } else if (outcome == Outcome.MODIFIED) {
                holding.entry.past.attemptsMin++;
                holding.entry.failed(holding.askedMs, true, clock.getAsLong());
            }
            holding.end();
        }
    }

    /** A recall, or the end of a consumer, is asked for. The holdings are all that the session has of it. */
    public void recall(Stream stream, long lastSeen, Collection<Holding> holdings, boolean end) {
        Object cause = new Object();
        stream.box.unseenReturns++;
        for (Holding holding : holdings) {
            if (holding.isHeld() && holding.number() > lastSeen) {
                holding.state = Holding.State.RETURNING;
                holding.entry.returns(false, cause);
            }
        }
        stream.recall(lastSeen);
        if (end) {
            end(stream);
        }
    }

    private static void end(Stream stream) {
        stream.live = false;
        stream.ending = true;
        stream.box.consumerEnds(false);
    }

    /** A recall, or the end of a consumer, was confirmed. */
    public void recalled(Stream stream, long lastSeen, Collection<Holding> holdings, boolean end) {
        stream.credit.recalled();
        if (end) {
            stream.ended = true;
            stream.box.consumerEnds(true);
        }
        stream.box.unseenReturned(false);
        stream.box.unseenReturns--;
        for (Holding holding : List.copyOf(holdings)) {
            if (holding.state == Holding.State.RETURNING && holding.number() > lastSeen) {
                holding.end();
            }
        }
    }

    /** Credit is given. */
    public void credit(Stream stream, int messages) {
        stream.credit.add(messages);
    }

    /** The deletion of a durable subscription is asked for. */
    public void delete(SubscriptionName name, Box box, Producer session) {
        deleting.put(name, session);
        box.inDoubt();
    }

    /** The deletion was confirmed. */
    public void deleted(SubscriptionName name, Box box) {
        deleting.remove(name);
        box.state = Box.State.GONE;
    }

    /** A session closes or is lost: its consumers end, and what it holds returns flagged sooner or later. */
    public void losing(SessionState session) {
        for (Stream stream : session.streams()) {
            if (!stream.ended && !stream.losing) {
                losing(stream);
            }
        }
        Object cause = new Object();
        for (Holding holding : session.holdings()) {
            holding.inDoubt(cause);
        }
        for (Unit unit : session.units()) {
            if (unit.isOpen()) {
                unit.undone("its session ended");
            }
        }
    }

    private static void losing(Stream stream) {
        stream.lose();
        stream.box.unseenReturns++;
        stream.box.unseenLosses++;
        stream.box.allowOverFlags(stream.credit.atMost());
        if (stream.box.state == Box.State.ASKED) {
            stream.box.inDoubt();
        }
        end(stream);
    }

    /** The end of a session that closed or was lost is complete, or the broker is no more. */
    public void lost(SessionState session) {
        for (Stream stream : session.streams()) {
            if (stream.losing) {
                stream.losing = false;
                stream.ended = true;
                stream.box.consumerEnds(true);
                stream.box.unseenReturned(true);
                stream.box.unseenReturns -= 1 + stream.credit.recallsOpen();
                stream.box.unseenLosses--;
            }
        }
        for (Holding holding : List.copyOf(session.holdings())) {
            holding.entry.failed(0, false, clock.getAsLong());
            holding.end();
        }
        deleting.values().removeIf(session.producer()::equals);
        for (Sent sent : messages.values()) {
            sent.pending &= !sent.producer.equals(session.producer()) || (sent.unit != null && sent.unit.outlives());
        }
    }

    /**
     * The broker stopped and starts anew; all sessions are lost already. An orderly stop flags only what was delivered.
     */
    public void restarted(boolean orderly) {
        tally.saw(orderly ? Sight.ORDERLY_RESTART : Sight.CRASH);
        Object cause = new Object();
        for (Box box : queues.values()) {
            restarted(box, cause, orderly);
        }
        for (Box box : subscriptions) {
            if (box.endsWithConsumer()) {
                box.state = Box.State.GONE;
            } else if (box.state != Box.State.GONE) {
                restarted(box, cause, orderly);
            }
        }
    }

    private void restarted(Box box, Object cause, boolean orderly) {
        box.restarted(cause, orderly);
        box.allowOverFlags(orderly ? 0 : overFlagsPerCrash);
    }

    /** Checks that can be made when nothing is on its way. */
    public Audit audit() {
        return new Audit(queues.values(), subscriptions, dead, tally);
    }
}
