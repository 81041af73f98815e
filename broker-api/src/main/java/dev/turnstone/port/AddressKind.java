package dev.turnstone.port;

/** What an address does with a message: a queue gives it to one consumer, a topic to each subscription. */
public enum AddressKind {
    /** Each message goes to one consumer. */
    QUEUE,
    /** Each message goes to every subscription that exists when it is sent. */
    TOPIC
}
