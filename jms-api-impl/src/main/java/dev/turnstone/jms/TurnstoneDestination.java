package dev.turnstone.jms;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import org.jspecify.annotations.Nullable;

/** A destination of the API: the port's address, which decides equality. Immutable. */
abstract sealed class TurnstoneDestination implements Destination permits TurnstoneQueue, TurnstoneTopic {
    private final Address address;

    TurnstoneDestination(Address address) {
        this.address = address;
    }

    static TurnstoneDestination of(Address address) {
        return address.kind() == AddressKind.QUEUE ? new TurnstoneQueue(address) : new TurnstoneTopic(address);
    }

    /** The destination named, checked as {@link Address#parse} does. */
    static TurnstoneDestination named(AddressKind kind, @Nullable String name) throws JMSException {
        if (name == null) {
            throw new InvalidDestinationException("the name of a destination must not be null");
        }
        try {
            return of(Address.parse(kind, name));
        } catch (BrokerException e) {
            throw Errors.of(e);
        }
    }

    /** Ours only: what a program may send to or consume from. */
    static TurnstoneDestination own(@Nullable Destination destination) throws InvalidDestinationException {
        if (destination instanceof TurnstoneDestination own) {
            return own;
        }
        throw new InvalidDestinationException(
                destination == null
                        ? "a destination is needed"
                        : "a destination of another provider: "
                                + destination.getClass().getName());
    }

    /** Ours, or one of ours with the name of another provider's; null for null. What a message header may hold. */
    static @Nullable TurnstoneDestination adopted(@Nullable Destination destination) throws JMSException {
        if (destination == null || destination instanceof TurnstoneDestination) {
            return (TurnstoneDestination) destination;
        } else if (destination instanceof Queue queue) {
            return named(AddressKind.QUEUE, queue.getQueueName());
        } else if (destination instanceof Topic topic) {
            return named(AddressKind.TOPIC, topic.getTopicName());
        }
        throw new InvalidDestinationException("neither a queue nor a topic: " + destination.getClass());
    }

    final Address address() {
        return address;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof TurnstoneDestination that && address.equals(that.address);
    }

    @Override
    public final int hashCode() {
        return address.hashCode();
    }

    @Override
    public final String toString() {
        return address.name();
    }
}
