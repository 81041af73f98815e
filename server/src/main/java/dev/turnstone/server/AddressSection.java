package dev.turnstone.server;

import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.BrokerException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the settings under {@code addresses}: a pattern of addresses, then what holds for these. The last dot of a name
 * is the one after the pattern, since patterns have dots and settings have none. Any thread.
 */
final class AddressSection {
    private static final String SECTION = "addresses.";
    private static final String BYTES = "bytes";

    private AddressSection() {}

    /** True if the name is one of this section's. */
    static boolean owns(String name) {
        return name.startsWith(SECTION);
    }

    /**
     * Reads them from all that the file holds, by name.
     *
     * @throws StartException if a pattern is none, a setting is not known, or a value is wrong
     */
    static AddressRules read(Path file, Map<String, String> values) {
        AddressRules rules = AddressRules.DEFAULTS;
        for (Map.Entry<String, String> written : values.entrySet()) {
            String name = written.getKey();
            if (owns(name)) {
                rules = with(rules, file, name, written.getValue());
            }
        }
        return rules;
    }

    private static AddressRules with(AddressRules rules, Path file, String name, String text) {
        int dot = name.lastIndexOf('.');
        if (dot < SECTION.length()) {
            throw new StartException(file + ": " + name + " needs settings below it, as in 'addresses: {\""
                    + name.substring(SECTION.length()) + "\": {"
                    + AddressSetting.MEMORY_BYTES.setting() + ": ...}}'");
        }
        AddressSetting setting = setting(file, name, name.substring(dot + 1));
        try {
            Object value = setting.unit().equals(BYTES) ? ByteSize.parse(text) : text;
            return rules.with(name.substring(SECTION.length(), dot), setting, value);
        } catch (IllegalArgumentException e) {
            throw new StartException(file + ": " + name + ": '" + text + "': " + e.getMessage(), e);
        } catch (BrokerException e) {
            throw new StartException(file + ": addresses: " + e.getMessage(), e);
        }
    }

    private static AddressSetting setting(Path file, String name, String last) {
        Set<String> known = new TreeSet<>();
        for (AddressSetting setting : AddressSetting.values()) {
            if (setting.setting().equals(last)) {
                return setting;
            }
            known.add(setting.setting());
        }
        String hint = Spelling.nearest(last, known)
                .map(nearest -> "did you mean '" + nearest + "'?")
                .orElse("known are: " + String.join(", ", known));
        if (Arrays.asList("*", ">").contains(last) || Character.isDigit(last.charAt(0))) {
            hint = "a pattern needs settings below it";
        }
        throw new StartException(file + ": unknown setting '" + name + "'; " + hint);
    }
}
