package dev.turnstone.broker.settings;

import dev.turnstone.port.Address;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What holds for one queue or topic. Immutable.
 *
 * @param terminal true for a dead-letter or expiry address, out of which nothing is moved again
 * @param redelivery what becomes of a message whose consumer has failed
 * @param expiry {@link AddressSetting#EXPIRY}; null for none
 * @param maxMessages {@link AddressSetting#MAX_MESSAGES}; 0 for any number
 * @param autoCreate {@link AddressSetting#AUTO_CREATE}
 * @param relaxed {@link AddressSetting#RELAXED}
 * @param memoryBytes {@link AddressSetting#MEMORY_BYTES}
 */
public record AddressSettings(
        boolean terminal,
        RedeliverySettings redelivery,
        @Nullable Address expiry,
        long maxMessages,
        boolean autoCreate,
        boolean relaxed,
        long memoryBytes) {
    /** What holds when nothing is configured, for all but the standard dead-letter address. */
    public static final AddressSettings DEFAULTS = of(Map.of(), false);

    /** Of the values that are set; the others are the standard ones. */
    static AddressSettings of(Map<AddressSetting, Object> set, boolean terminal) {
        RedeliverySettings redelivery = new RedeliverySettings(
                terminal ? 0 : (int) whole(set, AddressSetting.MAX_ATTEMPTS),
                terminal ? null : address(set, AddressSetting.DEAD_LETTER),
                whole(set, AddressSetting.REDELIVERY_DELAY_MS),
                (Double) value(set, AddressSetting.REDELIVERY_MULTIPLIER),
                (Double) value(set, AddressSetting.REDELIVERY_JITTER),
                whole(set, AddressSetting.REDELIVERY_DELAY_MAX_MS));
        return new AddressSettings(
                terminal,
                redelivery,
                terminal ? null : address(set, AddressSetting.EXPIRY),
                whole(set, AddressSetting.MAX_MESSAGES),
                (Boolean) value(set, AddressSetting.AUTO_CREATE),
                (Boolean) value(set, AddressSetting.RELAXED),
                whole(set, AddressSetting.MEMORY_BYTES));
    }

    private static long whole(Map<AddressSetting, Object> set, AddressSetting setting) {
        return (Long) value(set, setting);
    }

    private static @Nullable Address address(Map<AddressSetting, Object> set, AddressSetting setting) {
        return (Address) ((Optional<?>) value(set, setting)).orElse(null);
    }

    private static Object value(Map<AddressSetting, Object> set, AddressSetting setting) {
        Object value = set.get(setting);
        return value == null ? setting.read(setting.standard()) : value;
    }
}
