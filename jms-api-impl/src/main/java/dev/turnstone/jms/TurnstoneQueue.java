package dev.turnstone.jms;

import dev.turnstone.port.Address;
import dev.turnstone.port.ConsumerOptions;
import jakarta.jms.Queue;

/** A queue by its name. */
final class TurnstoneQueue extends TurnstoneDestination implements Queue {
    private static final long serialVersionUID = 1;

    TurnstoneQueue(Address address, ConsumerOptions options) {
        super(address, options);
    }

    @Override
    public String getQueueName() {
        return address().name();
    }
}
