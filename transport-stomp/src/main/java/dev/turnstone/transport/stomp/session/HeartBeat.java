package dev.turnstone.transport.stomp.session;

import dev.turnstone.transport.stomp.codec.Frame;
import dev.turnstone.transport.stomp.codec.Header;
import dev.turnstone.transport.vertx.Silence;
import dev.turnstone.transport.vertx.Wire;

/**
 * Heart-beats of one connection in both directions (STOMP 1.2 "Heart-beating"). Whatever is read or written counts as
 * one. On the event loop only.
 */
final class HeartBeat {
    /** How often each side can send, and wants to receive, in milliseconds; 0 for never. */
    record Offer(long sendsMs, long wantsMs) {
        private static final Offer NONE = new Offer(0, 0);

        /** The offer in a CONNECT frame. */
        static Offer of(Frame connect) {
            String text = connect.header(Header.HEART_BEAT);
            if (text == null) {
                return NONE;
            }
            int comma = text.indexOf(',');
            if (comma < 0) {
                throw refused(connect, text);
            }
            return new Offer(
                    number(connect, text, text.substring(0, comma)), number(connect, text, text.substring(comma + 1)));
        }

        private static long number(Frame connect, String text, String part) {
            String digits = part.strip();
            boolean plain = !digits.isEmpty() && digits.length() <= 10;
            for (int at = 0; at < digits.length(); at++) {
                plain &= digits.charAt(at) >= '0' && digits.charAt(at) <= '9';
            }
            if (!plain) {
                throw refused(connect, text);
            }
            return Long.parseLong(digits);
        }

        private static RuntimeException refused(Frame connect, String text) {
            return connect.fault("the header 'heart-beat' must be two whole numbers with a comma, not '" + text + "'");
        }

        /** The interval at which this side sends to the other one; 0 for never. */
        long towards(Offer other) {
            return sendsMs == 0 || other.wantsMs == 0 ? 0 : Math.max(sendsMs, other.wantsMs);
        }
    }

    /** The peer is dead after this many intervals without a byte. */
    private static final int MISSED_MAX = 2;

    private static final long NANOS_PER_MS = 1_000_000;

    private final Wire wire;
    private final Silence silence;
    private long sentNanos = System.nanoTime();

    HeartBeat(Wire wire) {
        this.wire = wire;
        silence = new Silence(wire);
    }

    /** Something was read. */
    void heard() {
        silence.end();
    }

    /** Something was written. */
    void sent() {
        sentNanos = System.nanoTime();
    }

    /** Calls {@code send} often enough that there is something on the wire at least every {@code intervalMs}. */
    void sendEvery(long intervalMs, Runnable send) {
        if (intervalMs > 0) {
            // Looking twice an interval, and sending unless less than a quarter has gone, leaves a quarter to be late.
            wire.everyMs(Math.max(1, intervalMs / 2), () -> {
                if (System.nanoTime() - sentNanos >= intervalMs * NANOS_PER_MS / 4 && !wire.full()) {
                    send.run();
                }
            });
        }
    }

    /** Calls {@code dead} when the peer's {@link Silence} has lasted for twice {@code intervalMs}. */
    void expectEvery(long intervalMs, Runnable dead) {
        if (intervalMs > 0) {
            heard();
            wire.everyMs(Math.max(1, intervalMs / 2), () -> silence.check(MISSED_MAX * intervalMs, dead));
        }
    }
}
