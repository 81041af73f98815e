package dev.turnstone.jms;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ConsumerOptions;
import dev.turnstone.port.ErrorCode;

/**
 * The text that names a destination: its name, and behind a question mark, if that is followed by {@code consumer.},
 * options of the consumers that are made of it, with {@code &} between them. Immutable.
 */
record DestinationText(String name, ConsumerOptions options) {
    private static final String BEGIN = "?consumer.";
    private static final String EXCLUSIVE = "consumer.exclusive";
    private static final String PRIORITY = "consumer.priority";
    private static final String RETAINED = "consumer.retained";

    /**
     * Reads a text.
     *
     * @throws BrokerException INVALID_ADDRESS if an option is unknown or wrong
     */
    static DestinationText of(String text) {
        int begin = text.lastIndexOf(BEGIN);
        if (begin < 0) {
            return new DestinationText(text, ConsumerOptions.DEFAULTS);
        }
        ConsumerOptions options = ConsumerOptions.DEFAULTS;
        for (String option : text.substring(begin + 1).split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            options = with(options, name, option.substring(equals < 0 ? option.length() : equals + 1), text);
        }
        return new DestinationText(text.substring(0, begin), options);
    }

    private static ConsumerOptions with(ConsumerOptions options, String name, String value, String text) {
        return switch (name) {
            case EXCLUSIVE -> options.exclusive(flag(name, value, text));
            case PRIORITY -> options.priority(number(name, value, text));
            case RETAINED -> options.retained(flag(name, value, text));
            default ->
                throw wrong(
                        text, "unknown is " + name + "; known are " + EXCLUSIVE + ", " + PRIORITY + ", " + RETAINED);
        };
    }

    private static boolean flag(String name, String value, String text) {
        if (value.equals("true") || value.equals("false")) {
            return value.equals("true");
        }
        throw wrong(text, name + " is true or false, not '" + value + "'");
    }

    private static int number(String name, String value, String text) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw wrong(text, name + " is a whole number, not '" + value + "'");
        }
    }

    private static BrokerException wrong(String text, String why) {
        return new BrokerException(ErrorCode.INVALID_ADDRESS, "the destination '" + text + "': " + why);
    }

    /** The text of a name with these options, which {@link #of} reads. */
    static String write(String name, ConsumerOptions options) {
        if (options.equals(ConsumerOptions.DEFAULTS)) {
            return name;
        }
        return name + "?" + EXCLUSIVE + "=" + options.exclusive() + "&" + PRIORITY + "=" + options.priority() + "&"
                + RETAINED + "=" + options.retained();
    }
}
