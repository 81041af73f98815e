package dev.turnstone.broker.limit;

import dev.turnstone.port.Session;

/** One named limit or tuning value of the engine: its setting's name, unit, default and range. */
public enum Limit {
    MESSAGE_BYTES_MAX(
            "message.bytesMax",
            "bytes",
            1 << 20,
            1,
            1 << 20,
            "largest body that is kept in one piece with its message (at most 1 MiB)"),
    MESSAGE_LARGE_BYTES_MAX(
            "message.largeBytesMax",
            "bytes",
            16L << 30,
            0,
            1L << 38,
            "largest body of all: those larger than message.bytesMax are kept apart, in chunks"),
    MESSAGE_CHUNK_BYTES(
            "message.chunkBytes",
            "bytes",
            512 << 10,
            1,
            16 << 20,
            "length of the chunks of bodies that are kept apart"),
    BODY_CHUNKS_MAX(
            "body.chunksMax",
            "chunks",
            16,
            1,
            1_000,
            "chunks that one session may have under way, in and out together"),
    BODIES_MAX(
            "session.bodiesMax",
            "bodies",
            1_000,
            1,
            1_000_000,
            "large bodies that one session makes or reads at a time"),
    MESSAGE_HEADER_BYTES_MAX(
            "message.headerBytesMax",
            "bytes",
            32 << 10,
            256,
            60 << 10,
            "most that a message's fields and properties may take together"),
    CONNECTIONS_MAX("connections.max", "connections", 10_000, 1, 10_000_000, "connections at a time"),
    USER_CONNECTIONS_MAX(
            "connections.perUserMax", "connections", 10_000, 1, 10_000_000, "connections of one user at a time"),
    LOGINS_MAX("logins.max", "logins", 1_000, 1, 1_000_000, "logins that are being checked at a time"),
    DECISIONS_MAX(
            "connection.decisionsMax",
            "addresses",
            256,
            1,
            1_000_000,
            "addresses for which one connection remembers what it may do there"),
    SESSIONS_MAX("connection.sessionsMax", "sessions", 10_000, 1, 1_000_000, "sessions of one connection"),
    CONSUMERS_MAX("session.consumersMax", "consumers", 10_000, 1, 1_000_000, "consumers of one session"),
    CREDIT_MAX(
            "consumer.creditMax",
            "messages",
            1_000_000,
            1,
            Integer.MAX_VALUE,
            "deliveries that one consumer may have allowed and unsettled together"),
    CONSUMER_BYTES_MAX(
            "consumer.bytesMax",
            "bytes",
            Math.max(1L << 20, Runtime.getRuntime().maxMemory() / 32),
            Session.UNTOLD_BYTES_MAX,
            1L << 50,
            "messages that one consumer may have been given which nobody has taken: its client's socket, or its "
                    + "application in this JVM; a single one may be larger"),
    GROUPS_ASIDE(
            "groups.asideMax",
            "messages",
            1_000,
            0,
            10_000_000,
            "messages of a queue that wait aside for the busy consumer of their group, before all others wait too"),
    ADDRESSES_MAX(
            "addresses.max",
            "addresses",
            1_000_000,
            1,
            100_000_000,
            "queues, topics and subscriptions that exist at a time"),
    ROUTES_MAX(
            "routes.max",
            "topics",
            16_384,
            1,
            100_000_000,
            "topics for which the broker remembers who subscribes to them"),
    FILTERS_MAX("subscription.filtersMax", "filters", 10_000, 1, 10_000_000, "filters of one subscription's queue"),
    RETAINED_MAX("retained.max", "messages", 1_000_000, 0, 100_000_000, "topics that retain a message"),
    RETAINED_AHEAD(
            "retained.ahead",
            "messages",
            1_000,
            1,
            10_000_000,
            "retained messages that wait in a subscriber's queue; the rest follow as it consumes"),
    TRANSACTIONS_MAX(
            "session.transactionsMax", "transactions", 1_000, 1, 1_000_000, "open transactions of one session"),
    TX_BYTES_MAX("tx.maxBytes", "bytes", 256 << 20, 1 << 10, 1L << 40, "what one transaction may send"),
    TX_MEMORY(
            "tx.memory",
            "bytes",
            Math.min(16L << 20, Math.max(1L << 20, Runtime.getRuntime().maxMemory() / 64)),
            1,
            1L << 40,
            "what the messages of one transaction may take in memory before they are moved to page files"),
    TX_SENDS_MAX(
            "tx.maxSends", "messages", 100_000, 1, Integer.MAX_VALUE, "how many messages one transaction may send"),
    TX_SETTLES_MAX(
            "tx.maxSettles",
            "deliveries",
            Math.min(1_000_000, Math.max(10_000, Runtime.getRuntime().maxMemory() >> 11)),
            1,
            Integer.MAX_VALUE,
            "how many deliveries one transaction may settle"),
    MEMORY_MAX(
            "memory.max",
            "bytes",
            Math.max(8L << 20, Runtime.getRuntime().maxMemory() / 2),
            1 << 20,
            1L << 50,
            "what messages may take in memory before producers are paused"),
    DISK_WAIT_MS(
            "disk.waitMs",
            "milliseconds",
            10_000,
            0,
            Long.MAX_VALUE >> 2,
            "how long sends wait for room after the disk has become full, before they are refused"),
    MEMORY_PAGE_OUT(
            "memory.pageOut",
            "percent of memory.max",
            70,
            0,
            100,
            "what messages may take in memory before those of any queue are moved to page files"),
    ADDRESS_MEMORY_MAX(
            "address.memoryMax",
            "bytes",
            Math.max(4L << 20, Runtime.getRuntime().maxMemory() / 8),
            1,
            1L << 50,
            "what the messages of one queue or subscription may take in memory before they are moved to page files"),
    PAGE_BYTES("page.bytes", "bytes", 1 << 20, 1, 16 << 20, "how much is moved out of memory as one page file"),
    MAILBOX_BYTES_MAX(
            "mailbox.bytesMax",
            "bytes",
            Math.max(4L << 20, Runtime.getRuntime().maxMemory() / 16),
            1 << 20,
            1L << 40,
            "what all sessions together may have posted and the engine not yet taken"),
    SESSION_POSTED_MAX(
            "session.postedMax",
            "commands",
            8_192,
            1,
            10_000_000,
            "commands that one session may have posted and the engine not yet taken"),
    SESSION_POSTED_BYTES_MAX(
            "session.postedBytesMax",
            "bytes",
            4L << 20,
            1 << 10,
            1L << 40,
            "bytes of messages that one session may have posted and the engine not yet taken"),
    TURN_COMMANDS(
            "turn.commands",
            "commands",
            4_096,
            1,
            1_000_000,
            "commands that the engine takes before it hands its records to the journal"),
    TURN_DELIVERIES(
            "turn.deliveries",
            "messages",
            1_024,
            1,
            1_000_000,
            "deliveries of one queue before the next one has its go"),
    TURN_SCAN("turn.scan", "messages", 4_096, 1, 10_000_000, "entries that one selector looks at in one go"),
    DISPATCH_BLOCK(
            "dispatch.block",
            "messages",
            1_000,
            1,
            1_000_000,
            "entries past the last dispatched one that may come back flagged as redelivered after a crash"),
    TX_MAX("tx.max", "transactions", 100_000, 1, 100_000_000, "sessions' own transactions that are open at a time"),
    TX_BRANCHES_MAX(
            "tx.branchesMax",
            "branches",
            10_000,
            1,
            10_000_000,
            "branches of global transactions that are there at a time, prepared ones included"),
    TX_AGE_MAX(
            "tx.maxAgeMs",
            "milliseconds",
            3_600_000,
            1,
            1L << 40,
            "how long a transaction may be open, or a branch not prepared, before it is rolled back"),
    DEDUP_HORIZON_MS(
            "dedup.horizonMs",
            "milliseconds",
            600_000,
            1,
            1L << 40,
            "how long identities of messages and outcomes of commits are remembered at least"),
    DEDUP_IDS_MAX(
            "dedup.idsMax",
            "identities",
            1_000_000,
            2,
            1_000_000_000,
            "identities of messages and commits that are remembered at a time, at about 27 bytes each"),
    DEDUP_PRODUCERS_MAX(
            "dedup.producersMax",
            "producers",
            100_000,
            1,
            100_000_000,
            "producers with numbered messages that are remembered at a time, counted once for each address"),
    STATE_KEY_BYTES_MAX(
            "state.keyBytesMax",
            "bytes",
            1_024,
            16,
            32 << 10,
            "what namespace and key of one value of protocol state may take together, in UTF-8"),
    STATE_VALUE_BYTES_MAX(
            "state.valueBytesMax", "bytes", 4 << 10, 1, 4 << 10, "what one value of protocol state may take"),
    STATE_CHANGES_MAX(
            "state.changesMax", "changes", 1_000, 1, 100_000, "changes of protocol state that one command may carry"),
    STATE_KEYS_MAX(
            "state.keysMax", "keys", 10_000_000, 1, 1_000_000_000, "keys of protocol state that exist at a time"),
    STATE_BYTES_MAX(
            "state.bytesMax",
            "bytes",
            Math.max(4L << 20, Runtime.getRuntime().maxMemory() / 8),
            1 << 10,
            1L << 50,
            "what all protocol state may take in memory"),
    STATE_PAGE_MAX("state.pageMax", "entries", 1_000, 1, 100_000, "entries of one page of a listing of protocol state"),
    SETTLE_FOLD(
            "settle.fold",
            "records",
            256,
            1,
            1_000_000,
            "settles of a subscription after which they are folded into one record");

    private final String setting;
    private final String unit;
    private final long standard;
    private final long least;
    private final long most;
    private final String meaning;

    Limit(String setting, String unit, long standard, long least, long most, String meaning) {
        this.setting = setting;
        this.unit = unit;
        this.standard = standard;
        this.least = least;
        this.most = most;
        this.meaning = meaning;
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

    /** The standard value in words, the same on every machine: some depend on the heap. */
    public String standardInWords() {
        return switch (this) {
            case MEMORY_MAX -> "half of the largest heap";
            case STATE_BYTES_MAX, ADDRESS_MEMORY_MAX -> "an eighth of the largest heap";
            case MAILBOX_BYTES_MAX -> "a sixteenth of the largest heap";
            case CONSUMER_BYTES_MAX -> "a 32nd of the largest heap, at least 1 MiB";
            case TX_SETTLES_MAX -> "one for each 2 KiB of the largest heap, 10000 to 1000000";
            case TX_MEMORY -> "a 64th of the largest heap, at most 16 MiB";
            default -> Long.toString(standard);
        };
    }

    /** What it bounds or tunes, for the manual: a phrase without a full stop. */
    public String meaning() {
        return meaning;
    }

    /** The smallest value allowed. */
    public long least() {
        return least;
    }

    /** The largest value allowed. */
    public long most() {
        return most;
    }
}
