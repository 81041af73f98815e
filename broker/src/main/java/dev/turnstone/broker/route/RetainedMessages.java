package dev.turnstone.broker.route;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.store.Bodies;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.broker.store.RetainedRecord;
import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What topics retain: the last message that asked for it, of each. Owned by the engine thread. */
final class RetainedMessages {
    private static final int OVERHEAD_BYTES = 256;
    /** So many expire in one turn. */
    private static final int ENDS_MAX = 1000;

    private final Log log;
    private final Memory memory;
    private final Bodies bodies;
    private final int max;
    /** Where it is recorded that something is retained no more. */
    private long endedLsn;
    /** By {@link RetainedScan#key}. */
    private final TreeMap<String, Retained> byTopic = new TreeMap<>();

    private final TreeSet<Retained> expiring = new TreeSet<>(
            Comparator.<Retained>comparingLong(r -> r.message().expiryMs()).thenComparingLong(Retained::position));

    RetainedMessages(MessageStore store, int max) {
        this.log = store.log();
        this.memory = store.memory();
        this.bodies = store.bodies();
        this.max = max;
    }

    /** How many there are. */
    int size() {
        return byTopic.size();
    }

    /**
     * Refuses a message that would be one too many.
     *
     * @throws BrokerException LIMIT_EXCEEDED
     */
    void check(Message message) {
        if (byTopic.size() >= max
                && message.bodyBytes() > 0
                && !byTopic.containsKey(RetainedScan.key(message.address()))) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "there are " + max + " topics already that retain a message (" + Limit.RETAINED_MAX.setting()
                            + ")");
        }
    }

    /** Retains the message in place of the one before, or, if it has no body, none. */
    void put(Message message) {
        String key = RetainedScan.key(message.address());
        if (message.bodyBytes() == 0) {
            remove(key);
            return;
        }
        long position = log.nextId();
        if (message.persistent()) {
            log.add(position, RecordType.RETAINED, new RetainedRecord(message));
        }
        // After the new one: no crash leaves the topic without either.
        remove(key);
        add(key, new Retained(message, position, message.persistent() ? position : 0, log.lsn()));
    }

    private void add(String key, Retained retained) {
        byTopic.put(key, retained);
        memory.add(bytes(retained));
        bodies.hold(retained.message());
        if (retained.message().expiryMs() != 0) {
            expiring.add(retained);
        }
    }

    /**
     * Before this is durable nobody hears that a topic retains nothing, or nothing that he wants: a crash could bring
     * back what it did.
     */
    long endedLsn(long nowMs) {
        long latest = log.latestLsn();
        return dueMs() <= nowMs ? latest : Math.min(endedLsn, latest);
    }

    private void remove(String key) {
        Retained before = byTopic.remove(key);
        if (before == null) {
            return;
        }
        memory.remove(bytes(before));
        bodies.release(before.message());
        expiring.remove(before);
        if (before.record() != 0) {
            log.delete(before.record());
        }
        // If it was not recorded itself, what it has replaced may be what comes back.
        endedLsn = Math.max(endedLsn, before.record() == 0 ? before.lsn() : log.lsn());
    }

    private static long bytes(Retained retained) {
        return (long) retained.message().encodedBytes() + OVERHEAD_BYTES;
    }

    /** The first one whose key is this or comes after it, or null. */
    Map.@Nullable Entry<String, Retained> from(String key) {
        return byTopic.ceilingEntry(key);
    }

    @Nullable
    Retained of(Address topic) {
        return byTopic.get(RetainedScan.key(topic));
    }

    /** Forgets those whose time is over, some each turn. */
    void expire(long nowMs) {
        for (int most = ENDS_MAX; most > 0 && dueMs() <= nowMs; most--) {
            remove(RetainedScan.key(expiring.first().message().address()));
        }
    }

    /** When {@link #expire} has something to do. */
    long dueMs() {
        return expiring.isEmpty() ? Long.MAX_VALUE : expiring.first().message().expiryMs();
    }

    /** Recovery: one that survived. */
    void recover(long record, Message message) {
        String key = RetainedScan.key(message.address());
        Retained other = byTopic.get(key);
        if (other != null && other.record() > record) {
            log.delete(record);
            return;
        }
        remove(key);
        add(key, new Retained(message, record, record, 0));
    }
}
