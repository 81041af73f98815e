package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.StateChange;
import dev.turnstone.port.StateEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What protocol state says about one session. Immutable.
 *
 * @param record the session itself; null if none outlives its connection
 * @param will the will that was not sent yet; null if there is none
 * @param received packet identifiers of messages whose PUBREL has not come
 * @param releases packet identifiers whose PUBCOMP has not come, in the order in which PUBREL was sent
 * @param pairs packet identifiers by positions that do not say them
 * @param keys all keys
 */
record StoredSession(
        @Nullable SessionRecord record,
        @Nullable WillRecord will,
        List<Integer> received,
        List<Release> releases,
        Map<Long, Integer> pairs,
        List<String> keys) {
    /** Nothing. */
    static final StoredSession NONE = new StoredSession(null, null, List.of(), List.of(), Map.of(), List.of());

    /** A PUBREL that is owed. */
    record Release(int packetId, long order) {}

    /** What these entries, all of one client's, say. */
    static StoredSession of(List<StateEntry> entries) {
        SessionRecord record = null;
        TreeMap<Long, byte[]> will = new TreeMap<>();
        List<Integer> received = new ArrayList<>();
        List<Release> releases = new ArrayList<>();
        Map<Long, Integer> pairs = new HashMap<>();
        List<String> keys = new ArrayList<>();
        for (StateEntry entry : entries) {
            String key = entry.key();
            keys.add(key);
            switch (SessionKeys.kind(key)) {
                case SessionKeys.SESSION -> record = SessionRecord.decode(entry.value());
                case SessionKeys.WILL -> will.put(SessionKeys.number(key), entry.value());
                case SessionKeys.RECEIVED -> received.add((int) SessionKeys.number(key));
                case SessionKeys.RELEASED ->
                    releases.add(new Release(
                            (int) SessionKeys.number(key),
                            ByteBuffer.wrap(entry.value()).getLong()));
                case SessionKeys.PAIR ->
                    pairs.put(
                            SessionKeys.number(key),
                            ByteBuffer.wrap(entry.value()).getShort() & 0xffff);
                default -> throw new IllegalStateException("an unknown kind of state: " + key);
            }
        }
        releases.sort(Comparator.comparingLong(Release::order));
        WillRecord decoded = will.isEmpty() ? null : WillRecord.decode(List.copyOf(will.values()));
        return new StoredSession(record, decoded, received, releases, pairs, keys);
    }

    /** The same, but that its connection has ended now, unless it had ended before. */
    StoredSession ended(long nowMs) {
        if (record == null || record.endedMs() != 0) {
            return this;
        }
        return new StoredSession(record.ended(nowMs), will, received, releases, pairs, keys);
    }

    /** True if the session has outlived its time. */
    boolean over(long nowMs) {
        return record == null || record.dueMs() <= nowMs;
    }

    /** When the will is to be sent, milliseconds since the epoch; {@link Long#MAX_VALUE} for never. */
    long willDueMs(long nowMs) {
        if (will == null) {
            return Long.MAX_VALUE;
        }
        // At the latest with the session's end (MQTT 5 §3.1.3.2.2).
        return record == null ? nowMs : Math.min(record.endedMs() + 1_000 * will.delayS(), record.dueMs());
    }

    /** When it is over, milliseconds since the epoch; {@link Long#MAX_VALUE} while nothing says so. */
    long dueMs() {
        return record == null ? Long.MAX_VALUE : record.dueMs();
    }

    /** The changes after which nothing is known of messages on their way. */
    List<StateChange> withoutMessages() {
        return keys.stream()
                .filter(key ->
                        SessionKeys.kind(key) != SessionKeys.WILL && SessionKeys.kind(key) != SessionKeys.SESSION)
                .map(SessionKeys::remove)
                .toList();
    }

    /** The changes after which there is no will. */
    List<StateChange> withoutWill() {
        return keys.stream()
                .filter(key -> SessionKeys.kind(key) == SessionKeys.WILL)
                .map(SessionKeys::remove)
                .toList();
    }
}
