package dev.turnstone.server;

import dev.turnstone.server.config.Setting;
import java.util.Map;

/**
 * The settings under {@code log}: what the program writes to its error stream. A program that embeds a broker has its
 * own logging, and these do nothing there.
 *
 * @param format how a line looks
 * @param level which lines are written
 * @param levels which of some loggers, by their names
 */
record LogSettings(
        @Setting(value = "`text`, or `json`: one object a line", standard = "text")
        Format format,

        @Setting(
                value = "the least important lines that are written: `error`, `warn`, `info`, `debug`, `trace`",
                standard = "info")
        Level level,

        @Setting("the same for a logger and those below it, as in `dev.turnstone.transport: debug`")
        Map<String, Level> levels) {
    /** How a line looks. */
    enum Format {
        /** For people. */
        TEXT,
        /** For programs. */
        JSON
    }

    /** How important a line is. */
    enum Level {
        /** Something has failed. */
        ERROR,
        /** Somebody should look. */
        WARN,
        /** Something worth knowing happened. */
        INFO,
        /** For whoever looks for a fault. */
        DEBUG,
        /** Everything. */
        TRACE
    }

    /** Keeps a copy. */
    LogSettings {
        levels = Map.copyOf(levels);
    }
}
