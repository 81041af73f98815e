package dev.turnstone.jms;

import jakarta.jms.IllegalStateException;

/**
 * Which of the API's domains a connection or session was made for: the older ones refuse the other's methods (§6.1.1,
 * §6.2.1).
 */
enum Domain {
    /** Both queues and topics. */
    COMMON,
    /** Queues alone: QueueConnection and QueueSession. */
    QUEUE,
    /** Topics alone: TopicConnection and TopicSession. */
    TOPIC;

    void checkQueues(String method) throws IllegalStateException {
        if (this == TOPIC) {
            throw Errors.illegal(method + " is not for a topic connection or session");
        }
    }

    void checkTopics(String method) throws IllegalStateException {
        if (this == QUEUE) {
            throw Errors.illegal(method + " is not for a queue connection or session");
        }
    }
}
