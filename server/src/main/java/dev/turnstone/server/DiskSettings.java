package dev.turnstone.server;

import dev.turnstone.server.config.Setting;

/**
 * The settings under {@code disk} that are the journal's.
 *
 * @param lowWater bytes
 */
record DiskSettings(
        @Setting(
                value = "free bytes on the disk of `data`, those of spare journal files counted, below which no"
                        + " persistent messages are taken; 0 never looks; see"
                        + " [a full disk](configuration.md#a-full-disk)",
                standard = "256MiB",
                bytes = true,
                least = 0)
        long lowWater) {}
