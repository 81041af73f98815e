package dev.turnstone.broker.limit;

/** One named limit or tuning value of the engine: its setting's name, unit, default and range. */
public enum Limit {
    /** The largest body of a message. */
    MESSAGE_BYTES_MAX("message.bytesMax", "bytes", 1 << 20, 1, 1 << 20),
    /** The most that a message's fields and properties may take together. */
    MESSAGE_HEADER_BYTES_MAX("message.headerBytesMax", "bytes", 32 << 10, 256, 60 << 10),
    /** Connections at a time. */
    CONNECTIONS_MAX("connections.max", "connections", 10_000, 1, 10_000_000),
    /** Connections of one user at a time. */
    USER_CONNECTIONS_MAX("connections.perUserMax", "connections", 10_000, 1, 10_000_000),
    /** Logins that are being checked at a time. */
    LOGINS_MAX("logins.max", "logins", 1_000, 1, 1_000_000),
    /** Addresses for which one connection remembers what it may do there. */
    DECISIONS_MAX("connection.decisionsMax", "addresses", 256, 1, 1_000_000),
    /** Sessions of one connection. */
    SESSIONS_MAX("connection.sessionsMax", "sessions", 10_000, 1, 1_000_000),
    /** Consumers of one session. */
    CONSUMERS_MAX("session.consumersMax", "consumers", 10_000, 1, 1_000_000),
    /** Deliveries that one consumer may have allowed and unsettled together. */
    CREDIT_MAX("consumer.creditMax", "messages", 1_000_000, 1, Integer.MAX_VALUE),
    /** Queues, topics and subscriptions that exist at a time. */
    ADDRESSES_MAX("addresses.max", "addresses", 1_000_000, 1, 100_000_000),
    /** Open transactions of one session. */
    TRANSACTIONS_MAX("session.transactionsMax", "transactions", 1_000, 1, 1_000_000),
    /** What one transaction may send. */
    TX_BYTES_MAX("tx.maxBytes", "bytes", 16 << 20, 1 << 10, 1L << 40),
    /** How many messages one transaction may send. */
    TX_SENDS_MAX("tx.maxSends", "messages", 100_000, 1, Integer.MAX_VALUE),
    /** What messages may take in memory before producers are paused; by default half of the largest heap. */
    MEMORY_MAX("memory.max", "bytes", Math.max(8L << 20, Runtime.getRuntime().maxMemory() / 2), 1 << 20, 1L << 50),
    /** What all sessions together may have posted and not yet been taken by the engine. */
    MAILBOX_BYTES_MAX(
            "mailbox.bytesMax", "bytes", Math.max(4L << 20, Runtime.getRuntime().maxMemory() / 16), 1 << 20, 1L << 40),
    /** Commands that one session may have posted and not yet been taken by the engine. */
    SESSION_POSTED_MAX("session.postedMax", "commands", 8_192, 1, 10_000_000),
    /** Bytes of messages that one session may have posted and not yet been taken by the engine. */
    SESSION_POSTED_BYTES_MAX("session.postedBytesMax", "bytes", 4L << 20, 1 << 10, 1L << 40),
    /** Commands that one turn of the engine takes before it hands its records to the journal. */
    TURN_COMMANDS("turn.commands", "commands", 4_096, 1, 1_000_000),
    /** Deliveries of one queue in one turn before the next queue has its go. */
    TURN_DELIVERIES("turn.deliveries", "messages", 1_024, 1, 1_000_000),
    /** Entries that one selector looks at in one turn. */
    TURN_SCAN("turn.scan", "messages", 4_096, 1, 10_000_000),
    /** Entries past the last dispatched one that may come back flagged after a crash of the broker. */
    DISPATCH_BLOCK("dispatch.block", "messages", 1_000, 1, 1_000_000),
    /** Settles of a subscription after which they are folded into one record. */
    SETTLE_FOLD("settle.fold", "records", 256, 1, 1_000_000);

    private final String setting;
    private final String unit;
    private final long standard;
    private final long least;
    private final long most;

    Limit(String setting, String unit, long standard, long least, long most) {
        this.setting = setting;
        this.unit = unit;
        this.standard = standard;
        this.least = least;
        this.most = most;
    }

    /** The name in configuration and error messages. */
    public String setting() {
        return setting;
    }

    /** What it counts. */
    public String unit() {
        return unit;
    }

    /** The value when nothing is configured. */
    public long standard() {
        return standard;
    }

    long least() {
        return least;
    }

    long most() {
        return most;
    }
}
