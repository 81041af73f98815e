package dev.turnstone.transport.stomp.session;

import dev.turnstone.transport.stomp.codec.Header;
import java.util.Set;

/**
 * The headers that belong to the protocol. On SEND they never become properties of the message, and a property of such
 * a name never becomes a header of MESSAGE: {@code receipt} and {@code transaction} would mislead its receiver, a
 * second {@code content-length} would cut it. Any thread.
 */
final class ReservedHeaders {
    private static final Set<String> NAMES = Set.of(
            Header.ACK,
            Header.CONTENT_LENGTH,
            Header.CORRELATION_ID,
            Header.DEDUP_ID,
            Header.DELIVERY_COUNT,
            Header.DESTINATION,
            Header.EXPIRES,
            Header.GROUP_FIRST,
            Header.GROUP_ID,
            Header.GROUP_SEQUENCE,
            Header.MESSAGE_ID,
            Header.PERSISTENT,
            Header.PRIORITY,
            Header.RECEIPT,
            Header.RECEIPT_ID,
            Header.REDELIVERED,
            Header.RELAXED,
            Header.REPLY_TO,
            Header.RETAIN,
            Header.RETAINED,
            Header.MANDATORY,
            Header.SUBSCRIPTION,
            Header.TIMESTAMP,
            Header.TRANSACTION,
            Header.TYPE);

    private ReservedHeaders() {}

    static boolean contains(String name) {
        return NAMES.contains(name);
    }
}
