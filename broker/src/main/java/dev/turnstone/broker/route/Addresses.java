package dev.turnstone.broker.route;

import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.queue.Consumer;
import dev.turnstone.broker.queue.QueueContext;
import dev.turnstone.broker.queue.QueueIdentity;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.queue.Reader;
import dev.turnstone.broker.report.AddressReport;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.broker.settings.AddressSettings;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * All queues, topics and subscriptions. Queues and topics exist when they are used and are forgotten when they are
 * empty and nobody consumes. Owned by the engine thread.
 */
public final class Addresses {
    private final MessageStore store;
    private final QueueContext context;
    private final int max;
    private final Map<Address, QueueHome> queues = new HashMap<>();
    private final Topics topics;
    private final Subscriptions subscriptions;
    private final Temporaries temporaries = new Temporaries();
    private final BoundRoutes bound;
    private final Admission admission;
    private final Placing placing;
    private final IdleQueues idle = new IdleQueues();
    private final QueueWatches watches = new QueueWatches(queues.keySet());

    /** None yet. */
    public Addresses(MessageStore store, QueueContext context, Limits limits, AddressRules rules) {
        this.store = store;
        this.context = context;
        this.max = limits.intOf(Limit.ADDRESSES_MAX);
        this.topics = new Topics(store, limits.intOf(Limit.ROUTES_MAX));
        this.bound = new BoundRoutes(topics, temporaries, limits.intOf(Limit.ROUTES_MAX));
        this.admission = new Admission(queues, topics, bound, context.waiting());
        this.admission.configure(rules);
        this.placing = new Placing(this, topics, temporaries, bound);
        context.routeBy(placing::move);
        RetainedMessages retained = new RetainedMessages(store, limits.intOf(Limit.RETAINED_MAX));
        this.subscriptions =
                new Subscriptions(this, context, topics, new RetainedFeeds(store, retained, limits), limits);
    }

    /** What is set for an address. */
    AddressSettings settings(Address address) {
        return admission.rules().of(address);
    }

    /** True if what is sent there need not be on the disk to be confirmed. */
    public boolean isRelaxed(Address address) {
        return admission.rules().anyRelaxed() && settings(address).relaxed();
    }

    /** From now on other settings hold, for what exists too. */
    public void configure(AddressRules other) {
        admission.configure(other);
        queues.values().forEach(home -> home.queue().configure(settings(home.address())));
        subscriptions.configure();
    }

    /** Who wants to know of queues. */
    public QueueWatches watches() {
        return watches;
    }

    /** Whether there is room. */
    public Admission admission() {
        return admission;
    }

    /** Who subscribes to topics. */
    public Subscriptions subscriptions() {
        return subscriptions;
    }

    /** Where messages are kept. */
    public MessageStore store() {
        return store;
    }

    /**
     * Checks that a message can be routed to an address.
     *
     * @throws BrokerException LIMIT_EXCEEDED if the queue would have to be created and there are too many;
     *     INVALID_ADDRESS for a temporary destination that is not declared, and for a queue that does not exist and may
     *     not be created
     */
    public void check(Address address) {
        if (address.kind() == AddressKind.QUEUE ? queues.containsKey(address) : !address.isTemporary()) {
            return;
        } else if (address.isTemporary()) {
            temporaries.check(address);
        } else {
            checkMade(address);
            checkRoom();
        }
    }

    private void checkMade(Address queue) {
        if (!settings(queue).life().autoCreate() && !admission.rules().names(queue)) {
            throw new BrokerException(
                    ErrorCode.INVALID_ADDRESS,
                    "there is no " + queue + ", and it is not created by being used ("
                            + AddressSetting.AUTO_CREATE.setting() + "=false)");
        }
    }

    /**
     * As {@link #check(Address)}, for this message.
     *
     * @throws BrokerException LIMIT_EXCEEDED if it is to be retained and would be one too many
     */
    public void check(Message message) {
        if (!bound.concern(message.address())) {
            check(message.address());
        }
        if (message.retain() && message.address().kind() == AddressKind.TOPIC) {
            retained().check(message);
        }
    }

    /**
     * Checks that a connection may consume from an address.
     *
     * @throws BrokerException for a temporary destination, if it is another connection's (FORBIDDEN, Jakarta Messaging
     *     3.1 §6.2.2) or not declared (INVALID_ADDRESS)
     */
    public void checkConsumer(Address address, Origin from) {
        temporaries.checkConsumer(address, from);
    }

    /**
     * A temporary destination of this connection exists from now on.
     *
     * @throws BrokerException FORBIDDEN if its name is another connection's; INVALID_ADDRESS if it is not a temporary
     *     one's; LIMIT_EXCEEDED if there are too many addresses
     */
    public void declareTemporary(Address temporary, Origin from) {
        checkRoom();
        temporaries.declare(temporary, from);
    }

    /**
     * Ends a temporary destination of this connection with its messages.
     *
     * @throws BrokerException SUBSCRIPTION_IN_USE while it has a consumer; else as {@link #declareTemporary}
     */
    public void deleteTemporary(Address temporary, Origin from) {
        Temporaries.checkOwner(temporary, from);
        QueueHome home = queues.get(temporary);
        if (topics.subscribed(temporary) || (home != null && home.queue().hasConsumers())) {
            throw new BrokerException(ErrorCode.SUBSCRIPTION_IN_USE, "the temporary " + temporary + " has a consumer");
        }
        temporaries.delete(temporary, from);
        dropQueue(temporary);
    }

    /** Ends a connection's temporary destinations with their messages, and what else nobody can use any more. */
    public void closed(String connection) {
        temporaries.closed(connection).forEach(this::dropQueue);
        subscriptions.filtered().closed(connection);
    }

    /**
     * Gives a message to whatever stands behind its address. Never refuses: a commit must not stop half-way. See
     * {@link #check}.
     *
     * @return the LSN that must be durable before it is confirmed; 0 for none
     */
    public long route(Message message, Origin from) {
        return placing.route(message, from);
    }

    /** What can be moved to pages before it is routed. */
    public Ahead ahead() {
        return new Ahead(bound, topics, context);
    }

    /** What topics retain. */
    RetainedMessages retained() {
        return subscriptions.feeds().retained();
    }

    /** Who asks for what topics retain hears nothing before this is durable. */
    public long retainedLsn() {
        return retained().endedLsn(context.nowMs());
    }

    /** The queue at an address, created if there is none. */
    public QueueState queue(Address address) {
        check(address);
        return home(address).queue();
    }

    /** What a consumer of a queue is to be attached to: the queue, or what it reads it by without consuming. */
    public QueueState queueFor(Address address, Consumer consumer) {
        QueueState queue = queue(address);
        return queue.settings().dispatch().nonDestructive() ? Reader.of(queue, consumer, context) : queue;
    }

    /** The queue at an address and what it lives by, created if there is none. */
    QueueHome home(Address address) {
        QueueHome home = queues.get(address);
        if (home == null) {
            home = new QueueHome(identity(store.log().nextId(), address), false, this, context);
            queues.put(address, home);
            subscribeByName(home);
            if (home.durable() && !home.queue().settings().life().autoDelete()) {
                home.ensureRecorded(store.log());
            }
            watches.made(address);
        }
        return home;
    }

    /** Where messages go beside their address. */
    public Bindings bindings() {
        return bound.bindings();
    }

    /** A queue whose name says so subscribes to a virtual topic, and is kept. */
    private void subscribeByName(QueueHome home) {
        Address topic = bindings().topicOf(home.address());
        Filter before = home.filter();
        if (before != null) {
            topics.remove(before);
        }
        Filter filter = topic == null ? null : new Filter(home, topic, null, null);
        home.subscribes(filter);
        if (filter != null) {
            home.ensureRecorded(store.log());
            topics.add(filter);
        } else if (before != null) {
            home.queue().wake();
        }
    }

    /** How often the bindings were replaced. */
    public long bindingsRevision() {
        return bound.revision();
    }

    /** From now on messages go by these bindings. */
    public void bind(Bindings bindings) {
        bound.replace(bindings);
        queues.values().forEach(this::subscribeByName);
    }

    /** Where it would go by bindings, or to several: its sender must be allowed to; empty for where it is sent to. */
    public Collection<Address> reached(Message message, Origin from) {
        return bound.concern(message.address())
                ? bound.destinations(message, from).visited()
                : List.of();
    }

    /**
     * Checks that somebody gets a message that asks for it, and that the queues that it reaches by bindings take it.
     *
     * @throws BrokerException NO_ROUTE if nobody would; QUEUE_FULL if a queue or subscription that would get it is
     *     full; for a queue as {@link #check(Message)}
     */
    public void checkRoute(Message message, Origin from) {
        Address address = message.address();
        boolean reached;
        if (bound.concern(address)) {
            Destinations destinations = bound.destinations(message, from);
            destinations.queues().forEach(this::check);
            reached = destinations.count() > 0;
        } else {
            reached = !message.mandatory() || address.kind() == AddressKind.QUEUE || topics.taken(message, from);
        }
        if (!reached && message.mandatory()) {
            throw new BrokerException(
                    ErrorCode.NO_ROUTE, "nobody gets what is sent to " + address + ", and the message is mandatory");
        }
        admission.check(message, from);
    }

    void checkRoom() {
        if (size() >= max) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "there are " + max + " queues, topics and subscriptions already (" + Limit.ADDRESSES_MAX.setting()
                            + ")");
        }
        checkCrowd();
    }

    /** Refuses what stays in memory when there is so much of it that little is left for messages. */
    void checkCrowd() {
        Memory memory = store.memory();
        if (memory.crowded()) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "queues, subscriptions and filters take three quarters of " + Limit.MEMORY_MAX.setting() + "="
                            + memory.max() + " bytes already");
        }
    }

    /** A queue is empty and has no consumers. */
    void idle(QueueHome home) {
        if (idle.ends(home, context.nowMs())) {
            drop(home);
        }
    }

    /** Forgets a queue that is idle, or whose time has ended. */
    void drop(QueueHome home) {
        queues.remove(home.address());
        if (home.filter() != null) {
            topics.remove(home.filter());
        }
        home.end(store.log());
    }

    /** Ends a queue with its messages; refused as {@link QueueHome#unused} says. */
    public void deleteQueue(Address address) {
        drop(QueueHome.unused(queues.get(address), address));
    }

    private void dropQueue(Address address) {
        QueueHome home = queues.get(address);
        if (home != null) {
            drop(home);
        }
    }

    QueueState addQueue(long id, Address address) {
        QueueHome home = new QueueHome(identity(id, address), true, this, context);
        queues.put(address, home);
        subscribeByName(home);
        return home.queue();
    }

    private static QueueIdentity identity(long id, Address queue) {
        return new QueueIdentity(id, queue, null, !queue.isTemporary());
    }

    /** Once in each turn, after its commands: what time brings about. */
    public void turn(long nowMs) {
        idle.release(nowMs, this::drop);
        subscriptions.feeds().tellTime(nowMs);
        retained().expire(nowMs);
        subscriptions.filtered().expire(nowMs);
    }

    /** When {@link #turn} has something to do, in milliseconds since the epoch; {@link Long#MAX_VALUE} for never. */
    public long dueMs() {
        long endsMs = Math.min(idle.dueMs(), subscriptions.filtered().dueMs());
        return Math.min(retained().dueMs(), endsMs);
    }

    /** What can be said of the first addresses, at most so many. */
    public List<AddressReport> report(int most, Predicate<Address> shown) {
        return AddressReports.of(queues.values(), subscriptions.queues(), most, shown);
    }

    /** How many queues, topics and subscriptions there are. */
    public int size() {
        return queues.size() + topics.size() + subscriptions.size() + temporaries.count();
    }

    /** Before an orderly stop: what may have been seen is recorded exactly, in place of the marks that reach ahead. */
    public void markExactly() {
        queues.values().forEach(home -> home.queue().markExactly());
        subscriptions.markExactly();
    }
}
