package dev.turnstone.transport.mqtt.session;

import dev.turnstone.transport.vertx.Wire;

/** Whether a client still sends packets (MQTT 5 §3.1.2.10). On the event loop only. */
final class KeepAlive {
    private static final long NANOS_PER_MS = 1_000_000;
    private static final long MS_PER_S = 1_000;

    private final Wire wire;
    private long heardNanos = System.nanoTime();

    KeepAlive(Wire wire) {
        this.wire = wire;
    }

    /** A packet came. */
    void heard() {
        heardNanos = System.nanoTime();
    }

    /**
     * Calls {@code dead} when no packet came for one and a half keep-alives, at the latest half of one later. Time in
     * which nothing is read does not count, unless that is because the client reads nothing.
     */
    void expect(int keepAliveS, Runnable dead) {
        if (keepAliveS == 0) {
            return;
        }
        long keepAliveMs = MS_PER_S * keepAliveS;
        heard();
        wire.everyMs(keepAliveMs / 4, () -> {
            if (wire.excusesSilence()) {
                heard();
            } else if (System.nanoTime() - heardNanos > keepAliveMs * 3 / 2 * NANOS_PER_MS) {
                dead.run();
            }
        });
    }
}
