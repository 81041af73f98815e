package dev.turnstone.spi;

/** What one may want to do with an address. */
public enum Action {
    /** Send messages to it. */
    SEND("send to"),
    /** Take messages from it: from the queue, or by a subscription of the topic. */
    CONSUME("consume from"),
    /** Look at a queue's messages without taking them. */
    BROWSE("browse"),
    /** Make what outlives its maker: a durable subscription of the topic. */
    CREATE("create durable subscriptions of"),
    /** Delete what {@link #CREATE} makes, or the queue itself. */
    DELETE("delete, or delete durable subscriptions of,"),
    /** What no verb of a protocol asks for: kept for tools that move, purge or count what is there. */
    MANAGE("manage");

    private final String words;

    Action(String words) {
        this.words = words;
    }

    /** How a refusal says it, before the address. */
    public String words() {
        return words;
    }
}
