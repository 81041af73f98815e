package dev.turnstone.broker.dedup;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.DedupRecord;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.ProducerRecord;
import dev.turnstone.broker.store.Survivors.Kept;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identities of what was done within the horizon. Two generations of fingerprints: when the younger has been filled
 * for as long as the horizon, it becomes the older, and the one before is forgotten; so each is remembered for one to
 * two horizons. Owned by the engine thread.
 */
public final class Duplicates {
    private static final Logger LOG = LoggerFactory.getLogger(Duplicates.class);
    /** Producers that one turn forgets. */
    private static final int EXPIRE_MOST = 1_000;
    /** Fingerprints that one record has at most. */
    private static final int RECORD_MOST = 8_192;

    private final Log log;
    private final Memory memory;
    private final long horizonMs;
    private final int generationMax;
    private final ProducerMarks producers;
    private @Nullable Generation younger;
    private @Nullable Generation older;
    /** When the older one became that. */
    private long turnedMs;

    private long forgottenBeforeMs;
    private long nowMs;
    private long evicted;
    /** What was added and is not recorded. */
    private final List<Fingerprint> unrecorded = new ArrayList<>();

    /** Nothing remembered. */
    public Duplicates(Log log, Memory memory, Limits limits) {
        this.log = log;
        this.memory = memory;
        this.horizonMs = limits.of(Limit.DEDUP_HORIZON_MS);
        this.generationMax = Math.max(1, limits.intOf(Limit.DEDUP_IDS_MAX) / 2);
        this.producers = new ProducerMarks(log, memory, limits.intOf(Limit.DEDUP_PRODUCERS_MAX));
    }

    /** Recovery: takes what survived. */
    public void recover(List<Kept<DedupRecord>> records, List<Kept<ProducerRecord>> marks, long atMs) {
        nowMs = atMs;
        forgottenBeforeMs = atMs - horizonMs;
        records.stream()
                .sorted(Comparator.comparingLong(kept -> kept.record().sinceMs()))
                .forEach(this::recover);
        marks.stream()
                .sorted(Comparator.comparingLong(kept -> kept.record().usedMs()))
                .forEach(kept -> producers.recover(kept.record(), kept.id()));
    }

    private void recover(Kept<DedupRecord> kept) {
        DedupRecord record = kept.record();
        Generation into = younger;
        if (into == null || into.sinceMs() != record.sinceMs()) {
            turn(record.sinceMs());
            into = new Generation(record.sinceMs());
            younger = into;
        }
        into.recover(record, kept.id(), memory);
        forgottenBeforeMs = Math.max(forgottenBeforeMs, record.forgottenBeforeMs());
    }

    /** True if it was added within the horizon. */
    public boolean contains(SentId id) {
        return id.isSequence() ? producers.contains(id) : contains(id.of());
    }

    /** True if it was added within the horizon. */
    public boolean contains(Fingerprint print) {
        Generation first = younger;
        if (first != null && first.contains(print)) {
            return true;
        }
        Generation second = older;
        return second != null && second.contains(print);
    }

    /**
     * Adds one that is not there; in the unit of what it identifies, at whose end {@link #record} is called.
     *
     * @param durable true if it must survive the broker
     */
    public void add(SentId id, boolean durable) {
        if (id.isSequence()) {
            producers.add(id, durable, nowMs);
        } else {
            add(id.of(), durable);
        }
    }

    /** As {@link #add(SentId, boolean)}. */
    public void add(Fingerprint print, boolean durable) {
        Generation into = younger;
        if (into == null) {
            into = new Generation(nowMs);
            younger = into;
        }
        into.add(print, memory);
        if (durable) {
            unrecorded.add(print);
        }
    }

    /** True if {@link #record} has something to record. */
    public boolean unrecorded() {
        return !unrecorded.isEmpty() || producers.unrecorded();
    }

    /** Records all that was added and must survive the broker; in the unit of what it identifies. */
    public void record() {
        Generation into = younger;
        if (!unrecorded.isEmpty() && into != null) {
            for (int from = 0; from < unrecorded.size(); from += RECORD_MOST) {
                List<Fingerprint> some = unrecorded.subList(from, Math.min(unrecorded.size(), from + RECORD_MOST));
                into.record(halves(some), forgottenBeforeMs, log);
            }
            unrecorded.clear();
        }
        producers.record();
    }

    private static long[] halves(List<Fingerprint> some) {
        long[] halves = new long[2 * some.size()];
        for (int i = 0; i < some.size(); i++) {
            halves[2 * i] = some.get(i).high();
            halves[2 * i + 1] = some.get(i).low();
        }
        return halves;
    }

    /** Time has passed: forgets what has become too old, and what is too much. True if there may be more at once. */
    public boolean expire(long atMs) {
        nowMs = atMs;
        Generation filling = younger;
        Generation before = older;
        if (filling != null && filling.size() >= generationMax) {
            if (before != null && nowMs < turnedMs + horizonMs) {
                evicted += before.size();
                LOG.warn(
                        "{} identities of messages are forgotten before {}={}, since there are more than {}",
                        before.size(),
                        Limit.DEDUP_HORIZON_MS.setting(),
                        horizonMs,
                        Limit.DEDUP_IDS_MAX.setting());
            }
            turn(nowMs);
        } else if (filling != null && nowMs >= filling.sinceMs() + horizonMs) {
            turn(nowMs);
        } else if (before != null && nowMs >= turnedMs + horizonMs) {
            forget(before);
        }
        return producers.expire(nowMs, horizonMs, EXPIRE_MOST);
    }

    private void turn(long atMs) {
        Generation before = older;
        if (before != null) {
            forget(before);
        }
        older = younger;
        younger = null;
        turnedMs = atMs;
    }

    private void forget(Generation generation) {
        generation.erase(log, memory);
        forgottenBeforeMs = Math.max(forgottenBeforeMs, turnedMs);
        older = null;
    }

    /** True if all that was added within so many milliseconds is remembered. */
    public boolean remembers(long ageMs) {
        return nowMs - ageMs >= forgottenBeforeMs;
    }

    /** When {@link #expire} has something to do, in milliseconds since the epoch. */
    public long dueMs() {
        Generation filling = younger;
        long due = filling == null ? Long.MAX_VALUE : filling.sinceMs() + horizonMs;
        if (older != null) {
            due = Math.min(due, turnedMs + horizonMs);
        }
        long oldest = producers.oldestMs();
        return oldest == Long.MAX_VALUE ? due : Math.min(due, oldest + horizonMs + 1);
    }

    /** How many identities were forgotten before their time. */
    public long evicted() {
        return evicted + producers.evicted();
    }
}
