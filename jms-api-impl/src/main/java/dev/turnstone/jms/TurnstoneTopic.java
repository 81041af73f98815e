package dev.turnstone.jms;

import dev.turnstone.port.Address;
import jakarta.jms.Topic;

/** A topic by its name. */
final class TurnstoneTopic extends TurnstoneDestination implements Topic {
    private static final long serialVersionUID = 1;

    TurnstoneTopic(Address address) {
        super(address);
    }

    @Override
    public String getTopicName() {
        return address().name();
    }
}
