package dev.turnstone.broker.route;

import dev.turnstone.port.Address;
import java.util.function.Consumer;

/** Somebody who wants to know which queues of a pattern there are. Owned by the engine thread. */
public final class QueueWatch {
    private final Address pattern;
    private final Consumer<Address> found;

    /** Who hears of queues of this pattern, temporary ones apart. */
    public QueueWatch(Address pattern, Consumer<Address> found) {
        this.pattern = pattern;
        this.found = found;
    }

    void made(Address queue) {
        if (!queue.isTemporary() && pattern.matches(queue)) {
            found.accept(queue);
        }
    }
}
