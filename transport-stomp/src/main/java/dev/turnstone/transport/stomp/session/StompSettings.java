package dev.turnstone.transport.stomp.session;

import dev.turnstone.transport.stomp.codec.StompLimits;
import dev.turnstone.transport.vertx.ListenSettings;
import dev.turnstone.transport.vertx.WireSettings;

/**
 * What a STOMP listener can be told.
 *
 * @param wire what every listener can be told
 * @param frames how large the parts of a frame may be
 * @param heartBeatMs how often the broker can send heart-beats and would like to get them, in milliseconds; 0 for never
 * @param prefetchDefault how many unsettled messages a subscription may have that does not say {@code prefetch-count}
 * @param prefetchMax the largest {@code prefetch-count}
 * @param subscriptionsMax how many subscriptions a connection may have
 * @param transactionsMax how many open transactions a connection may have
 */
public record StompSettings(
        WireSettings wire,
        StompLimits frames,
        int heartBeatMs,
        int prefetchDefault,
        int prefetchMax,
        int subscriptionsMax,
        int transactionsMax) {
    /** Reads them from a listener's settings, by these names. */
    public static StompSettings read(ListenSettings settings, WireSettings wire) {
        int prefetchMax = settings.number("prefetchMax", 100_000, 1);
        int prefetchDefault = settings.number("prefetchDefault", Math.min(1_000, prefetchMax), 1);
        if (prefetchDefault > prefetchMax) {
            throw settings.refused("prefetchDefault is " + prefetchDefault + " and prefetchMax " + prefetchMax
                    + "; lower the first or raise the second");
        }
        return new StompSettings(
                wire,
                readLimits(settings),
                settings.number("heartBeatMs", 1_000, 0),
                prefetchDefault,
                prefetchMax,
                settings.number("subscriptionsMax", 1_000, 1),
                settings.number("transactionsMax", 100, 1));
    }

    private static StompLimits readLimits(ListenSettings settings) {
        StompLimits usual = StompLimits.DEFAULT;
        return new StompLimits(
                settings.number("commandBytesMax", usual.commandBytesMax(), 1),
                settings.number("headerLineBytesMax", usual.headerLineBytesMax(), 1),
                settings.number("headersMax", usual.headersMax(), 1),
                settings.number("headBytesMax", usual.headBytesMax(), 1),
                settings.number("bodyBytesMax", usual.bodyBytesMax(), 1),
                settings.number("frameBytesMax", usual.frameBytesMax(), 1),
                settings.number("connectBytesMax", usual.connectBytesMax(), 1));
    }
}
