package dev.turnstone.transport.mqtt.session;

import dev.turnstone.transport.mqtt.codec.ReasonCode;
import dev.turnstone.transport.vertx.Silence;
import dev.turnstone.transport.vertx.Wire;
import org.jspecify.annotations.Nullable;

/** Whether a client still sends packets (MQTT 5 §3.1.2.10); run, it looks. On the event loop only. */
final class KeepAlive implements Runnable {
    private static final long MS_PER_S = 1_000;

    private final Silence silence;
    private final MqttEnding ending;
    private final int keepAliveS;

    private KeepAlive(Silence silence, MqttEnding ending, int keepAliveS) {
        this.silence = silence;
        this.ending = ending;
        this.keepAliveS = keepAliveS;
    }

    /**
     * Ends the connection when the client's {@link Silence} has lasted for one and a half keep-alives, at the latest
     * half of one later. Null if it may be silent for ever.
     */
    static @Nullable KeepAlive of(Wire wire, int keepAliveS, MqttEnding ending) {
        if (keepAliveS == 0) {
            return null;
        }
        KeepAlive made = new KeepAlive(new Silence(wire), ending, keepAliveS);
        wire.everyMs(MS_PER_S * keepAliveS / 4, made);
        return made;
    }

    /** A packet came. */
    void heard() {
        silence.end();
    }

    @Override
    public void run() {
        silence.check(MS_PER_S * keepAliveS * 3 / 2, this::dead);
    }

    private void dead() {
        ending.refuse(ReasonCode.KEEP_ALIVE_TIMEOUT, "no packet for one and a half times " + keepAliveS + " s");
    }
}
