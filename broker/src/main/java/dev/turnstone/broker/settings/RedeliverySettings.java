package dev.turnstone.broker.settings;

import dev.turnstone.port.Address;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a message whose consumer has failed. Immutable.
 *
 * @param maxAttempts {@link AddressSetting#MAX_ATTEMPTS}; 0 for any number
 * @param deadLetter {@link AddressSetting#DEAD_LETTER}; null for none
 * @param delayMs {@link AddressSetting#REDELIVERY_DELAY_MS}
 * @param multiplier {@link AddressSetting#REDELIVERY_MULTIPLIER}
 * @param jitter {@link AddressSetting#REDELIVERY_JITTER}
 * @param delayMaxMs {@link AddressSetting#REDELIVERY_DELAY_MAX_MS}
 */
public record RedeliverySettings(
        int maxAttempts,
        @Nullable Address deadLetter,
        long delayMs,
        double multiplier,
        double jitter,
        long delayMaxMs) {
    /** True if there may be no further attempt after so many. */
    public boolean exhausted(int attempts) {
        return maxAttempts > 0 && attempts >= maxAttempts;
    }

    /** How long the attempt after so many failed ones, at least 1, has to wait; 0 for not at all. */
    public long delayMs(int attempts, DoubleSupplier random) {
        if (delayMs == 0) {
            return 0;
        }
        double delay = Math.min((double) delayMaxMs, delayMs * Math.pow(multiplier, attempts - 1.0));
        if (jitter > 0) {
            delay *= 1 + jitter * (2 * random.getAsDouble() - 1);
        }
        return Math.round(Math.min((double) delayMaxMs, delay));
    }
}
