package dev.turnstone.broker.settings;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How the text of a setting is read and checked. Immutable. */
@FunctionalInterface
interface SettingType {
    /** What stands for no address and no name. */
    String NONE = "none";

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException if it is not of that form or out of range
     */
    Object read(String text);

    /** A whole number, as Long. */
    static SettingType whole(long least, long most) {
        return text -> {
            long number;
            try {
                number = Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("not a whole number", e);
            }
            if (number < least || number > most) {
                throw new IllegalArgumentException("not between " + least + " and " + most);
            }
            return number;
        };
    }

    /** A number, as Double. */
    static SettingType decimal(double least, double most) {
        return text -> {
            double number;
            try {
                number = Double.parseDouble(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("not a number", e);
            }
            if (!(number >= least && number <= most)) {
                throw new IllegalArgumentException("not between " + least + " and " + most);
            }
            return number;
        };
    }

    /** {@code true} or {@code false}, as Boolean. */
    static SettingType yesOrNo() {
        return text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }

    /** {@code queue:NAME}, {@code topic:NAME} or {@code none}, as an Optional of an Address that is not temporary. */
    static SettingType address() {
        return text -> {
            if (text.equals(NONE)) {
                return Optional.empty();
            }
            boolean queue = text.startsWith("queue:");
            if (!queue && !text.startsWith("topic:")) {
                throw new IllegalArgumentException("neither queue:NAME, topic:NAME nor " + NONE);
            }
            try {
                Address address =
                        Address.parse(queue ? AddressKind.QUEUE : AddressKind.TOPIC, text.substring("queue:".length()));
                if (address.isTemporary()) {
                    throw new IllegalArgumentException("temporary, so it cannot be named beforehand");
                }
                return Optional.of(address);
            } catch (BrokerException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        };
    }

    /** A name or {@code none}, as an Optional of a String. */
    static SettingType name() {
        return text -> {
            if (text.isBlank()) {
                throw new IllegalArgumentException("empty; write " + NONE + " for no name");
            }
            return text.equals(NONE) ? Optional.empty() : Optional.of(text);
        };
    }

    /** One of an enum's constants, written in lower case with hyphens. */
    static <E extends Enum<E>> SettingType choice(Class<E> type) {
        return text -> Arrays.stream(type.getEnumConstants())
                .filter(constant -> written(constant).equals(text))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("not one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(SettingType::written)
                                .collect(Collectors.joining(", "))));
    }

    private static String written(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
