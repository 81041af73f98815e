package dev.turnstone.broker.settings;

import java.util.Map;

/**
 * What holds for one queue or topic. Immutable.
 *
 * @param memoryBytes {@link AddressSetting#MEMORY_BYTES}
 */
public record AddressSettings(long memoryBytes) {
    /** What holds when nothing is configured. */
    public static final AddressSettings DEFAULTS = of(Map.of());

    /** Of the values that are set; the others are the standard ones. */
    static AddressSettings of(Map<AddressSetting, Object> set) {
        return new AddressSettings(whole(set, AddressSetting.MEMORY_BYTES));
    }

    private static long whole(Map<AddressSetting, Object> set, AddressSetting setting) {
        return (Long) value(set, setting);
    }

    private static Object value(Map<AddressSetting, Object> set, AddressSetting setting) {
        Object value = set.get(setting);
        return value == null ? setting.read(setting.standard()) : value;
    }
}
