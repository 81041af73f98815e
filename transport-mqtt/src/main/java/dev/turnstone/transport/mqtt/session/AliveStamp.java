package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.StateChange;
import dev.turnstone.port.StateEntry;
import dev.turnstone.port.StateQuery;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * That the broker ran at a moment, and would say so again soon: after a kill, whoever was connected had gone by then.
 * Encoded: a version byte, and moment and interval as longs. Immutable.
 *
 * @param atMs the moment, milliseconds since the epoch
 * @param intervalMs when the next one was due at the latest, milliseconds later
 */
record AliveStamp(long atMs, long intervalMs) {
    static final StateQuery QUERY = StateQuery.of("mqtt.alive", "");

    private static final byte FORM = 1;
    private static final String KEY = "broker";
    private static final long MS_PER_S = 1_000;
    private static final long LEAST_MS = 10 * MS_PER_S;
    private static final long MOST_MS = 60 * MS_PER_S;
    private static final int PARTS = 10;

    /** The one for clients of which the first to end does so after this time, seconds. */
    static AliveStamp of(long nowMs, long shortestS) {
        return new AliveStamp(nowMs, Math.max(LEAST_MS, Math.min(MOST_MS, shortestS * MS_PER_S / PARTS)));
    }

    /**
     * How soon a session, or its will, would be due if the broker died; {@link Long#MAX_VALUE} for at once or never.
     */
    static long dueS(long expiryS, @Nullable WillRecord will) {
        if (expiryS == 0) {
            return Long.MAX_VALUE;
        }
        long sessionS = expiryS == SessionRecord.NEVER ? Long.MAX_VALUE : expiryS;
        return will == null || will.delayS() == 0 ? sessionS : Math.min(sessionS, will.delayS());
    }

    /** What protocol state says; null if it says nothing. */
    static @Nullable AliveStamp of(List<StateEntry> entries) {
        if (entries.isEmpty()) {
            return null;
        }
        ByteBuffer source = ByteBuffer.wrap(entries.get(0).value());
        byte form = source.get();
        if (form != FORM) {
            throw new IllegalStateException("a stamp of the unknown form " + form);
        }
        return new AliveStamp(source.getLong(), source.getLong());
    }

    StateChange put() {
        byte[] value = ByteBuffer.allocate(1 + 2 * Long.BYTES)
                .put(FORM)
                .putLong(atMs)
                .putLong(intervalMs)
                .array();
        return StateChange.put(QUERY.namespace(), KEY, value);
    }

    /** From when on nobody was connected any more. */
    long overMs() {
        return atMs + intervalMs;
    }
}
