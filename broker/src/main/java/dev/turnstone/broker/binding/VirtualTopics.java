package dev.turnstone.broker.binding;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Topics whose subscribers are queues by their names: with the prefix {@code Consumer.*} and the topics
 * {@code VirtualTopic.>}, the queue {@code Consumer.A.VirtualTopic.Orders} gets what is sent to the topic
 * {@code VirtualTopic.Orders}, from its first use on, and lives without a consumer.
 *
 * @param prefix the levels before the topic's name, with {@code *} for any one
 * @param topics a pattern of topics
 */
public record VirtualTopics(String prefix, Address topics) {
    /**
     * Checks that these are a prefix and topics.
     *
     * @throws BrokerException INVALID_CONFIGURATION if not
     */
    public VirtualTopics {
        if (topics.kind() != AddressKind.TOPIC) {
            throw new BrokerException(ErrorCode.INVALID_CONFIGURATION, "virtual topics are topics, not " + topics);
        }
        if (prefix.isEmpty() || prefix.endsWith(".") || prefix.equals(">") || prefix.endsWith(".>")) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the prefix of the queues of " + topics + " must be levels, such as 'Consumer.*', not '" + prefix
                            + "'");
        }
        Address.pattern(AddressKind.QUEUE, prefix);
    }

    /** The topic that a queue subscribes to by its name, or null if it does not. */
    public @Nullable Address topicOf(Address queue) {
        String name = queue.name();
        int at = 0;
        for (int level = prefix.split("\\.", -1).length; level > 0; level--) {
            at = name.indexOf('.', at) + 1;
            if (at == 0) {
                return null;
            }
        }
        if (at >= name.length()
                || !Address.pattern(AddressKind.QUEUE, prefix).matches(Address.queue(name.substring(0, at - 1)))) {
            return null;
        }
        Address topic = Address.topic(name.substring(at));
        return topics.matches(topic) ? topic : null;
    }
}
