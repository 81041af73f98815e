package dev.turnstone.transport.stomp.session;

import org.jspecify.annotations.Nullable;

/**
 * Names one delivery to one subscription within a connection. STOMP 1.2 has it in the {@code ack} header; before that
 * it stands behind a {@code #} in the {@code message-id}, as the same message may be delivered more than once.
 *
 * @param consumer the subscription's number, never used again in the connection
 * @param number the delivery's number
 */
record AckId(int consumer, long number) {
    private static final char BEHIND_MESSAGE_ID = '#';

    String text() {
        return consumer + "-" + number;
    }

    String behind(String messageId) {
        return messageId + BEHIND_MESSAGE_ID + text();
    }

    /** The delivery that an {@code id} header names, or null if it cannot be one of ours. */
    static @Nullable AckId parse(String text) {
        int dash = text.indexOf('-');
        // Longer numbers than these are never handed out, and would not fit.
        if (dash < 1 || dash > 9 || text.length() - dash > 19) {
            return null;
        }
        long consumer = digits(text, 0, dash);
        long number = digits(text, dash + 1, text.length());
        return consumer < 0 || number < 0 ? null : new AckId((int) consumer, number);
    }

    /** The delivery that a {@code message-id} header of STOMP 1.0 or 1.1 names, or null. */
    static @Nullable AckId parseBehind(String messageId) {
        return parse(messageId.substring(messageId.lastIndexOf(BEHIND_MESSAGE_ID) + 1));
    }

    private static long digits(String text, int from, int to) {
        long number = from == to ? -1 : 0;
        for (int at = from; at < to; at++) {
            int digit = text.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
