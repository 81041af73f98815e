package dev.turnstone.transport.mqtt.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What is durable about a session that outlives its connection. Encoded: a version byte, expiry interval and end as
 * longs, the owner in UTF-8.
 *
 * @param owner the user that the session belongs to: nobody else gets it by its client identifier
 * @param expiryS for how long it outlives its connection, seconds; {@link #NEVER} for always
 * @param endedMs when the connection ended, milliseconds since the epoch; 0 while there is one
 */
record SessionRecord(String owner, long expiryS, long endedMs) {
    /** The session expiry interval that does not pass (MQTT 5 §3.1.2.11.2). */
    static final long NEVER = 0xffff_ffffL;

    private static final byte FORM = 1;
    private static final long MS_PER_S = 1_000;

    byte[] encode() {
        byte[] text = owner.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + 2 * Long.BYTES + text.length)
                .put(FORM)
                .putLong(expiryS)
                .putLong(endedMs)
                .put(text)
                .array();
    }

    static SessionRecord decode(byte[] bytes) {
        ByteBuffer source = ByteBuffer.wrap(bytes);
        byte form = source.get();
        if (form != FORM) {
            throw new IllegalStateException("a session's record of the unknown form " + form);
        }
        long expiryS = source.getLong();
        long endedMs = source.getLong();
        return new SessionRecord(StandardCharsets.UTF_8.decode(source).toString(), expiryS, endedMs);
    }

    /** The same from the moment on in which its connection ends. */
    SessionRecord ended(long nowMs) {
        return new SessionRecord(owner, expiryS, nowMs);
    }

    /** When it is over, milliseconds since the epoch; {@link Long#MAX_VALUE} while nothing says so. */
    long dueMs() {
        return endedMs == 0 || expiryS == NEVER ? Long.MAX_VALUE : endedMs + MS_PER_S * expiryS;
    }
}
