package dev.turnstone.transport.mqtt.session;

import dev.turnstone.transport.vertx.Silence;
import dev.turnstone.transport.vertx.Wire;
import org.jspecify.annotations.Nullable;

/** Whether a client still sends packets (MQTT 5 §3.1.2.10). On the event loop only. */
final class KeepAlive {
    private static final long MS_PER_S = 1_000;

    private final Silence silence;

    private KeepAlive(Silence silence) {
        this.silence = silence;
    }

    /**
     * Calls {@code dead} when the client's {@link Silence} has lasted for one and a half keep-alives, at the latest
     * half of one later. Null if it may be silent for ever.
     */
    static @Nullable KeepAlive of(Wire wire, int keepAliveS, Runnable dead) {
        if (keepAliveS == 0) {
            return null;
        }
        long keepAliveMs = MS_PER_S * keepAliveS;
        Silence silence = new Silence(wire);
        wire.everyMs(keepAliveMs / 4, () -> silence.check(keepAliveMs * 3 / 2, dead));
        return new KeepAlive(silence);
    }

    /** A packet came. */
    void heard() {
        silence.end();
    }
}
