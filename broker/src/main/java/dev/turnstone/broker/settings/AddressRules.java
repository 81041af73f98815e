package dev.turnstone.broker.settings;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings of all queues and topics, by patterns of their addresses: levels with dots between them, {@code *} for
 * any one level, {@code >} at the end for any number of levels, and {@code queue:} or {@code topic:} before it for one
 * kind only. For each setting the most specific pattern that gives it wins: at the first level that differs a name wins
 * over {@code *}, and that over {@code >}; of two that differ in the kind alone the one that names it. Immutable.
 */
public final class AddressRules {
    /** No patterns: every address has the defaults. */
    public static final AddressRules DEFAULTS = new AddressRules(new TreeMap<>());

    /** The most specific first. */
    private final TreeMap<AddressPattern, Map<AddressSetting, Object>> rules;

    private final boolean anyRelaxed;

    private AddressRules(TreeMap<AddressPattern, Map<AddressSetting, Object>> rules) {
        this.rules = rules;
        this.anyRelaxed =
                rules.values().stream().anyMatch(values -> Boolean.TRUE.equals(values.get(AddressSetting.RELAXED)));
    }

    /**
     * A copy in which one setting is given for a pattern.
     *
     * @param value its text, or a number, boolean or {@link Address}
     * @throws BrokerException INVALID_CONFIGURATION if the pattern is none or the value is wrong
     */
    public AddressRules with(String pattern, AddressSetting setting, Object value) {
        AddressPattern key;
        try {
            key = AddressPattern.parse(pattern);
        } catch (IllegalArgumentException | BrokerException e) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION, "the address pattern '" + pattern + "': " + e.getMessage(), e);
        }
        Object read;
        try {
            read = setting.read(value.toString());
        } catch (BrokerException e) {
            throw new BrokerException(ErrorCode.INVALID_CONFIGURATION, pattern + ": " + e.getMessage(), e);
        }
        TreeMap<AddressPattern, Map<AddressSetting, Object>> copy = new TreeMap<>(rules);
        Map<AddressSetting, Object> values = new EnumMap<>(AddressSetting.class);
        values.putAll(copy.getOrDefault(key, Map.of()));
        values.put(setting, read);
        copy.put(key, values);
        return new AddressRules(copy);
    }

    /** True if some address may be relaxed: for most brokers spares the question. */
    public boolean anyRelaxed() {
        return anyRelaxed;
    }

    /** What holds for an address; for the queue of a subscription only what is given for it by its name. */
    public AddressSettings of(Address address) {
        Map<AddressSetting, Object> set = new EnumMap<>(AddressSetting.class);
        rules.forEach((pattern, values) -> {
            if (pattern.matches(address) && (pattern.isExact() || !address.isSubscription())) {
                values.forEach(set::putIfAbsent);
            }
        });
        boolean terminal = isTerminal(address);
        return set.isEmpty() && !terminal ? AddressSettings.DEFAULTS : AddressSettings.of(set, terminal);
    }

    /** True if it is a dead-letter or expiry address. */
    private boolean isTerminal(Address address) {
        Optional<Address> wanted = Optional.of(address);
        return wanted.equals(AddressSetting.DEAD_LETTER.read(AddressSetting.DEAD_LETTER.standard()))
                || rules.values().stream()
                        .anyMatch(values -> wanted.equals(values.get(AddressSetting.DEAD_LETTER))
                                || wanted.equals(values.get(AddressSetting.EXPIRY)));
    }

    /** True if a pattern says how much there may be; for addresses of one kind if that is not null. */
    public boolean limits(@Nullable AddressKind kind) {
        return rules.entrySet().stream()
                .anyMatch(rule -> (kind == null || rule.getKey().mayBe(kind))
                        && (rule.getValue().containsKey(AddressSetting.MAX_MESSAGES)
                                || rule.getValue().containsKey(AddressSetting.MAX_BYTES)));
    }

    /** True if a pattern gives a setting this value. */
    public boolean gives(AddressSetting setting, Object value) {
        return rules.values().stream().anyMatch(values -> value.equals(values.get(setting)));
    }

    /** True if a pattern without wildcards is the name of this address. */
    public boolean names(Address address) {
        return rules.keySet().stream().anyMatch(pattern -> pattern.isExact() && pattern.matches(address));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddressRules that && rules.equals(that.rules);
    }

    @Override
    public int hashCode() {
        return rules.hashCode();
    }

    @Override
    public String toString() {
        return rules.toString();
    }
}
