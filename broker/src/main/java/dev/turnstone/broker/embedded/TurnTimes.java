package dev.turnstone.broker.embedded;

import dev.turnstone.broker.Engine;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * Times an engine's turns for a meter. Owned by the engine's thread; a turn costs one look at the clock, and one more
 * if the engine was idle before.
 */
final class TurnTimes {
    /** Batches that are not yet durable; of more the times are not known. */
    private static final int WAITING_MAX = 4_096;

    private final BrokerMeter meter;
    private final ArrayDeque<long[]> waiting = new ArrayDeque<>();
    private final LongSupplier nanoTime;
    private long appended;
    private long ended;
    private boolean more;

    TurnTimes(BrokerMeter meter, LongSupplier nanoTime) {
        this.meter = meter;
        this.nanoTime = nanoTime;
    }

    /** Runs a turn; true if there is more to do at once. */
    boolean drain(Engine engine) {
        // A turn that follows another at once begins when that has ended.
        long began = more ? ended : nanoTime.getAsLong();
        more = engine.drain();
        ended = nanoTime.getAsLong();
        meter.turn(ended - began);
        long lsn = engine.appendedLsn();
        if (lsn > appended && waiting.size() < WAITING_MAX) {
            waiting.add(new long[] {lsn, began});
        }
        appended = lsn;
        long released = engine.releasedLsn();
        for (long[] batch = waiting.peek(); batch != null && batch[0] <= released; batch = waiting.peek()) {
            waiting.remove();
            meter.confirmed(ended - batch[1]);
        }
        return more;
    }
}
