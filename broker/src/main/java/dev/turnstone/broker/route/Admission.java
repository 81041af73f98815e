package dev.turnstone.broker.route;

import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.queue.Waiting;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.broker.settings.CapacitySettings;
import dev.turnstone.broker.settings.WhenFull;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether there is room for what is sent, in all queues and subscriptions that would get it. Owned by the engine
 * thread.
 */
public final class Admission {
    private final Map<Address, QueueHome> queues;
    private final Topics topics;
    private final BoundRoutes bound;
    private final Waiting waiting;
    private AddressRules rules = AddressRules.DEFAULTS;
    private boolean limits;
    private boolean limitsTopics;
    private boolean blocks;

    Admission(Map<Address, QueueHome> queues, Topics topics, BoundRoutes bound, Waiting waiting) {
        this.queues = queues;
        this.topics = topics;
        this.bound = bound;
        this.waiting = waiting;
    }

    void configure(AddressRules other) {
        rules = other;
        limits = other.limits(null);
        limitsTopics = other.limits(AddressKind.TOPIC);
        blocks = limits && other.gives(AddressSetting.WHEN_FULL, WhenFull.BLOCK);
    }

    /** What is set for all addresses. */
    AddressRules rules() {
        return rules;
    }

    /** The queues that senders wait for. */
    public Waiting waiting() {
        return waiting;
    }

    /** True if some queues may hold only so much. */
    public boolean limits() {
        return limits;
    }

    /**
     * Where a message would go: the queue at an address, whether it is there or will be made, or a subscription's.
     *
     * @param address its address
     * @param ofSubscriber the queue, if it is not the one at that address
     */
    public record Target(Address address, @Nullable QueueState ofSubscriber) {}

    /** A queue as what messages go to. */
    public Target of(QueueState queue) {
        QueueHome home = queues.get(queue.address());
        return new Target(queue.address(), home != null && home.queue() == queue ? null : queue);
    }

    /** The queue there; null if it is not there yet. */
    public @Nullable QueueState queue(Target target) {
        QueueHome home = target.ofSubscriber() == null ? queues.get(target.address()) : null;
        return home == null ? target.ofSubscriber() : home.queue();
    }

    /** How much it may hold. */
    public CapacitySettings capacity(Target target) {
        QueueState queue = queue(target);
        return (queue == null ? rules.of(target.address()) : queue.settings()).capacity();
    }

    /** Calls back for each queue that may be limited, and would get the message. */
    public void reached(Message message, Origin from, Consumer<Target> each) {
        Address address = message.address();
        if (bound.concern(address)) {
            Destinations destinations = bound.destinations(message, from);
            destinations.queues().forEach(queue -> each.accept(new Target(queue, null)));
            subscribers(destinations, each);
        } else if (address.kind() == AddressKind.QUEUE) {
            each.accept(new Target(address, null));
        } else if (limitsTopics || !bound.bindings().virtualTopics().isEmpty()) {
            Destinations destinations = new Destinations(address);
            topics.takers(address, message, from, destinations);
            subscribers(destinations, each);
        }
    }

    /** The queue of a virtual topic may be named beside it, and is not told of again. */
    private void subscribers(Destinations destinations, Consumer<Target> each) {
        for (Subscriber subscriber : destinations.subscribers()) {
            Target target = of(subscriber.queue());
            if (target.ofSubscriber() != null || !destinations.queues().contains(target.address())) {
                each.accept(target);
            }
        }
    }

    /**
     * Checks that no queue is too full for the message.
     *
     * @throws BrokerException QUEUE_FULL
     */
    void check(Message message, Origin from) {
        if (limits) {
            reached(message, from, target -> check(target, message));
        }
    }

    private void check(Target target, Message message) {
        CapacitySettings capacity = capacity(target);
        boolean tooLarge = isTooLarge(message, capacity) && capacity.whenFull() != WhenFull.PAGE;
        if (tooLarge || (capacity.whenFull() == WhenFull.REJECT && lacks(target, message))) {
            throw full(target);
        }
    }

    private static boolean isTooLarge(Message message, CapacitySettings capacity) {
        return capacity.maxBytes() > 0 && message.encodedBytes() > capacity.maxBytes();
    }

    private boolean lacks(Target target, Message message) {
        QueueState queue = queue(target);
        return queue == null
                ? capacity(target).exceeded(1, message.encodedBytes())
                : queue.room().lacks(message);
    }

    /** What a sender hears whose message there is no room for. */
    public BrokerException full(Target target) {
        CapacitySettings capacity = capacity(target);
        QueueState queue = queue(target);
        return new BrokerException(
                ErrorCode.QUEUE_FULL,
                target.address() + " holds " + (queue == null ? 0 : queue.depth()) + " messages of "
                        + (queue == null ? 0 : queue.room().bytes()) + " bytes already ("
                        + AddressSetting.MAX_MESSAGES.setting() + "=" + capacity.maxMessages() + ", "
                        + AddressSetting.MAX_BYTES.setting() + "=" + capacity.maxBytes() + ")");
    }

    /** A queue whose sender has to wait before the message; null if there is none. */
    public @Nullable QueueState mustWaitFor(Message message, Origin from) {
        if (!blocks) {
            return null;
        }
        QueueState[] full = new QueueState[1];
        reached(message, from, target -> {
            QueueState queue = queue(target);
            if (queue != null && blocks(queue, message)) {
                full[0] = queue;
            }
        });
        return full[0];
    }

    /** True if the sender has to wait; what would not fit into an empty queue does not. */
    private static boolean blocks(QueueState queue, Message message) {
        CapacitySettings capacity = queue.settings().capacity();
        return capacity.whenFull() == WhenFull.BLOCK
                && !queue.ended()
                && queue.depth() > 0
                && !isTooLarge(message, capacity)
                && queue.room().lacks(message);
    }
}
