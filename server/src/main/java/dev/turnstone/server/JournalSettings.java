package dev.turnstone.server;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.server.config.Setting;
import dev.turnstone.server.config.WrongSetting;

/**
 * The settings under {@code journal}.
 *
 * @param provider who keeps the journal
 * @param outstanding bytes
 * @param fileBytes bytes
 */
record JournalSettings(
        @Setting(value = "who keeps the journal", standard = BrokerSettings.JOURNAL)
        String provider,

        @Setting(
                value = "bytes written but not yet on disk beyond which the broker takes no sends for a while",
                standard = "32MiB",
                bytes = true,
                least = 1)
        long outstanding,

        @Setting(
                value = "size of one journal file",
                standard = "16MiB",
                bytes = true,
                least = 1,
                most = Integer.MAX_VALUE)
        int fileBytes,

        @Setting(
                value = "how long after it was written a persistent message is synced at the latest,"
                        + " in milliseconds, if its sender or address has asked for relaxed durability",
                standard = "100",
                least = 1,
                most = 60_000)
        int relaxedSyncMs) {
    /** Checks that they go together. */
    JournalSettings {
        int record = JournalLimits.DEFAULTS.recordMaxBytes();
        if (fileBytes < JournalLimits.fileMinBytes(record)) {
            throw new WrongSetting(
                    "fileBytes",
                    fileBytes + " bytes are too few: two of the largest records take "
                            + JournalLimits.fileMinBytes(record));
        }
    }
}
