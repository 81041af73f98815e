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
    private boolean limits;
    private boolean limitsTopics;
    private boolean blocks;

    Admission(Map<Address, QueueHome> queues, Topics topics, BoundRoutes bound, Waiting waiting) {
        this.queues = queues;
        this.topics = topics;
        this.bound = bound;
        this.waiting = waiting;
    }

    void configure(AddressRules rules) {
        limits = rules.limits(null);
        limitsTopics = rules.limits(AddressKind.TOPIC);
        blocks = limits && rules.gives(AddressSetting.WHEN_FULL, WhenFull.BLOCK);
    }

    /** The queues that senders wait for. */
    public Waiting waiting() {
        return waiting;
    }

    /** True if some queues may hold only so much. */
    public boolean limits() {
        return limits;
    }

    /** Calls back for each queue that there is, may be limited, and would get the message. */
    public void reached(Message message, Origin from, Consumer<QueueState> each) {
        Address address = message.address();
        if (bound.concern(address)) {
            Destinations destinations = bound.destinations(message, from);
            destinations.queues().forEach(queue -> reached(queue, each));
            destinations.subscribers().forEach(subscriber -> each.accept(subscriber.queue()));
        } else if (address.kind() == AddressKind.QUEUE) {
            reached(address, each);
        } else if (limitsTopics) {
            Destinations destinations = new Destinations(address);
            topics.takers(address, message, from, destinations);
            destinations.subscribers().forEach(subscriber -> each.accept(subscriber.queue()));
        }
    }

    private void reached(Address address, Consumer<QueueState> each) {
        QueueHome home = queues.get(address);
        if (home != null) {
            each.accept(home.queue());
        }
    }

    /**
     * Checks that no queue is too full for the message.
     *
     * @throws BrokerException QUEUE_FULL
     */
    void check(Message message, Origin from) {
        if (limits) {
            reached(message, from, queue -> check(queue, message.encodedBytes()));
        }
    }

    private static void check(QueueState queue, long bytes) {
        CapacitySettings capacity = queue.settings().capacity();
        boolean tooLarge =
                capacity.maxBytes() > 0 && bytes > capacity.maxBytes() && capacity.whenFull() != WhenFull.PAGE;
        if (tooLarge || (capacity.whenFull() == WhenFull.REJECT && queue.room().lacks(1, bytes))) {
            throw full(queue);
        }
    }

    /** What a sender hears whose message there is no room for. */
    public static BrokerException full(QueueState queue) {
        CapacitySettings capacity = queue.settings().capacity();
        return new BrokerException(
                ErrorCode.QUEUE_FULL,
                queue.address() + " holds " + queue.depth() + " messages of "
                        + queue.room().bytes() + " bytes already ("
                        + AddressSetting.MAX_MESSAGES.setting() + "=" + capacity.maxMessages() + ", "
                        + AddressSetting.MAX_BYTES.setting() + "=" + capacity.maxBytes() + ")");
    }

    /** A queue whose sender has to wait before the message; null if there is none. */
    public @Nullable QueueState mustWaitFor(Message message, Origin from) {
        if (!blocks) {
            return null;
        }
        QueueState[] full = new QueueState[1];
        reached(message, from, queue -> {
            if (blocks(queue, message.encodedBytes())) {
                full[0] = queue;
            }
        });
        return full[0];
    }

    /** True if the sender of so much has to wait; what would not fit into an empty queue does not. */
    private static boolean blocks(QueueState queue, long bytes) {
        CapacitySettings capacity = queue.settings().capacity();
        return capacity.whenFull() == WhenFull.BLOCK
                && !queue.ended()
                && queue.depth() > 0
                && !(capacity.maxBytes() > 0 && bytes > capacity.maxBytes())
                && queue.room().lacks(1, bytes);
    }
}
