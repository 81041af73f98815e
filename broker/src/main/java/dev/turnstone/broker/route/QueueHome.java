package dev.turnstone.broker.route;

import dev.turnstone.broker.queue.Home;
import dev.turnstone.broker.queue.QueueContext;
import dev.turnstone.broker.queue.QueueIdentity;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.QueueRecord;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import org.jspecify.annotations.Nullable;

/**
 * A queue at its address, created when first used, gone when idle, unless it subscribes to a topic by its name. Owned
 * by the engine thread.
 */
final class QueueHome implements Home, Subscriber {
    private final Address address;
    private final Addresses addresses;
    private final QueueState queue;
    private boolean recorded;
    private @Nullable Filter filter;
    /** When it ends if it is idle until then; 0 if that is not known. */
    long endsMs;

    QueueHome(QueueIdentity identity, boolean recorded, Addresses addresses, QueueContext context) {
        this.address = identity.address();
        this.addresses = addresses;
        this.recorded = recorded;
        this.queue = new QueueState(identity, addresses.settings(address), this, context);
    }

    Address address() {
        return address;
    }

    @Override
    public QueueState queue() {
        return queue;
    }

    @Override
    public long order() {
        return queue.id();
    }

    @Override
    public boolean durable() {
        return queue.durable();
    }

    @Override
    public boolean hasRoomFor(Message message) {
        return true;
    }

    /** It is a subscriber by its name, and stays; null if it is none. */
    void subscribes(@Nullable Filter toTopic) {
        filter = toTopic;
    }

    @Nullable
    Filter filter() {
        return filter;
    }

    /** Records the queue before the first message that must find it after a restart. */
    void ensureRecorded(Log log) {
        if (!recorded) {
            recorded = true;
            log.add(queue.id(), RecordType.QUEUE, new QueueRecord(address));
        }
    }

    @Override
    public void idle(QueueState idle) {
        if (!idle.ended() && filter == null) {
            addresses.idle(this);
        }
    }

    /** True if it is empty and has no consumers, and does not subscribe. */
    boolean isIdle() {
        return filter == null && queue.depth() == 0 && !queue.hasConsumers();
    }

    /**
     * The home of a queue that nobody uses.
     *
     * @throws BrokerException INVALID_ADDRESS if there is none; SUBSCRIPTION_IN_USE while it has a consumer, or
     *     deliveries that are not settled
     */
    static QueueHome unused(@Nullable QueueHome home, Address address) {
        if (home == null) {
            throw new BrokerException(ErrorCode.INVALID_ADDRESS, "there is no " + address);
        }
        if (home.queue.inUse()) {
            throw new BrokerException(
                    ErrorCode.SUBSCRIPTION_IN_USE,
                    "the " + address + " has a consumer, or deliveries that are not settled");
        }
        return home;
    }

    /** Ends the queue; its messages, if any, leave. */
    void end(Log log) {
        queue.end();
        if (recorded) {
            recorded = false;
            log.delete(queue.id());
        }
    }
}
