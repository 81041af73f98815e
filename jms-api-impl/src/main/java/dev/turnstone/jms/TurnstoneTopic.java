package dev.turnstone.jms;

import dev.turnstone.port.Address;
import dev.turnstone.port.ConsumerOptions;
import jakarta.jms.Topic;

/** A topic by its name. */
final class TurnstoneTopic extends TurnstoneDestination implements Topic {
    private static final long serialVersionUID = 1;

    TurnstoneTopic(Address address, ConsumerOptions options) {
        super(address, options);
    }

    @Override
    public String getTopicName() {
        return address().name();
    }
}
