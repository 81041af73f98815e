package dev.turnstone.jms;

import dev.turnstone.port.Address;
import jakarta.jms.Queue;

/** A queue by its name. */
final class TurnstoneQueue extends TurnstoneDestination implements Queue {
    private static final long serialVersionUID = 1;

    TurnstoneQueue(Address address) {
        super(address);
    }

    @Override
    public String getQueueName() {
        return address().name();
    }
}
