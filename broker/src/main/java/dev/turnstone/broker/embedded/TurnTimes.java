package dev.turnstone.broker.embedded;

import dev.turnstone.broker.Engine;
import java.util.ArrayDeque;

/** Times an engine's turns for a meter. Owned by the engine's thread; a turn costs two looks at the clock. */
final class TurnTimes {
    /** Batches that are not yet durable; of more the times are not known. */
    private static final int WAITING_MAX = 4_096;

    private final BrokerMeter meter;
    private final ArrayDeque<long[]> waiting = new ArrayDeque<>();
    private long appended;

    TurnTimes(BrokerMeter meter) {
        this.meter = meter;
    }

    /** Runs a turn; true if there is more to do at once. */
    boolean drain(Engine engine) {
        long began = System.nanoTime();
        boolean more = engine.drain();
        long now = System.nanoTime();
        meter.turn(now - began);
        long lsn = engine.appendedLsn();
        if (lsn > appended && waiting.size() < WAITING_MAX) {
            waiting.add(new long[] {lsn, began});
        }
        appended = lsn;
        long released = engine.releasedLsn();
        for (long[] batch = waiting.peek(); batch != null && batch[0] <= released; batch = waiting.peek()) {
            waiting.remove();
            meter.confirmed(now - batch[1]);
        }
        return more;
    }
}
