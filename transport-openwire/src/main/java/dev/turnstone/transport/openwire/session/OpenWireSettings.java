package dev.turnstone.transport.openwire.session;

import dev.turnstone.spi.ListenSetting;
import dev.turnstone.transport.vertx.ListenSettings;
import dev.turnstone.transport.vertx.WireSettings;
import java.util.List;

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
 * @param populatesUserId whether each message says which user has sent it, in JMSXUserID
 */
public record OpenWireSettings(
        WireSettings wire,
        int frameBytesMax,
        int loginFrameBytesMax,
        int inactivityMs,
        int prefetchMax,
        int consumersMax,
        int producersMax,
        int transactionsMax,
        boolean populatesUserId) {
    private static final ListenSetting FRAME_BYTES_MAX =
            ListenSetting.bytes("frameBytesMax", 16 << 20, "one command, its message included");
    private static final ListenSetting LOGIN_FRAME_BYTES_MAX =
            ListenSetting.bytes("loginFrameBytesMax", 64 << 10, "one command before the login");
    private static final ListenSetting INACTIVITY_MS = new ListenSetting(
            "inactivityMs", "30000", "proposed to clients: for how long either side may say nothing; 0: for ever");
    private static final ListenSetting PREFETCH_MAX =
            new ListenSetting("prefetchMax", "100000", "prefetch of a consumer; a larger one is cut to it");
    private static final ListenSetting CONSUMERS_MAX =
            new ListenSetting("consumersMax", "10000", "consumers of a connection");
    private static final ListenSetting PRODUCERS_MAX =
            new ListenSetting("producersMax", "10000", "producers of a connection");
    private static final ListenSetting TRANSACTIONS_MAX =
            new ListenSetting("transactionsMax", "1000", "open transactions of a connection");
    private static final ListenSetting POPULATE_USER_ID = new ListenSetting(
            "populateJMSXUserID",
            "false",
            "whether each message gets the name of the user who sends it as its `JMSXUserID`; false: what the client"
                    + " gives it");

    /** All of them, but for those that every listener has. */
    public static final List<ListenSetting> ALL = List.of(
            FRAME_BYTES_MAX,
            LOGIN_FRAME_BYTES_MAX,
            INACTIVITY_MS,
            PREFETCH_MAX,
            CONSUMERS_MAX,
            PRODUCERS_MAX,
            TRANSACTIONS_MAX,
            POPULATE_USER_ID);

    /** Reads them from a listener's settings, by these names. */
    public static OpenWireSettings read(ListenSettings settings, WireSettings wire) {
        return new OpenWireSettings(
                wire,
                settings.number(FRAME_BYTES_MAX, 1 << 10),
                settings.number(LOGIN_FRAME_BYTES_MAX, 1 << 10),
                settings.number(INACTIVITY_MS, 0),
                settings.number(PREFETCH_MAX, 1),
                settings.number(CONSUMERS_MAX, 1),
                settings.number(PRODUCERS_MAX, 1),
                settings.number(TRANSACTIONS_MAX, 1),
                settings.flag(POPULATE_USER_ID));
    }
}
