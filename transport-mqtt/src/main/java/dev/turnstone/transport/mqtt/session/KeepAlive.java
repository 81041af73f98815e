package dev.turnstone.transport.mqtt.session;

import dev.turnstone.transport.vertx.Silence;
import dev.turnstone.transport.vertx.Wire;

/** Whether a client still sends packets (MQTT 5 §3.1.2.10). On the event loop only. */
final class KeepAlive {
    private static final long MS_PER_S = 1_000;

    private final Wire wire;
    private final Silence silence;

    KeepAlive(Wire wire) {
        this.wire = wire;
        silence = new Silence(wire);
    }

    /** A packet came. */
    void heard() {
        silence.end();
    }

    /**
     * Calls {@code dead} when the client's {@link Silence} has lasted for one and a half keep-alives, at the latest
     * half of one later.
     */
    void expect(int keepAliveS, Runnable dead) {
        if (keepAliveS == 0) {
            return;
        }
        long keepAliveMs = MS_PER_S * keepAliveS;
        heard();
        wire.everyMs(keepAliveMs / 4, () -> silence.check(keepAliveMs * 3 / 2, dead));
    }
}
