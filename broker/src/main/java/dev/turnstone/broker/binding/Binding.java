package dev.turnstone.broker.binding;

import dev.turnstone.broker.filter.Selector;
import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are sent to one place also go, or go instead, to another.
 *
 * @param source a queue or topic, or a pattern of such
 * @param selector a Jakarta Messaging selector of the messages that it is about, or null for all
 * @param target the queue or topic that gets them
 * @param mode whether the source keeps them
 */
public record Binding(Address source, @Nullable String selector, Address target, Mode mode) {
    /** What becomes of a message at the source. */
    public enum Mode {
        /** The source gets it as without the binding; the target does too. */
        COPY,
        /** The target gets it, the source does not. */
        MOVE,
        /** The target gets it if nobody else does: neither a queue, nor a subscription, nor another binding. */
        ALTERNATE
    }

    /**
     * Checks that it can be.
     *
     * @throws BrokerException INVALID_CONFIGURATION if the target is not one durable place, or the selector is wrong
     */
    public Binding {
        if (target.isPattern() || target.isSubscription() || target.isTemporary() || target.isComposite()) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the binding of " + source + ": its target must be one queue or topic, not " + target);
        }
        if (source.isSubscription() || source.isComposite() || source.isTemporary()) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION, "a binding's source is queues or topics, not " + source);
        }
        try {
            Selector.compile(selector);
        } catch (BrokerException e) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION, "the binding of " + source + ": " + e.getMessage(), e);
        }
    }

    /** The target gets a copy of everything. */
    public static Binding copy(Address source, Address target) {
        return new Binding(source, null, target, Mode.COPY);
    }

    /** The source is another name of the target. */
    public static Binding alias(Address source, Address target) {
        return new Binding(source, null, target, Mode.MOVE);
    }

    /** The target gets what nobody gets. */
    public static Binding alternate(Address source, Address target) {
        return new Binding(source, null, target, Mode.ALTERNATE);
    }

    @Override
    public String toString() {
        return source + " -> " + target;
    }
}
