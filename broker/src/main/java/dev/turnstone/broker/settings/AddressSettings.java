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
 * @param dispatch who of the consumers gets the messages
 * @param capacity how much there may be
 * @param life how it comes and goes
 * @param relaxed {@link AddressSetting#RELAXED}
 */
public record AddressSettings(
        boolean terminal,
        RedeliverySettings redelivery,
        @Nullable Address expiry,
        DispatchSettings dispatch,
        CapacitySettings capacity,
        LifeSettings life,
        boolean relaxed) {
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
                dispatch(set),
                capacity(set),
                new LifeSettings(
                        is(set, AddressSetting.AUTO_CREATE),
                        is(set, AddressSetting.AUTO_DELETE),
                        whole(set, AddressSetting.AUTO_DELETE_DELAY_MS)),
                is(set, AddressSetting.RELAXED));
    }

    private static DispatchSettings dispatch(Map<AddressSetting, Object> set) {
        return new DispatchSettings(
                is(set, AddressSetting.EXCLUSIVE),
                (int) whole(set, AddressSetting.GROUPS_MAX),
                is(set, AddressSetting.NON_DESTRUCTIVE),
                (int) whole(set, AddressSetting.CONSUMERS_BEFORE_DISPATCH),
                whole(set, AddressSetting.DELAY_BEFORE_DISPATCH_MS));
    }

    private static CapacitySettings capacity(Map<AddressSetting, Object> set) {
        return new CapacitySettings(
                whole(set, AddressSetting.MAX_MESSAGES),
                whole(set, AddressSetting.MAX_BYTES),
                (WhenFull) value(set, AddressSetting.WHEN_FULL),
                whole(set, AddressSetting.RING_SIZE),
                (String) ((Optional<?>) value(set, AddressSetting.LAST_VALUE_KEY)).orElse(null),
                whole(set, AddressSetting.MEMORY_BYTES));
    }

    /** What holds for one who reads a queue without consuming: what fails is read again, and moved nowhere. */
    public AddressSettings forReader() {
        RedeliverySettings again = new RedeliverySettings(
                0, null, redelivery.delayMs(), redelivery.multiplier(), redelivery.jitter(), redelivery.delayMaxMs());
        return new AddressSettings(
                true, again, null, DEFAULTS.dispatch(), DEFAULTS.capacity(), DEFAULTS.life(), relaxed);
    }

    private static boolean is(Map<AddressSetting, Object> set, AddressSetting setting) {
        return (Boolean) value(set, setting);
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
