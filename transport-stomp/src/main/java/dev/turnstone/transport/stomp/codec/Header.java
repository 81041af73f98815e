package dev.turnstone.transport.stomp.codec;

import dev.turnstone.port.DedupId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The header names that the protocol and this broker give a meaning, and their lookup by bytes without a new String.
 */
public final class Header {
    public static final String ACCEPT_VERSION = "accept-version";
    public static final String ACK = "ack";
    public static final String CLIENT_ID = "client-id";
    public static final String CONSUMER_PRIORITY = "consumer-priority";
    public static final String CONTENT_LENGTH = "content-length";
    public static final String CONTENT_TYPE = "content-type";
    public static final String CORRELATION_ID = "correlation-id";
    public static final String DELIVERY_COUNT = "delivery-count";
    public static final String DESTINATION = "destination";
    public static final String DURABLE_SUBSCRIPTION_NAME = "durable-subscription-name";
    public static final String DELETE = "delete";
    public static final String DEDUP_ID = DedupId.HEADER;
    public static final String ERROR_CODE = "error-code";
    public static final String EXPIRES = "expires";
    public static final String EXCLUSIVE = "exclusive";
    public static final String GROUP_FIRST = "JMSXGroupFirstForConsumer";
    public static final String GROUP_ID = "JMSXGroupID";
    public static final String GROUP_SEQUENCE = "JMSXGroupSeq";
    public static final String HEART_BEAT = "heart-beat";
    public static final String HOST = "host";
    public static final String ID = "id";
    public static final String LOGIN = "login";
    public static final String MANDATORY = "mandatory";
    public static final String MESSAGE = "message";
    public static final String MESSAGE_ID = "message-id";
    public static final String NO_LOCAL = "no-local";
    public static final String PASSCODE = "passcode";
    public static final String PERSISTENT = "persistent";
    public static final String PREFETCH_COUNT = "prefetch-count";
    public static final String PRIORITY = "priority";
    public static final String REASON = "reason";
    public static final String RECEIPT = "receipt";
    public static final String RECEIPT_ID = "receipt-id";
    public static final String REDELIVERED = "redelivered";
    public static final String RELAXED = "relaxed";
    public static final String REPLY_TO = "reply-to";
    public static final String REQUEUE = "requeue";
    public static final String RETAIN = "retain";
    public static final String RETAINED = "retained";
    public static final String SELECTOR = "selector";
    public static final String SERVER = "server";
    public static final String SESSION = "session";
    public static final String SUBSCRIPTION = "subscription";
    public static final String TIMESTAMP = "timestamp";
    public static final String TRANSACTION = "transaction";
    public static final String TYPE = "type";
    public static final String VERSION = "version";

    private static final String[] ALL = {
        ACCEPT_VERSION,
        ACK,
        CLIENT_ID,
        CONSUMER_PRIORITY,
        CONTENT_LENGTH,
        CONTENT_TYPE,
        CORRELATION_ID,
        DELIVERY_COUNT,
        DESTINATION,
        DURABLE_SUBSCRIPTION_NAME,
        DEDUP_ID,
        DELETE,
        ERROR_CODE,
        EXCLUSIVE,
        EXPIRES,
        GROUP_FIRST,
        GROUP_ID,
        GROUP_SEQUENCE,
        HEART_BEAT,
        HOST,
        ID,
        LOGIN,
        MANDATORY,
        MESSAGE,
        MESSAGE_ID,
        NO_LOCAL,
        PASSCODE,
        PERSISTENT,
        PREFETCH_COUNT,
        PRIORITY,
        REASON,
        RELAXED,
        RECEIPT,
        RECEIPT_ID,
        REDELIVERED,
        REPLY_TO,
        REQUEUE,
        RETAIN,
        RETAINED,
        SELECTOR,
        SERVER,
        SESSION,
        SUBSCRIPTION,
        TIMESTAMP,
        TRANSACTION,
        TYPE,
        VERSION
    };
    private static final int SLOTS = 256;
    private static final Known[] TABLE = new Known[SLOTS];

    static {
        for (String name : ALL) {
            byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
            int slot = slot(bytes, 0, bytes.length);
            TABLE[slot] = new Known(name, bytes, TABLE[slot]);
        }
    }

    private Header() {}

    /** The constant with this name, or null for a name of the application's own. */
    static @Nullable String known(byte[] bytes, int from, int to) {
        if (from == to) {
            return null;
        }
        for (Known known = TABLE[slot(bytes, from, to)]; known != null; known = known.next) {
            if (Arrays.equals(known.bytes, 0, known.bytes.length, bytes, from, to)) {
                return known.name;
            }
        }
        return null;
    }

    private static int slot(byte[] bytes, int from, int to) {
        return (bytes[from] * 31 + bytes[to - 1] * 7 + (to - from)) & (SLOTS - 1);
    }

    /** A name in the table, and the next one in the same slot. */
    private static final class Known {
        private final String name;
        private final byte[] bytes;
        private final @Nullable Known next;

        Known(String name, byte[] bytes, @Nullable Known next) {
            this.name = name;
            this.bytes = bytes;
            this.next = next;
        }
    }
}
