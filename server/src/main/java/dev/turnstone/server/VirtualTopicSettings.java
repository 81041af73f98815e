package dev.turnstone.server;

import dev.turnstone.broker.binding.VirtualTopics;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.server.config.Setting;

/**
 * Topics whose subscribers are queues by their names, as it is written.
 *
 * @param topics which topics
 * @param queues what stands before the topic's name in that of a queue
 */
record VirtualTopicSettings(
        @Setting(value = "a pattern of topics, such as `VirtualTopic.>`", required = true)
        String topics,

        @Setting(
                value = "the levels before the topic's name in the name of a queue that subscribes",
                standard = "Consumer.*")
        String queues) {
    /** Checks what is written. */
    VirtualTopicSettings {
        new VirtualTopics(queues, Address.pattern(AddressKind.TOPIC, topics));
    }

    /** What it means. */
    VirtualTopics virtualTopics() {
        return new VirtualTopics(queues, Address.pattern(AddressKind.TOPIC, topics));
    }
}
