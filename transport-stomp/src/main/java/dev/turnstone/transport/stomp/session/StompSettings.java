package dev.turnstone.transport.stomp.session;

import dev.turnstone.spi.ListenSetting;
import dev.turnstone.transport.stomp.codec.StompLimits;
import dev.turnstone.transport.vertx.ListenSettings;
import dev.turnstone.transport.vertx.WireSettings;
import java.util.List;

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
    private static final ListenSetting COMMAND_BYTES_MAX =
            ListenSetting.bytes("commandBytesMax", StompLimits.DEFAULT.commandBytesMax(), "command line");
    private static final ListenSetting HEADER_LINE_BYTES_MAX =
            ListenSetting.bytes("headerLineBytesMax", StompLimits.DEFAULT.headerLineBytesMax(), "one header line");
    private static final ListenSetting HEADERS_MAX =
            new ListenSetting("headersMax", String.valueOf(StompLimits.DEFAULT.headersMax()), "headers of a frame");
    private static final ListenSetting HEAD_BYTES_MAX =
            ListenSetting.bytes("headBytesMax", StompLimits.DEFAULT.headBytesMax(), "command and headers of a frame");
    private static final ListenSetting BODY_BYTES_MAX = ListenSetting.bytes(
            "bodyBytesMax",
            StompLimits.DEFAULT.bodyBytesMax(),
            "body of a frame; `message.largeBytesMax` if that is smaller");
    private static final ListenSetting FRAME_BYTES_MAX =
            ListenSetting.bytes("frameBytesMax", StompLimits.DEFAULT.frameBytesMax(), "head and body of a frame");
    private static final ListenSetting CONNECT_BYTES_MAX =
            ListenSetting.bytes("connectBytesMax", StompLimits.DEFAULT.connectBytesMax(), "the CONNECT frame");
    private static final ListenSetting HEART_BEAT_MS = new ListenSetting(
            "heartBeatMs", "1000", "how often the broker can send heart-beats and would like to get them; 0: never");
    private static final int PREFETCH_USUAL = 1_000;
    private static final ListenSetting PREFETCH_DEFAULT = new ListenSetting(
            "prefetchDefault",
            String.valueOf(PREFETCH_USUAL),
            "unsettled messages of a subscription that does not say `prefetch-count`; `prefetchMax` if that is less");
    private static final ListenSetting PREFETCH_MAX =
            new ListenSetting("prefetchMax", "100000", "the largest `prefetch-count`");
    private static final ListenSetting SUBSCRIPTIONS_MAX =
            new ListenSetting("subscriptionsMax", "1000", "subscriptions of a connection");
    private static final ListenSetting TRANSACTIONS_MAX =
            new ListenSetting("transactionsMax", "100", "open transactions of a connection");

    /** All of them, but for those that every listener has. */
    public static final List<ListenSetting> ALL = List.of(
            COMMAND_BYTES_MAX,
            HEADER_LINE_BYTES_MAX,
            HEADERS_MAX,
            HEAD_BYTES_MAX,
            BODY_BYTES_MAX,
            FRAME_BYTES_MAX,
            CONNECT_BYTES_MAX,
            HEART_BEAT_MS,
            PREFETCH_DEFAULT,
            PREFETCH_MAX,
            SUBSCRIPTIONS_MAX,
            TRANSACTIONS_MAX);

    /** Reads them from a listener's settings, by these names. */
    public static StompSettings read(ListenSettings settings, WireSettings wire) {
        int prefetchMax = settings.number(PREFETCH_MAX, 1);
        int prefetchDefault = settings.number(
                prefetchMax < PREFETCH_USUAL
                        ? PREFETCH_DEFAULT.withStandard(String.valueOf(prefetchMax))
                        : PREFETCH_DEFAULT,
                1);
        if (prefetchDefault > prefetchMax) {
            throw settings.refused("prefetchDefault is " + prefetchDefault + " and prefetchMax " + prefetchMax
                    + "; lower the first or raise the second");
        }
        return new StompSettings(
                wire,
                readLimits(settings),
                settings.number(HEART_BEAT_MS, 0),
                prefetchDefault,
                prefetchMax,
                settings.number(SUBSCRIPTIONS_MAX, 1),
                settings.number(TRANSACTIONS_MAX, 1));
    }

    private static StompLimits readLimits(ListenSettings settings) {
        return new StompLimits(
                settings.number(COMMAND_BYTES_MAX, 1),
                settings.number(HEADER_LINE_BYTES_MAX, 1),
                settings.number(HEADERS_MAX, 1),
                settings.number(HEAD_BYTES_MAX, 1),
                settings.number(BODY_BYTES_MAX, 1),
                settings.number(FRAME_BYTES_MAX, 1),
                settings.number(CONNECT_BYTES_MAX, 1));
    }
}
