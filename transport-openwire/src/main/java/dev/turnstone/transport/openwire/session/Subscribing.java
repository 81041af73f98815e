package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.ConsumerOptions;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.Command;
import org.apache.activemq.command.ConsumerControl;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.RemoveInfo;
import org.apache.activemq.command.RemoveSubscriptionInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The beginning and the end of consumers. On the event loop only. */
final class Subscribing {
    private static final Logger LOG = LoggerFactory.getLogger(Subscribing.class);

    private final Session session;
    private final Client client;
    private final Consumers consumers;
    private final Settling settling;
    private final Destinations destinations;
    private final Answers answers;

    Subscribing(
            Session session,
            Client client,
            Consumers consumers,
            Settling settling,
            Destinations destinations,
            Answers answers) {
        this.session = session;
        this.client = client;
        this.consumers = consumers;
        this.settling = settling;
        this.destinations = destinations;
        this.answers = answers;
    }

    void add(ConsumerInfo info) {
        if (consumers.named(info.getConsumerId()) != null) {
            throw new BrokerException(
                    ErrorCode.DUPLICATE_CONSUMER, "the connection has a consumer " + info.getConsumerId() + " already");
        }
        if (info.getDestination() == null) {
            throw new BrokerException(ErrorCode.INVALID_ADDRESS, "a consumer needs a destination");
        }
        int prefetch = Math.max(0, Math.min(client.settings().prefetchMax(), info.getPrefetchSize()));
        OpenWireConsumer consumer = new OpenWireConsumer(info, prefetch);
        List<Subscribe> subscribes = new ArrayList<>();
        List<Address> patterns = new ArrayList<>();
        for (ActiveMQDestination member : members(info.getDestination())) {
            Address address = destinations.pattern(member);
            if (address.isPattern() && address.kind() == AddressKind.QUEUE && !info.isBrowser()) {
                patterns.add(address);
            } else {
                subscribes.add(subscribe(consumers.nextPort(), address, info));
            }
        }
        checkRoomFor(subscribes.size() + patterns.size());
        subscribes.forEach(subscribe -> consumer.addPort(subscribe.consumer(), subscribe.address()));
        consumers.add(consumer);
        Together together = new Together(consumer, info, subscribes.size() + patterns.size());
        for (Subscribe subscribe : subscribes) {
            session.subscribe(subscribe, together);
            if (prefetch > 0) {
                session.credit(subscribe.consumer(), prefetch);
            }
        }
        for (Address pattern : patterns) {
            int watch = consumers.watch(consumer);
            session.watchQueues(watch, pattern, together);
        }
    }

    /** Refuses more consumers than the connection may have. */
    void checkRoomFor(int more) {
        int most = client.settings().consumersMax();
        if (consumers.count() + more > most) {
            throw new BrokerException(ErrorCode.LIMIT_EXCEEDED, "more than " + most + " consumers (consumersMax)");
        }
    }

    /** There is a queue that a consumer's pattern finds: it has the prefetch there, too. */
    void found(int watch, Address queue) {
        OpenWireConsumer consumer = consumers.watching(watch);
        if (consumer == null) {
            // It has ended meanwhile.
            return;
        }
        try {
            checkRoomFor(1);
        } catch (BrokerException e) {
            LOG.warn("{} does not consume from {}: {}", consumer.id(), queue, e.getMessage());
            return;
        }
        int port = consumers.nextPort();
        consumer.addPort(port, queue);
        consumers.addPort(consumer, port);
        session.subscribe(subscribe(port, queue, consumer.info()), Completion.onFailure(cause -> {
            LOG.info("{} does not consume from {}: {}", consumer.id(), queue, cause.getMessage());
            consumers.loseMember(port);
        }));
        if (consumer.prefetch() > 0) {
            session.credit(port, consumer.prefetch());
        } else if (consumer.asking().isOpen() && consumer.asking().asks(port)) {
            session.credit(port, 1);
        }
    }

    private static List<ActiveMQDestination> members(ActiveMQDestination destination) {
        return destination.isComposite() ? List.of(destination.getCompositeDestinations()) : List.of(destination);
    }

    private Subscribe subscribe(int port, Address address, ConsumerInfo info) {
        if (info.isBrowser()) {
            return Subscribe.browse(port, address, info.getSelector());
        }
        boolean noLocal = info.isNoLocal() && address.kind() == AddressKind.TOPIC;
        return new Subscribe(port, address, name(info.getSubscriptionName()), info.getSelector(), noLocal)
                .with(options(info));
    }

    private static ConsumerOptions options(ConsumerInfo info) {
        // A byte reaches one further down than priorities do.
        return ConsumerOptions.DEFAULTS
                .exclusive(info.isExclusive())
                .retained(info.isRetroactive())
                .priority(Math.max(-ConsumerOptions.PRIORITY_MAX, info.getPriority()));
    }

    private @Nullable SubscriptionName name(@Nullable String subscription) {
        if (subscription == null) {
            return null;
        }
        if (client.clientId() == null) {
            throw new BrokerException(
                    ErrorCode.NO_SUCH_SUBSCRIPTION, "a durable subscription needs a client identifier");
        }
        return new SubscriptionName(client.clientId(), subscription);
    }

    /** The client closes a consumer; one that is not there any more, as the broker has ended it, is closed. */
    void remove(RemoveInfo info, @Nullable OpenWireConsumer consumer) {
        if (consumer != null) {
            end(consumer, info.getLastDeliveredSequenceId());
        }
        confirm(info);
    }

    /** Answers when everything before has taken effect. */
    void confirm(Command command) {
        session.sync(answers.to(command));
    }

    /**
     * Ends a consumer. What its application has seen, up to a number, goes back flagged, the rest as it was.
     *
     * @param lastSeen the number of the last delivery that the application has seen
     */
    void end(OpenWireConsumer consumer, long lastSeen) {
        consumer.end();
        consumers.endWatches(consumer).forEach(session::endWatch);
        consumer.ports().forEach((port, delivered) -> session.unsubscribe(port, delivered, answers.noted()));
        consumers.remove(consumer);
        if (consumer.isBrowser()) {
            return;
        }
        long last = lastSeen == RemoveInfo.LAST_DELIVERED_UNKNOWN ? Long.MAX_VALUE : lastSeen;
        List<Held> tried = new ArrayList<>();
        List<Held> seen = new ArrayList<>();
        List<Held> unseen = new ArrayList<>();
        for (Held held : consumer.window().open()) {
            (held.hasFailed() ? tried : held.sequence() <= last ? seen : unseen).add(held);
        }
        giveBack(consumer, tried, Outcome.MODIFIED);
        giveBack(consumer, seen, Outcome.INTERRUPTED);
        giveBack(consumer, unseen, Outcome.RELEASED);
    }

    private void giveBack(OpenWireConsumer consumer, List<Held> held, Outcome outcome) {
        if (!held.isEmpty()) {
            settling.settle(consumer, held, outcome);
        }
    }

    void control(ConsumerControl control) {
        OpenWireConsumer consumer = consumers.named(control.getConsumerId());
        if (consumer == null) {
            throw new BrokerException(
                    ErrorCode.NO_SUCH_CONSUMER, "the connection has no consumer " + control.getConsumerId());
        }
        int prefetch = Math.max(0, Math.min(client.settings().prefetchMax(), control.getPrefetch()));
        int more = consumer.prefetch(prefetch);
        if (more > 0) {
            consumer.ports().keySet().forEach(port -> session.credit(port, more));
        }
        answers.done(control);
    }

    void removeSubscription(RemoveSubscriptionInfo info) {
        SubscriptionName name = name(String.valueOf(info.getSubscriptionName()));
        if (name == null) {
            throw new BrokerException(ErrorCode.NO_SUCH_SUBSCRIPTION, "the subscription's name is missing");
        }
        session.deleteSubscription(name, answers.to(info));
    }

    /** Answers once, when all members of a consumer have been asked for; if one was refused, there is no consumer. */
    private final class Together implements Completion {
        private final OpenWireConsumer consumer;
        private final ConsumerInfo info;
        private int open;
        private @Nullable BrokerException refusal;

        Together(OpenWireConsumer consumer, ConsumerInfo info, int open) {
            this.consumer = consumer;
            this.info = info;
            this.open = open;
        }

        @Override
        public void done() {
            if (--open == 0) {
                answer();
            }
        }

        @Override
        public void failed(BrokerException cause) {
            refusal = cause;
            done();
        }

        private void answer() {
            if (refusal == null) {
                answers.done(info);
                return;
            }
            if (!consumer.hasEnded()) {
                end(consumer, RemoveInfo.LAST_DELIVERED_UNSET);
            }
            answers.refused(info, refusal);
        }
    }
}
