package dev.turnstone.jms;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ConsumerOptions;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.io.Serializable;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;
import org.jspecify.annotations.Nullable;

/**
 * A destination of the API: a kind and a name, which decide equality. Immutable. It belongs to no connection, so a
 * program may make one before it connects, store it in a directory as a {@link Reference}, or serialise it.
 */
public abstract sealed class TurnstoneDestination implements Destination, Referenceable, Serializable
        permits TurnstoneQueue, TurnstoneTopic, ClientTemporaryQueue, ClientTemporaryTopic {
    private static final long serialVersionUID = 1;

    private final transient Address address;
    private final transient ConsumerOptions options;

    /** A destination as it is serialised. */
    private record Written(AddressKind kind, String name) implements Serializable {
        private Object readResolve() {
            return read(kind, name);
        }
    }

    TurnstoneDestination(Address address, ConsumerOptions options) {
        this.address = address;
        this.options = options;
    }

    /**
     * The queue with this name, as {@link Session#createQueue} makes it.
     *
     * @throws InvalidDestinationException if that is not the name of a queue
     */
    public static Queue queue(String name) throws JMSException {
        return (Queue) named(AddressKind.QUEUE, name);
    }

    /**
     * The topic with this name, as {@link Session#createTopic} makes it.
     *
     * @throws InvalidDestinationException if that is not the name of a topic
     */
    public static Topic topic(String name) throws JMSException {
        return (Topic) named(AddressKind.TOPIC, name);
    }

    /**
     * Deletes a queue with its messages; its next use makes it anew, if it may. For queues that stay by their settings,
     * and for whatever else nobody needs any more.
     *
     * @param session a session of this provider
     * @throws jakarta.jms.IllegalStateException while the queue has a consumer, or messages that are not acknowledged
     * @throws InvalidDestinationException if there is no such queue, or it is a temporary one
     */
    public static void delete(Session session, Queue queue) throws JMSException {
        if (!(session instanceof ClientSession own)) {
            throw new JMSException("a session of another provider: " + session.getClass(), "FOREIGN_SESSION");
        }
        own.delete(queue);
    }

    static TurnstoneDestination of(Address address) {
        return of(address, ConsumerOptions.DEFAULTS);
    }

    private static TurnstoneDestination of(Address address, ConsumerOptions options) {
        boolean queue = address.kind() == AddressKind.QUEUE;
        if (address.isTemporary()) {
            return queue ? new ClientTemporaryQueue(address, null) : new ClientTemporaryTopic(address, null);
        }
        return queue ? new TurnstoneQueue(address, options) : new TurnstoneTopic(address, options);
    }

    /** A pattern names many topics, but a consumer has one queue. */
    private static TurnstoneDestination read(AddressKind kind, String text) {
        DestinationText read = DestinationText.of(text);
        return of(
                kind == AddressKind.TOPIC ? Address.pattern(kind, read.name()) : Address.parse(kind, read.name()),
                read.options());
    }

    /** The destination, or pattern of topics, with this name. */
    static TurnstoneDestination named(AddressKind kind, @Nullable String name) throws JMSException {
        if (name == null) {
            throw new InvalidDestinationException("the name of a destination must not be null");
        }
        try {
            return read(kind, name);
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

    /** Ours only, and one rather than a pattern of many: what a program may send to. */
    static TurnstoneDestination target(@Nullable Destination destination) throws InvalidDestinationException {
        TurnstoneDestination own = own(destination);
        if (own.address.isPattern()) {
            throw new InvalidDestinationException(
                    "a message is sent to one destination, and '" + own + "' is a pattern of many");
        }
        return own;
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

    /** How consumers of it stand beside others. */
    final ConsumerOptions options() {
        return options;
    }

    /** The name with the options, as {@link #named} reads it. */
    private String text() {
        return DestinationText.write(address.name(), options);
    }

    /** For a directory: {@link TurnstoneObjectFactory} makes the destination of it. */
    @Override
    public final Reference getReference() {
        String type = address.kind() == AddressKind.QUEUE ? Queue.class.getName() : Topic.class.getName();
        return new Reference(
                type,
                new StringRefAddr(TurnstoneObjectFactory.NAME, text()),
                TurnstoneObjectFactory.class.getName(),
                null);
    }

    /** What is written for this: without the classes inside. */
    final Object writeReplace() {
        return new Written(address.kind(), text());
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
