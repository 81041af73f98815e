package dev.turnstone.broker.route;

import dev.turnstone.broker.queue.Home;
import dev.turnstone.broker.queue.QueueContext;
import dev.turnstone.broker.queue.QueueIdentity;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.QueueRecord;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.port.Address;

/** A queue at its address, created when first used, gone when idle. Owned by the engine thread. */
final class QueueHome implements Home {
    private final Address address;
    private final Addresses addresses;
    private final QueueState queue;
    private boolean recorded;

    QueueHome(QueueIdentity identity, boolean recorded, Addresses addresses, QueueContext context) {
        this.address = identity.address();
        this.addresses = addresses;
        this.recorded = recorded;
        this.queue = new QueueState(identity, addresses.settings(address), this, context);
    }

    Address address() {
        return address;
    }

    QueueState queue() {
        return queue;
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
        if (!idle.ended()) {
            addresses.drop(this);
        }
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
