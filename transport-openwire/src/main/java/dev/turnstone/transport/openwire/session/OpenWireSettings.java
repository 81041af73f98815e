package dev.turnstone.transport.openwire.session;

import dev.turnstone.transport.vertx.ListenSettings;
import dev.turnstone.transport.vertx.WireSettings;

/**
 * What an OpenWire listener can be told.
 *
 * @param wire what every listener can be told
 * @param frameBytesMax how many bytes a command may have, messages included
 * @param loginFrameBytesMax how many bytes a command may have before the login
 * @param inactivityMs what is proposed to clients: for how long either side may say nothing; 0 for ever
 * @param prefetchMax the largest prefetch: how many unacknowledged messages a consumer may have
 * @param consumersMax how many consumers a connection may have
 * @param producersMax how many producers a connection may have
 * @param transactionsMax how many open transactions a connection may have
 */
public record OpenWireSettings(
        WireSettings wire,
        int frameBytesMax,
        int loginFrameBytesMax,
        int inactivityMs,
        int prefetchMax,
        int consumersMax,
        int producersMax,
        int transactionsMax) {
    /** Reads them from a listener's settings, by these names. */
    public static OpenWireSettings read(ListenSettings settings, WireSettings wire) {
        return new OpenWireSettings(
                wire,
                settings.number("frameBytesMax", 16 << 20, 1 << 10),
                settings.number("loginFrameBytesMax", 64 << 10, 1 << 10),
                settings.number("inactivityMs", 30_000, 0),
                settings.number("prefetchMax", 100_000, 1),
                settings.number("consumersMax", 10_000, 1),
                settings.number("producersMax", 10_000, 1),
                settings.number("transactionsMax", 1_000, 1));
    }
}
