package dev.turnstone.jms;

import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Session;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a session does beneath the API's objects: consumers, delivery, acknowledgement, transaction, close. The
 * session's thread, and its dispatcher's; close, start and stop may be called from any. Methods that say «under the
 * lock» mean the link's.
 */
final class SessionCore {
    private final ClientConnection connection;
    private final String name;
    private final SessionLink link;
    private final Acknowledgements acknowledgements;
    private final UnitOfWork work;
    private final Callbacks callbacks;
    private final Sender sender;
    private final Deliveries deliveries;
    private final ServerWork serverWork;
    private volatile @Nullable Dispatcher dispatcher;
    /** Changed under the lock. */
    private volatile Phase phase = Phase.STOPPED;
    /** Whether somebody closes it, for whom others wait. */
    private final AtomicBoolean closes = new AtomicBoolean();

    private enum Phase {
        /** Deliveries wait. */
        STOPPED,
        /** Deliveries are handed over to receives; listeners are called no more. */
        STOPPING,
        /** Deliveries are handed over. */
        STARTED,
        /** No more deliveries; a listener that is still running has the session to itself. */
        CLOSING,
        CLOSED
    }

    /** In place of an acknowledge mode: the session works for branches of global transactions, or for nobody. */
    static final int OF_BRANCHES = -1;

    /**
     * A session in this acknowledge mode; its name is for its threads and, with the connection's prefix, for message
     * ids.
     */
    SessionCore(ClientConnection connection, int mode, int number) throws JMSException {
        this.connection = connection;
        this.name = connection.name() + "-" + number;
        try {
            link = new SessionLink(connection.port(), connection.labels());
        } catch (BrokerException e) {
            throw Errors.of(e);
        }
        // Outside of branches, their session acknowledges by itself.
        int alone = mode == OF_BRANCHES ? jakarta.jms.Session.AUTO_ACKNOWLEDGE : mode;
        acknowledgements = new Acknowledgements(
                link, alone, connection.settings().durableAcknowledgements(), e -> report(Errors.of(e)));
        deliveries = new Deliveries(link, acknowledgements);
        work = switch (mode) {
            case OF_BRANCHES -> new BranchUnit(link, acknowledgements, deliveries);
            case jakarta.jms.Session.SESSION_TRANSACTED -> new LocalTransaction(link, acknowledgements);
            default -> UnitOfWork.NONE;
        };
        callbacks = new Callbacks(link, "turnstone-completions-" + name);
        serverWork = new ServerWork(this);
        sender = new Sender(link, callbacks, work, "ID:" + name + "-");
    }

    SessionLink link() {
        return link;
    }

    Sender sender() {
        return sender;
    }

    Callbacks callbacks() {
        return callbacks;
    }

    Deliveries deliveries() {
        return deliveries;
    }

    ServerWork serverWork() {
        return serverWork;
    }

    boolean belongsTo(ClientConnection other) {
        return connection == other;
    }

    /** What an XA session does for branches. */
    BranchUnit branches() throws IllegalStateException {
        if (work instanceof BranchUnit branches) {
            return branches;
        }
        throw Errors.illegal("only an XA session works for branches of global transactions");
    }

    /** Whether a message that is received now is acknowledged by that. */
    boolean isAutomatic() {
        return acknowledgements.isAutomatic() && !acknowledgements.isInBranch();
    }

    Completion unheard() {
        return acknowledgements.unheard();
    }

    int mode() {
        return work.transacted() ? jakarta.jms.Session.SESSION_TRANSACTED : acknowledgements.mode();
    }

    void checkOpen() throws IllegalStateException {
        if (isClosed()) {
            throw Errors.closed("session");
        }
    }

    /** Whether consumers are told that there is nothing more. */
    boolean isEnding() {
        return phase == Phase.CLOSING || isClosed();
    }

    boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    void report(JMSException failure) {
        connection.report(failure);
    }

    ClientMessage wrap(Delivery delivery) throws JMSException {
        return Messages.of(delivery, this, connection.settings().objects())
                .withBodies(link.bodies(), connection.settings().wholeBytesMax());
    }

    /** A message that a browser shows. */
    ClientMessage show(Delivery delivery) {
        return Messages.of(delivery, null, connection.settings().objects()).withBodies(link.bodies(), 0);
    }

    /** An inbox for a consumer to be. */
    Inbox newInbox() {
        return new Inbox(link.nextConsumer(), connection.settings().prefetch());
    }

    /** A consumer of a queue, or of a topic subscription of its own, which is durable if it has a name. */
    ClientConsumer consume(
            TurnstoneDestination destination,
            @Nullable SubscriptionName subscription,
            @Nullable String selector,
            boolean noLocal)
            throws JMSException {
        checkOpen();
        Inbox inbox = newInbox();
        // For a queue, the API leaves the meaning of noLocal open: it has none here.
        boolean withoutOwn = noLocal && destination.address().kind() == AddressKind.TOPIC;
        Subscribe subscribe =
                new Subscribe(inbox.consumer(), destination.address(), subscription, condition(selector), withoutOwn);
        return consume(destination, subscribe, inbox);
    }

    /** A consumer that shares the subscription of this name with others. */
    ClientConsumer share(
            TurnstoneDestination topic, SubscriptionName name, @Nullable String selector, Subscribe.Mode mode)
            throws JMSException {
        checkOpen();
        Inbox inbox = newInbox();
        Subscribe subscribe = new Subscribe(inbox.consumer(), topic.address(), name, condition(selector), false, mode);
        return consume(topic, subscribe, inbox);
    }

    /** An empty selector is none. */
    static @Nullable String condition(@Nullable String selector) {
        return selector == null || selector.isEmpty() ? null : selector;
    }

    private ClientConsumer consume(TurnstoneDestination destination, Subscribe subscribe, Inbox inbox)
            throws JMSException {
        ClientConsumer consumer = new ClientConsumer(this, destination, subscribe, inbox);
        subscribe(subscribe.with(destination.options()));
        link.lock();
        try {
            deliveries.add(consumer);
        } finally {
            link.unlock();
        }
        return consumer;
    }

    /** The consumer exists at the broker when this returns, and has no credit. */
    void subscribe(Subscribe subscribe) throws JMSException {
        link.request((port, reply) -> port.subscribe(subscribe, reply));
    }

    /** Deletes something in the broker, after what was acknowledged before. */
    void delete(BiConsumer<Session, Completion> command) throws JMSException {
        checkOpen();
        link.request((port, reply) -> {
            acknowledgements.settleAcknowledged();
            command.accept(port, reply);
        });
    }

    /** Ends a consumer that is marked closed. */
    void close(ClientConsumer consumer) throws JMSException {
        link.changed();
        Dispatcher running = dispatcher;
        if (running != null) {
            running.awaitIdle(consumer);
        }
        consumer.awaitReceived();
        boolean ends;
        link.lock();
        try {
            ends = !link.isBroken() && deliveries.remove(consumer, consumer.end());
            if (ends) {
                link.port().flush();
            }
        } finally {
            link.unlock();
        }
        consumer.awaitEnd(ends);
    }

    void awaitAcknowledged() throws JMSException {
        link.await(acknowledgements::mayHandOver, SessionLink.FOREVER);
    }

    /** Waits until the broker has done all that was asked for. */
    void sync() throws JMSException {
        link.request(Session::sync);
    }

    /** A received message's acknowledge(): for all of the session's, or nothing, by mode. */
    void acknowledge() throws JMSException {
        checkOpen();
        if (mode() == jakarta.jms.Session.CLIENT_ACKNOWLEDGE) {
            acknowledgements.acknowledgeAll();
        }
    }

    void recover() throws JMSException {
        checkOpen();
        if (work.transacted()) {
            throw Errors.illegal("a transacted session has rollback() in place of recover()");
        }
        acknowledgements.redeliver(deliveries.inboxes(), dev.turnstone.port.Session.NO_TRANSACTION);
        deliveries.resume();
    }

    void commit() throws JMSException {
        checkOwnWork("commit");
        callbacks.awaitAll();
        try {
            work.commit(deliveries.inboxes());
        } finally {
            deliveries.resume();
        }
    }

    void rollback() throws JMSException {
        checkOwnWork("rollback");
        callbacks.awaitAll();
        work.rollback(deliveries.inboxes());
        deliveries.resume();
    }

    private void checkOwnWork(String verb) throws JMSException {
        checkOpen();
        work.checkOwn(verb);
        callbacks.checkNotCallback(verb + " its session");
    }

    void startDispatching() {
        link.lock();
        try {
            if (dispatcher == null) {
                dispatcher = new Dispatcher(this, link, "turnstone-listeners-" + name);
            }
        } finally {
            link.unlock();
        }
        link.changed();
    }

    /** Deliveries are handed over from now on. */
    void start() {
        enter(Phase.STARTED);
    }

    /** Calls no listener from now on; receives still get what there is, for those listeners that run. */
    void beginToStop() {
        enter(Phase.STOPPING);
    }

    /** Hands over nothing from now on. */
    void stop() {
        enter(Phase.STOPPED);
    }

    /** A session that closes stays so. */
    private void enter(Phase next) {
        link.lock();
        try {
            if (!isEnding() && phase != next) {
                phase = next;
                deliveries.open(next == Phase.STARTED || next == Phase.STOPPING, next == Phase.STARTED);
            }
        } finally {
            link.unlock();
        }
        link.changed();
    }

    /** Waits until no listener is running, or others may run again, if the caller is not one. */
    void awaitListeners() throws JMSException {
        Dispatcher running = dispatcher;
        if (running != null) {
            running.awaitIdle();
        }
        serverWork.awaitIdle();
    }

    /** Refuses to close what the caller runs in. */
    void checkNotOwnThread(String what) throws IllegalStateException {
        callbacks.checkNotCallback(what);
        checkNotListener(what);
    }

    /** Refuses what would wait for the message listener that calls. */
    void checkNotListener(String what) throws IllegalStateException {
        serverWork.checkNotListener(what);
        Dispatcher running = dispatcher;
        if (running != null) {
            running.checkNotListener(what);
        }
    }

    /** Hands over nothing more, and receives return; what it is otherwise good for, listeners may still use. */
    void beginToClose() {
        enter(Phase.CLOSING);
    }

    /** After {@link #beginToClose}: waits until no listener, receive and callback is running. */
    void awaitIdle() throws JMSException {
        awaitListeners();
        for (ClientConsumer consumer : deliveries.consumers()) {
            consumer.awaitReceived();
        }
        callbacks.awaitAll();
    }

    /** Ends in order: listeners and receives return, callbacks are called, then the broker hears what was seen. */
    void close() throws JMSException {
        checkNotOwnThread("close its session");
        if (!closes.compareAndSet(false, true)) {
            link.awaitLocal(this::isClosed);
            return;
        }
        beginToClose();
        try {
            awaitIdle();
            if (!link.isBroken()) {
                closePort();
            }
        } finally {
            end();
        }
    }

    private void closePort() throws JMSException {
        Reply reply = Reply.toMany();
        link.lock();
        try {
            acknowledgements.settleAcknowledged();
            for (ClientConsumer consumer : deliveries.consumers()) {
                consumer.markClosed();
                deliveries.remove(consumer, reply);
            }
            serverWork.unload(reply);
            link.port().close(reply.another());
        } finally {
            link.unlock();
        }
        link.await(reply);
        sender.checkNoneRefused();
    }

    private void end() {
        link.lock();
        try {
            phase = Phase.CLOSED;
            deliveries.consumers().forEach(ClientConsumer::markClosed);
            Dispatcher running = dispatcher;
            if (running != null) {
                running.stop();
            }
            callbacks.stop();
        } finally {
            link.unlock();
        }
        link.fail(new BrokerException(ErrorCode.CLOSED, "the session is closed"));
        connection.forget(this);
    }
}
