package dev.turnstone.broker.route;

import dev.turnstone.port.Address;
import java.util.LinkedHashSet;
import java.util.Set;

/** All who want to know of queues. Owned by the engine thread. */
public final class QueueWatches {
    private final Set<Address> queues;
    private final Set<QueueWatch> watches = new LinkedHashSet<>();

    /** Of these queues, and those that come. */
    QueueWatches(Set<Address> queues) {
        this.queues = queues;
    }

    /** Tells of the queues that there are, and from now on of those that come. */
    public void begin(QueueWatch watch) {
        watches.add(watch);
        queues.forEach(watch::made);
    }

    /** From now on it hears nothing. */
    public void end(QueueWatch watch) {
        watches.remove(watch);
    }

    /** There is a queue that there was not before. */
    void made(Address queue) {
        watches.forEach(watch -> watch.made(queue));
    }
}
