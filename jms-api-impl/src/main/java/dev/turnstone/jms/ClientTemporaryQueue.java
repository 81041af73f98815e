package dev.turnstone.jms;

import dev.turnstone.port.Address;
import dev.turnstone.port.ConsumerOptions;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryQueue;
import org.jspecify.annotations.Nullable;

/** A queue that lives as long as its connection, or until it is deleted (Jakarta Messaging 3.1 §6.2.2). */
final class ClientTemporaryQueue extends TurnstoneDestination implements TemporaryQueue {
    private static final long serialVersionUID = 1;

    private final transient @Nullable Temporaries owner;

    /** Without an owner, one that came in a message or was copied: it can be sent to, and not deleted. */
    ClientTemporaryQueue(Address address, @Nullable Temporaries owner) {
        super(address, ConsumerOptions.DEFAULTS);
        this.owner = owner;
    }

    @Override
    public String getQueueName() {
        return address().name();
    }

    @Override
    public void delete() throws JMSException {
        Temporaries.delete(owner, address());
    }
}
