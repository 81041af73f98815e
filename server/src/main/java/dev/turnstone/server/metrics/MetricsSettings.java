package dev.turnstone.server.metrics;

import dev.turnstone.server.config.Setting;

/**
 * The settings under {@code metrics}.
 *
 * @param addressesMax how many addresses have numbers of their own
 */
public record MetricsSettings(
        @Setting(
                value = "addresses that have numbers of their own in `/metrics`; all together are always there",
                standard = "100",
                least = 0,
                most = 10_000)
        int addressesMax) {}
