package dev.turnstone.transport.vertx;

import java.util.concurrent.TimeUnit;

/**
 * For how long a peer has said nothing. Time in which nothing is read does not count, unless that is because the peer
 * reads nothing. On the event loop only.
 */
public final class Silence {
    private final Wire wire;
    private long sinceNanos = System.nanoTime();

    /** Begins now. */
    public Silence(Wire wire) {
        this.wire = wire;
    }

    /** Something came. */
    public void end() {
        sinceNanos = Math.max(sinceNanos, System.nanoTime());
    }

    /** It counts only from so many milliseconds on from now. */
    public void beginIn(long ms) {
        sinceNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    }

    /** Runs {@code dead} if it has lasted for more than so many milliseconds; to be asked at intervals. */
    public void check(long mostMs, Runnable dead) {
        if (wire.excusesSilence()) {
            end();
        } else if (System.nanoTime() - sinceNanos > TimeUnit.MILLISECONDS.toNanos(mostMs)) {
            dead.run();
        }
    }
}
