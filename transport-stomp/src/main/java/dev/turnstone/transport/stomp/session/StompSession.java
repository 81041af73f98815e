package dev.turnstone.transport.stomp.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ConsumerOptions;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.transport.stomp.codec.Frame;
import dev.turnstone.transport.stomp.codec.Header;
import dev.turnstone.transport.stomp.codec.Version;
import org.jspecify.annotations.Nullable;

/** Turns the frames of a client that has logged in into commands of its port session. On the event loop only. */
final class StompSession {
    private final Session session;
    private final StompClientInfo client;
    private final StompSettings settings;
    private final StompWriter writer;
    private final StompEnding ending;
    private final Subscriptions subscriptions;
    private final Transactions transactions;
    private final MessageReader messages;
    private final Completion unconfirmed;

    StompSession(
            Session session,
            StompClientInfo client,
            StompSettings settings,
            Subscriptions subscriptions,
            StompWriter writer,
            StompEnding ending) {
        this.session = session;
        this.client = client;
        this.settings = settings;
        this.subscriptions = subscriptions;
        this.writer = writer;
        this.ending = ending;
        transactions = new Transactions(settings.transactionsMax());
        messages = new MessageReader(new Destinations());
        unconfirmed = Completion.onFailure(cause -> ending.refuse(cause, null));
    }

    /**
     * Carries out one frame.
     *
     * @throws dev.turnstone.transport.stomp.codec.StompException if the frame is not one that the client may send now
     * @throws BrokerException if the frame asks for something that no broker has
     */
    void accept(Frame frame) {
        switch (frame.command()) {
            case SEND -> send(frame);
            case ACK -> settle(frame, Outcome.ACCEPTED);
            case NACK -> settle(frame, nackOutcome(frame));
            case SUBSCRIBE -> subscribe(frame);
            case UNSUBSCRIBE -> unsubscribe(frame);
            case BEGIN -> session.begin(transactions.begin(frame).number(), confirmation(frame));
            case COMMIT -> commit(frame);
            case ABORT -> abort(frame);
            case DISCONNECT -> ending.disconnect(frame.header(Header.RECEIPT));
            case CONNECT, STOMP -> throw frame.fault("the client is connected already");
            case CONNECTED, MESSAGE, RECEIPT, ERROR ->
                throw frame.fault(frame.command() + " is for the broker to send");
        }
    }

    private void send(Frame frame) {
        Transactions.Open transaction = transactions.of(frame);
        session.send(
                new Send(messages.read(frame), number(transaction))
                        .with(MessageReader.dedupId(frame))
                        .relaxed(MessageReader.relaxed(frame)),
                confirmation(frame));
    }

    private void subscribe(Frame frame) {
        String destination = frame.required(Header.DESTINATION);
        String id = client.version() == Version.V1_0 ? frame.header(Header.ID) : frame.required(Header.ID);
        String name = id == null ? unnamed(destination) : id;
        if (subscriptions.named(name) != null) {
            throw frame.fault("the connection has a subscription '" + name + "' already");
        }
        if (subscriptions.count() >= settings.subscriptionsMax()) {
            throw frame.fault("more than " + settings.subscriptionsMax() + " subscriptions (subscriptionsMax)");
        }
        AckMode mode = AckMode.of(frame);
        int prefetch = prefetch(frame);
        SubscriptionName durable = durable(frame);
        int consumer = subscriptions.nextConsumer();
        Subscribe subscribe = new Subscribe(
                        consumer,
                        Destinations.pattern(destination),
                        durable,
                        frame.header(Header.SELECTOR),
                        "true".equals(frame.header(Header.NO_LOCAL)))
                .with(options(frame));
        subscriptions.add(name, new Subscription(id, consumer, mode));
        session.subscribe(subscribe, confirmation(frame));
        session.credit(consumer, prefetch);
    }

    private static ConsumerOptions options(Frame frame) {
        ConsumerOptions options = ConsumerOptions.DEFAULTS
                .exclusive("true".equals(frame.header(Header.EXCLUSIVE)))
                .retained("true".equals(frame.header(Header.RETAINED)));
        String priority = frame.header(Header.CONSUMER_PRIORITY);
        if (priority == null) {
            return options;
        }
        int number = Numbers.whole(frame, Header.CONSUMER_PRIORITY, priority);
        if (Math.abs((long) number) > ConsumerOptions.PRIORITY_MAX) {
            throw frame.fault("the header 'consumer-priority' must be a number from -" + ConsumerOptions.PRIORITY_MAX
                    + " to " + ConsumerOptions.PRIORITY_MAX);
        }
        return options.priority(number);
    }

    private int prefetch(Frame frame) {
        int index = frame.headers().indexOf(Header.PREFETCH_COUNT);
        if (index < 0) {
            return settings.prefetchDefault();
        }
        long count = frame.headers().number(index);
        if (count < 1 || count > settings.prefetchMax()) {
            throw frame.fault("the header 'prefetch-count' must be a number from 1 to " + settings.prefetchMax());
        }
        return (int) count;
    }

    private @Nullable SubscriptionName durable(Frame frame) {
        String name = frame.header(Header.DURABLE_SUBSCRIPTION_NAME);
        if (name == null) {
            return null;
        }
        if (client.clientId() == null) {
            throw frame.fault("a durable subscription needs the header 'client-id' on CONNECT");
        }
        return new SubscriptionName(client.clientId(), name);
    }

    private void unsubscribe(Frame frame) {
        SubscriptionName durable = durable(frame);
        String id = frame.header(Header.ID);
        String queue = frame.header(Header.DELETE);
        if (queue != null) {
            delete(frame, id, queue);
            return;
        }
        if (id == null && client.version() == Version.V1_0 && durable == null) {
            id = unnamed(frame.required(Header.DESTINATION));
        } else if (durable == null) {
            id = frame.required(Header.ID);
        }
        Subscription ended = id == null ? null : subscriptions.end(id);
        if (ended == null && durable == null) {
            throw frame.fault("no subscription '" + id + "'");
        }
        if (durable == null) {
            session.unsubscribe(ended.consumer(), ended.delivered(), confirmation(frame));
            return;
        }
        if (ended != null) {
            session.unsubscribe(ended.consumer(), ended.delivered(), unconfirmed);
            dropUnsettled(ended);
        }
        session.deleteSubscription(durable, confirmation(frame));
    }

    /** Deletes a queue, after the client's own subscription of it has ended. */
    private void delete(Frame frame, @Nullable String id, String queue) {
        Address deleted = Destinations.parse(queue);
        if (id != null) {
            Subscription ended = subscriptions.end(id);
            if (ended == null) {
                throw frame.fault("no subscription '" + id + "'");
            }
            session.unsubscribe(ended.consumer(), ended.delivered(), unconfirmed);
        }
        session.deleteQueue(deleted, confirmation(frame));
    }

    /** A subscription that is deleted takes its messages with it, those that its client has not acknowledged, too. */
    private void dropUnsettled(Subscription ended) {
        if (!ended.allSettled()) {
            // One more than there are, since a range may hold what is settled already and a single number may not.
            session.settle(
                    new Settle(ended.consumer(), 1, ended.delivered() + 1, Outcome.ACCEPTED, Session.NO_TRANSACTION),
                    unconfirmed);
            ended.acknowledgeAll();
            subscriptions.forgetIfSettled(ended);
        }
    }

    private void settle(Frame frame, Outcome outcome) {
        Transactions.Open transaction = transactions.of(frame);
        AckId id = ackId(frame);
        Subscription subscription = subscriptions.numbered(id.consumer());
        if (subscription == null || id.number() < 1 || id.number() > subscription.delivered()) {
            throw frame.fault("no delivery " + id.text() + " waits for an acknowledgement");
        }
        long first = first(frame, subscription, id.number());
        Settle settle = new Settle(subscription.consumer(), first, id.number(), outcome, number(transaction))
                .because(frame.header(Header.REASON));
        if (transaction != null && outcome != Outcome.ACCEPTED) {
            transaction
                    .nacks()
                    .add(new Settle(settle.consumer(), first, id.number(), outcome, Session.NO_TRANSACTION)
                            .because(settle.reason()));
            confirmOnly(frame);
        } else {
            session.settle(settle, confirmation(frame));
        }
        if (subscription.ended()) {
            subscriptions.forgetIfSettled(subscription);
        } else {
            session.credit(subscription.consumer(), (int) (id.number() - first + 1));
        }
    }

    /** Whether the message may come again; RabbitMQ's clients know the header, too. */
    private static Outcome nackOutcome(Frame frame) {
        String requeue = frame.header(Header.REQUEUE);
        if (requeue == null || requeue.equals("true")) {
            return Outcome.MODIFIED;
        }
        if (requeue.equals("false")) {
            return Outcome.REJECTED;
        }
        throw frame.fault("requeue:" + requeue + " is neither true nor false");
    }

    /** The first delivery that the frame settles: in the mode {@code client} the first one that is not settled yet. */
    private static long first(Frame frame, Subscription subscription, long number) {
        return switch (subscription.mode()) {
            case AUTO -> throw frame.fault("the subscription acknowledges by itself (ack:auto)");
            case CLIENT -> {
                if (number <= subscription.acknowledged()) {
                    throw frame.fault("delivery " + number + " of the subscription is acknowledged already");
                }
                yield subscription.acknowledgeUpTo(number);
            }
            case CLIENT_INDIVIDUAL -> {
                subscription.acknowledgeOne();
                yield number;
            }
        };
    }

    private AckId ackId(Frame frame) {
        String header = client.version() == Version.V1_2 ? Header.ID : Header.MESSAGE_ID;
        String text = frame.required(header);
        AckId id = client.version() == Version.V1_2 ? AckId.parse(text) : AckId.parseBehind(text);
        if (id == null) {
            throw frame.fault("no delivery '" + text + "' waits for an acknowledgement");
        }
        if (client.version() == Version.V1_1) {
            Subscription named = subscriptions.named(frame.required(Header.SUBSCRIPTION));
            if (named == null || named.consumer() != id.consumer()) {
                throw frame.fault("the message '" + text + "' was not delivered to that subscription");
            }
        }
        return id;
    }

    private void commit(Frame frame) {
        Transactions.Open ended = transactions.end(frame);
        giveBack(ended);
        session.commit(ended.number(), confirmation(frame));
    }

    private void abort(Frame frame) {
        Transactions.Open ended = transactions.end(frame);
        giveBack(ended);
        session.rollback(ended.number(), confirmation(frame));
    }

    private void giveBack(Transactions.Open ended) {
        for (Settle nack : ended.nacks()) {
            session.settle(nack, unconfirmed);
        }
    }

    private void confirmOnly(Frame frame) {
        if (frame.headers().indexOf(Header.RECEIPT) >= 0) {
            session.sync(confirmation(frame));
        }
    }

    /** A RECEIPT when the command is done, if the frame asks for one; ERROR if it fails. */
    private Completion confirmation(Frame frame) {
        String receipt = frame.header(Header.RECEIPT);
        return receipt == null ? unconfirmed : new Receipt(receipt);
    }

    private static long number(Transactions.@Nullable Open transaction) {
        return transaction == null ? Session.NO_TRANSACTION : transaction.number();
    }

    /** STOMP 1.0 lets a client subscribe without an id; the destination stands in for it. */
    private static String unnamed(String destination) {
        return "destination " + destination;
    }

    private final class Receipt implements Completion {
        private final String id;

        Receipt(String id) {
            this.id = id;
        }

        @Override
        public void done() {
            writer.receipt(id);
        }

        @Override
        public void failed(BrokerException cause) {
            ending.refuse(cause, id);
        }
    }
}
