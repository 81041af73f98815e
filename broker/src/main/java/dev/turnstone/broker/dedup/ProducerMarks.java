package dev.turnstone.broker.dedup;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.ProducerRecord;
import dev.turnstone.broker.store.RecordType;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The highest number of each producer, those used last behind the others. Owned by the engine thread. */
final class ProducerMarks {
    private static final Logger LOG = LoggerFactory.getLogger(ProducerMarks.class);
    /** How often the log tells of producers that are forgotten, in milliseconds. */
    private static final long TELL_EVERY_MS = 60_000;

    /** The objects of one producer. */
    private static final int MEMORY_BYTES = 160;

    private final Log log;
    private final Memory memory;
    private final int max;
    private final Map<Fingerprint, Mark> marks = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Fingerprint, Mark> unrecorded = new LinkedHashMap<>();
    private long evicted;
    /** How many of them the log has told of, and when it may again. */
    private long told;

    private long tellNextMs;

    /** A producer's mark. */
    private static final class Mark {
        private long sequence;
        private long usedMs;
        private long record;
        private boolean unrecorded;
    }

    ProducerMarks(Log log, Memory memory, int max) {
        this.log = log;
        this.memory = memory;
        this.max = max;
    }

    boolean contains(SentId id) {
        Mark mark = marks.get(id.of());
        return mark != null && id.sequence() <= mark.sequence;
    }

    void add(SentId id, boolean durable, long nowMs) {
        Mark mark = marks.get(id.of());
        if (mark == null) {
            mark = create(id.of());
        }
        mark.sequence = id.sequence();
        mark.usedMs = nowMs;
        if (durable && !mark.unrecorded) {
            mark.unrecorded = true;
            unrecorded.put(id.of(), mark);
        }
    }

    boolean unrecorded() {
        return !unrecorded.isEmpty();
    }

    /** Records the highest number of each that must survive the broker: what is below it needs no record. */
    void record() {
        if (unrecorded.isEmpty()) {
            return;
        }
        unrecorded.forEach((producer, mark) -> {
            mark.unrecorded = false;
            long before = mark.record;
            mark.record = log.add(
                    RecordType.PRODUCER,
                    new ProducerRecord(producer.high(), producer.low(), mark.sequence, mark.usedMs));
            if (before != 0) {
                log.delete(before);
            }
        });
        unrecorded.clear();
    }

    private Mark create(Fingerprint producer) {
        Mark mark = new Mark();
        marks.put(producer, mark);
        memory.add(MEMORY_BYTES);
        if (marks.size() > max) {
            Iterator<Mark> oldest = marks.values().iterator();
            erase(oldest.next());
            oldest.remove();
            evicted++;
        }
        return mark;
    }

    private void erase(Mark mark) {
        memory.remove(MEMORY_BYTES);
        if (mark.unrecorded) {
            unrecorded.values().remove(mark);
        }
        if (mark.record != 0) {
            log.delete(mark.record);
        }
    }

    /** Recovery: of two records of a producer the higher number counts. */
    void recover(ProducerRecord record, long id) {
        Fingerprint producer = new Fingerprint(record.high(), record.low());
        Mark mark = marks.get(producer);
        if (mark == null) {
            mark = create(producer);
        } else if (mark.sequence >= record.sequence()) {
            log.delete(id);
            return;
        } else {
            log.delete(mark.record);
        }
        mark.sequence = record.sequence();
        mark.usedMs = record.usedMs();
        mark.record = id;
    }

    /** Each message may push out a producer, so the log does not tell of each. */
    private void tell(long nowMs, long horizonMs) {
        if (evicted == told || nowMs < tellNextMs) {
            return;
        }
        LOG.warn(
                "{} producers are forgotten before {}={}, since there are more than {}={}: copies of what they"
                        + " have sent are no longer known as such",
                evicted - told,
                Limit.DEDUP_HORIZON_MS.setting(),
                horizonMs,
                Limit.DEDUP_PRODUCERS_MAX.setting(),
                max);
        told = evicted;
        tellNextMs = nowMs + TELL_EVERY_MS;
    }

    /** Forgets producers that were not used for the horizon, at most so many; true if there may be more. */
    boolean expire(long nowMs, long horizonMs, int most) {
        tell(nowMs, horizonMs);
        long usedBeforeMs = nowMs - horizonMs;
        Iterator<Mark> oldest = marks.values().iterator();
        for (int left = most; left > 0; left--) {
            if (!oldest.hasNext()) {
                return false;
            }
            Mark mark = oldest.next();
            if (mark.usedMs >= usedBeforeMs) {
                return false;
            }
            erase(mark);
            oldest.remove();
        }
        return true;
    }

    /** When the producer that was used longest ago was used; {@link Long#MAX_VALUE} if there is none. */
    long oldestMs() {
        return marks.isEmpty() ? Long.MAX_VALUE : marks.values().iterator().next().usedMs;
    }

    /** How many were forgotten before their time. */
    long evicted() {
        return evicted;
    }
}
