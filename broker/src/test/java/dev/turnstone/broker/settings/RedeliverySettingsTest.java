package dev.turnstone.broker.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Address;
import org.junit.jupiter.api.Test;

class RedeliverySettingsTest {
    private static RedeliverySettings settings(double jitter, long maxMs) {
        return new RedeliverySettings(10, Address.queue("d"), 1000, 2, jitter, maxMs);
    }

    @Test
    void theDelayGrowsWithEachAttempt() {
        assertThat(settings(0, 100_000).delayMs(1, () -> 1)).isEqualTo(1000);
        assertThat(settings(0, 100_000).delayMs(4, () -> 0)).isEqualTo(8000);
        assertThat(settings(0, 100_000).delayMs(1_000_000, () -> 0)).isEqualTo(100_000);
    }

    @Test
    void jitterGoesUpAndDownButNotOverTheCeiling() {
        assertThat(settings(0.25, 100_000).delayMs(1, () -> 0)).isEqualTo(750);
        assertThat(settings(0.25, 100_000).delayMs(1, () -> 0.5)).isEqualTo(1000);
        assertThat(settings(0.25, 100_000).delayMs(1, () -> 1)).isEqualTo(1250);
        assertThat(settings(0.25, 1000).delayMs(3, () -> 1)).isEqualTo(1000);
    }

    @Test
    void withoutADelayThereIsNone() {
        assertThat(AddressSettings.DEFAULTS.redelivery().delayMs(3, () -> 1)).isZero();
    }
}
