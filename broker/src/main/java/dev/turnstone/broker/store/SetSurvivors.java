package dev.turnstone.broker.store;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** The subscriber sets that a journal still had, put together of their records. Owned by the engine thread. */
final class SetSurvivors {
    /** By the id of a set's first record: the queues of its records, by their ids. */
    private final Map<Long, NavigableMap<Long, long[]>> parts = new HashMap<>();

    private final Map<Long, Survivors.SurvivingSet> whole = new HashMap<>();

    void take(long id, SubscriberSetRecord record) {
        parts.computeIfAbsent(record.begun() == 0 ? id : record.begun(), first -> new TreeMap<>())
                .put(id, record.queues());
    }

    /** All, by the ids of their first records; when all records are taken. */
    Map<Long, Survivors.SurvivingSet> all() {
        parts.forEach((first, records) -> whole.put(first, joined(first, records)));
        parts.clear();
        return whole;
    }

    private static Survivors.SurvivingSet joined(long first, NavigableMap<Long, long[]> records) {
        if (records.firstKey() != first) {
            throw new BrokerException(ErrorCode.DATA_UNUSABLE, "the subscriber set " + first + " lacks its beginning");
        }
        return new Survivors.SurvivingSet(
                records.keySet().stream().mapToLong(Long::longValue).toArray(),
                records.values().stream().flatMapToLong(LongStream::of).toArray());
    }
}
