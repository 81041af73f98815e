package dev.turnstone.broker.session;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.mailbox.Channel;
import dev.turnstone.broker.mailbox.Slots;
import dev.turnstone.broker.queue.Consumer;
import dev.turnstone.broker.queue.Entry;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.queue.Receiver;
import dev.turnstone.broker.route.Subscription;
import dev.turnstone.broker.tx.Transaction;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One session in the engine: executes its commands in order and keeps what it will hear in order. Made at the edge, owned by the engine thread from
 * the first post.
 */
final class SessionState implements Receiver {
    private final ConnectionState connection;
    private final SessionContext context;
    private final Channel channel;
    private final Slots slots;
    private final Outgoing outgoing = new Outgoing();
    private final ArrayDeque<Post> held = new ArrayDeque<>(0);
    private final Consumers consumers = new Consumers();
    private final Transactions transactions;
    /** The highest LSN that a command of this session has caused. */
    private long causeLsn;
    /** Deliveries that are unsettled, or settled in an open transaction. */
    private int out;

    private boolean listed;
    private boolean closed;

    SessionState(ConnectionState connection, SessionContext context, Channel channel, Slots slots) {
        this.connection = connection;
        this.context = context;
        this.channel = channel;
        this.slots = slots;
        this.transactions = new Transactions(context.limits());
    }

    // ---- posts

    void accept(Post post) {
        if (closed || connection.closed()) {
            refuse(post);
            return;
        }
        connection.add(this);
        if (!held.isEmpty() || mustWait(post)) {
            if (held.isEmpty()) {
                context.holds(this);
            }
            held.add(post);
        } else {
            execute(post);
        }
    }

    /**
     * Sends wait while the journal is behind or memory is full. A session that has deliveries open does not wait for memory: it may be the one that
     * frees it.
     */
    private boolean mustWait(Post post) {
        return post.bytes() > 0
                && (!context.log().accepting() || (context.memory().full() && out == 0));
    }

    /** True if its first post that waits could go on. */
    boolean canResume() {
        Post first = held.peekFirst();
        return first != null && !mustWait(first);
    }

    /** Goes on with posts that waited; returns how many commands it did. */
    int resume() {
        int commands = 0;
        while (!held.isEmpty() && !mustWait(held.peekFirst())) {
            Post post = held.pollFirst();
            commands += post.count();
            execute(post);
        }
        if (!held.isEmpty()) {
            context.holds(this);
        }
        return commands;
    }

    private void execute(Post post) {
        for (int i = 0; i < post.count(); i++) {
            Command command = post.command(i);
            try {
                command.execute(this);
            } catch (BrokerException refusal) {
                refuse(command, refusal);
            }
        }
        taken(post);
    }

    private void taken(Post post) {
        channel.taken(post.count(), post.bytes());
        if (post.bytes() > 0) {
            context.mailbox().giveBack(post.bytes());
        }
    }

    private void refuse(Post post) {
        BrokerException cause = new BrokerException(ErrorCode.CLOSED, "the session or its connection was closed");
        for (int i = 0; i < post.count(); i++) {
            refuse(post.command(i), cause);
        }
        taken(post);
    }

    private void refuse(Command command, BrokerException cause) {
        Transaction transaction = transactions.find(command.transaction());
        if (transaction != null) {
            transaction.refused(cause);
        }
        Completion completion = command.completion();
        if (completion != null) {
            emit(new Event.Failed(completion, cause), causeLsn);
        }
    }

    // ---- what leaves

    private void confirm(Completion completion, long lsn) {
        causeLsn = Math.max(causeLsn, lsn);
        if (completion.wantsDone()) {
            emit(completion, causeLsn);
        }
    }

    private void emit(Object event, long lsn) {
        outgoing.add(event, lsn);
        if (!listed) {
            listed = true;
            context.fresh(this);
        }
    }

    @Override
    public void deliver(Consumer consumer, long number, Entry entry, long entryLsn) {
        out++;
        Delivery delivery = new Delivery(
                consumer.number(), number, entry.position(), entry.message(), entry.deliveryCount(), entry.flagged());
        emit(delivery, entryLsn);
    }

    /** Hands over what is due; false if something still waits. */
    boolean release(long durableLsn) {
        if (outgoing.release(durableLsn, channel)) {
            channel.signal();
        }
        listed = !outgoing.isEmpty();
        return !listed;
    }

    // ---- commands

    void send(Send send, Completion completion) {
        Message message = send.message();
        checkSize(message);
        context.addresses().check(message.address());
        if (send.transaction() != Session.NO_TRANSACTION) {
            transactions.get(send.transaction()).send(message);
            confirm(completion, 0);
        } else {
            confirm(completion, context.addresses().route(message, connection.origin()));
        }
    }

    private void checkSize(Message message) {
        Limits limits = context.limits();
        long bodyMax = limits.of(Limit.MESSAGE_BYTES_MAX);
        if (message.bodyBytes() > bodyMax) {
            throw new BrokerException(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "a body of " + message.bodyBytes() + " bytes is larger than " + Limit.MESSAGE_BYTES_MAX.setting()
                            + "=" + bodyMax);
        }
        long headerMax = limits.of(Limit.MESSAGE_HEADER_BYTES_MAX);
        int header = message.encodedBytes() - message.bodyBytes();
        if (header > headerMax) {
            throw new BrokerException(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "fields and properties of " + header + " bytes are more than "
                            + Limit.MESSAGE_HEADER_BYTES_MAX.setting() + "=" + headerMax);
        }
        if (context.memory().exhausted()) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "messages in memory have passed " + Limit.MEMORY_MAX.setting() + "=" + limits.of(Limit.MEMORY_MAX)
                            + " bytes by a quarter");
        }
    }

    void subscribe(Subscribe subscribe, Completion completion) {
        int number = subscribe.consumer();
        if (consumers.find(number) != null) {
            throw new BrokerException(
                    ErrorCode.DUPLICATE_CONSUMER, "the session has a consumer " + number + " already");
        }
        int max = context.limits().intOf(Limit.CONSUMERS_MAX);
        if (consumers.size() >= max) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "the session has " + max + " consumers already (" + Limit.CONSUMERS_MAX.setting() + ")");
        }
        int mark = context.log().mark();
        Selector selector = Selector.compile(subscribe.selector());
        context.addresses().checkConsumer(subscribe.address(), connection.origin());
        Attached attached = attached(subscribe, selector);
        attached.queue().attach(attached.consumer());
        consumers.add(attached);
        confirm(completion, context.log().lsnSince(mark));
    }

    private Attached attached(Subscribe subscribe, @Nullable Selector selector) {
        SubscriptionName name = subscribe.subscription();
        int number = subscribe.consumer();
        if (name != null) {
            // The subscription's queue holds only what its selector takes.
            QueueState queue =
                    context.addresses().subscribeDurably(name, subscribe).queue();
            return new Attached(new Consumer(number, this, null), queue, null);
        }
        if (subscribe.address().kind() == AddressKind.TOPIC) {
            Subscription subscription = context.addresses().subscribe(subscribe, selector, connection.origin());
            return new Attached(new Consumer(number, this, null), subscription.queue(), subscription);
        }
        return new Attached(
                new Consumer(number, this, selector), context.addresses().queue(subscribe.address()), null);
    }

    void credit(int consumer, int messages) {
        Attached attached = consumers.find(consumer);
        if (attached != null && messages > 0) {
            attached.queue().credit(attached.consumer(), messages);
        }
    }

    void settle(Settle settle, Completion completion) {
        Consumer consumer = consumers.get(settle.consumer()).consumer();
        Transaction transaction = null;
        if (settle.transaction() != Session.NO_TRANSACTION) {
            transaction = transactions.get(settle.transaction());
            if (settle.outcome() == Outcome.RELEASED || settle.outcome() == Outcome.MODIFIED) {
                throw new BrokerException(
                        ErrorCode.UNSUPPORTED, "in a transaction a delivery can be accepted or rejected, nothing else");
            }
        }
        int mark = context.log().mark();
        if (settle.first() == settle.last()) {
            Entry entry = consumer.take(settle.first());
            if (entry == null) {
                throw new BrokerException(
                        ErrorCode.NO_SUCH_DELIVERY,
                        "delivery " + settle.first() + " of consumer " + consumer.number() + " is unknown or settled");
            }
            settle(entry, settle.outcome(), transaction);
        } else {
            long number = consumer.unsettledFrom(settle.first());
            while (number <= settle.last()) {
                Entry entry = consumer.take(number);
                if (entry == null) {
                    break;
                }
                settle(entry, settle.outcome(), transaction);
                number = consumer.unsettledFrom(number + 1);
            }
        }
        forgetIfGone(consumer);
        confirm(completion, context.log().lsnSince(mark));
    }

    private void settle(Entry entry, Outcome outcome, @Nullable Transaction transaction) {
        if (transaction != null) {
            transaction.lock(entry);
            return;
        }
        out--;
        switch (outcome) {
            case ACCEPTED, REJECTED -> entry.queue().settle(entry);
            case RELEASED -> entry.queue().giveBack(entry, false, false);
            case MODIFIED -> entry.queue().giveBack(entry, true, true);
        }
    }

    void recall(int consumer, long lastSeen, Completion completion) {
        Attached attached = consumers.get(consumer);
        attached.queue().clearCredit(attached.consumer());
        giveBackFrom(attached.consumer(), lastSeen + 1, false);
        confirm(completion, 0);
    }

    void unsubscribe(int number, long lastSeen, Completion completion) {
        Attached attached = consumers.get(number);
        int mark = context.log().mark();
        giveBackFrom(attached.consumer(), lastSeen + 1, false);
        detach(attached);
        if (attached.consumer().unsettledCount() == 0) {
            consumers.remove(number);
        }
        confirm(completion, context.log().lsnSince(mark));
    }

    private void detach(Attached attached) {
        if (!attached.consumer().attached()) {
            return;
        }
        attached.queue().detach(attached.consumer());
        if (attached.endsWith() != null) {
            context.addresses().end(attached.endsWith());
        }
    }

    private void giveBackFrom(Consumer consumer, long first, boolean seen) {
        long number = consumer.unsettledFrom(first);
        while (number != Long.MAX_VALUE) {
            Entry entry = consumer.take(number);
            if (entry != null) {
                out--;
                entry.queue().giveBack(entry, seen, false);
            }
            number = consumer.unsettledFrom(number + 1);
        }
    }

    private void forgetIfGone(Consumer consumer) {
        if (!consumer.attached() && consumer.unsettledCount() == 0) {
            consumers.remove(consumer.number());
        }
    }

    void deleteSubscription(SubscriptionName subscription, Completion completion) {
        int mark = context.log().mark();
        context.addresses().delete(subscription);
        confirm(completion, context.log().lsnSince(mark));
    }

    void begin(long transaction, Completion completion) {
        transactions.begin(transaction);
        confirm(completion, 0);
    }

    void commit(long transaction, Completion completion) {
        Transaction open = transactions.get(transaction);
        BrokerException refusal = open.refusal();
        if (refusal != null) {
            rollback(transaction, open);
            throw refusal;
        }
        int mark = context.log().mark();
        open.commit(context.addresses(), connection.origin(), context.log());
        transactions.remove(transaction);
        out -= open.lockedCount();
        confirm(completion, context.log().lsnSince(mark));
    }

    void rollback(long transaction, Completion completion) {
        int mark = context.log().mark();
        rollback(transaction, transactions.get(transaction));
        confirm(completion, context.log().lsnSince(mark));
    }

    private void rollback(long transaction, Transaction open) {
        open.rollback(true);
        transactions.remove(transaction);
        out -= open.lockedCount();
    }

    void sync(Completion completion) {
        confirm(completion, 0);
    }

    void close(Completion completion) {
        end();
        confirm(completion, 0);
    }

    /** Ends the session, by its own wish or with its connection. */
    void end() {
        if (closed) {
            return;
        }
        closed = true;
        for (Transaction open : transactions.all()) {
            open.rollback(false);
        }
        transactions.clear();
        for (Attached attached : consumers.all()) {
            giveBackFrom(attached.consumer(), 1, true);
            detach(attached);
        }
        consumers.clear();
        out = 0;
        while (!held.isEmpty()) {
            refuse(held.pollFirst());
        }
        connection.remove(this);
        slots.free();
    }
}
