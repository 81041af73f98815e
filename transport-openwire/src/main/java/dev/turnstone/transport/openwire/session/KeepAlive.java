package dev.turnstone.transport.openwire.session;

import dev.turnstone.transport.vertx.Silence;
import dev.turnstone.transport.vertx.Wire;
import org.apache.activemq.command.KeepAliveInfo;

/** Notices a client that is gone, and lets it notice that the broker is there. On the event loop only. */
final class KeepAlive {
    /** Looking so often in each interval leaves time to be late. */
    private static final int LOOKS = 3;
    /** The client is dead after so many intervals without a byte. */
    private static final int MISSED_MAX = 2;

    private final Wire wire;
    private final Outgoing outgoing;
    private final Silence silence;
    private long written;

    KeepAlive(Wire wire, Outgoing outgoing) {
        this.wire = wire;
        this.outgoing = outgoing;
        silence = new Silence(wire);
    }

    /** Something was read. */
    void heard() {
        silence.end();
    }

    /** The client wants to hear that somebody is there. */
    void asked(KeepAliveInfo info) {
        if (info.isResponseRequired()) {
            info.setResponseRequired(false);
            outgoing.send(info);
        }
    }

    /**
     * From now on the broker is never silent for longer, and a client that is silent for twice as long is dead.
     *
     * @param intervalMs the time; 0 for ever
     * @param startMs so long the client may take to begin with it
     * @param dead run when the client is dead, by its {@link Silence}
     */
    void start(long intervalMs, long startMs, Runnable dead) {
        if (intervalMs <= 0) {
            return;
        }
        silence.beginIn(startMs);
        wire.everyMs(Math.max(1, intervalMs / LOOKS), () -> {
            if (outgoing.written() == written && !wire.full()) {
                outgoing.send(new KeepAliveInfo());
                outgoing.write();
            }
            written = outgoing.written();
            silence.check(MISSED_MAX * intervalMs, dead);
        });
    }
}
