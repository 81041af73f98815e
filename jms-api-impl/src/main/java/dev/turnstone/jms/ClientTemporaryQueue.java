package dev.turnstone.jms;

import dev.turnstone.port.Address;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryQueue;

/** A queue that lives as long as its connection, or until it is deleted (Jakarta Messaging 3.1 §6.2.2). */
final class ClientTemporaryQueue extends TurnstoneDestination implements TemporaryQueue {
    private static final long serialVersionUID = 1;

    private final transient Temporaries owner;

    ClientTemporaryQueue(Address address, Temporaries owner) {
        super(address);
        this.owner = owner;
    }

    @Override
    public String getQueueName() {
        return address().name();
    }

    @Override
    public void delete() throws JMSException {
        owner.delete(address());
    }
}
