package dev.turnstone.transport.mqtt.session;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Says in time that the broker runs, as long as there is a client for whom that counts. On one thread. */
final class Stamping {
    private final ScheduledExecutorService thread;
    private final LongSupplier shortestS;
    private final Consumer<AliveStamp> note;
    /** When the next {@link AliveStamp} is due; null if none is. */
    private @Nullable ScheduledFuture<?> next;

    /**
     * No stamp yet.
     *
     * @param shortestS after what time the first client would be missed; {@link Long#MAX_VALUE} if none would be
     * @param note takes the stamps that follow the first
     */
    Stamping(ScheduledExecutorService thread, LongSupplier shortestS, Consumer<AliveStamp> note) {
        this.thread = thread;
        this.shortestS = shortestS;
        this.note = note;
    }

    /** The first stamp, if there is somebody for whom it counts and none is due. */
    @Nullable
    AliveStamp first() {
        return next != null ? null : stamp();
    }

    private @Nullable AliveStamp stamp() {
        long shortest = shortestS.getAsLong();
        next = null;
        if (shortest == Long.MAX_VALUE || thread.isShutdown()) {
            return null;
        }
        AliveStamp stamp = AliveStamp.of(System.currentTimeMillis(), shortest);
        next = thread.schedule(this::again, stamp.intervalMs(), TimeUnit.MILLISECONDS);
        return stamp;
    }

    private void again() {
        AliveStamp stamp = stamp();
        if (stamp != null) {
            note.accept(stamp);
        }
    }
}
