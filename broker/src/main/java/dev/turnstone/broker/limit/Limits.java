package dev.turnstone.broker.limit;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.PortLimits;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The values of all {@link Limit}s. Immutable. */
public final class Limits {
    /** What holds when nothing is configured. */
    public static final Limits DEFAULTS = new Limits(new EnumMap<>(Limit.class));

    /** The values that are not the standard ones. */
    private final Map<Limit, Long> values;

    private final PortLimits port;

    private Limits(Map<Limit, Long> values) {
        this.values = values;
        this.port = new PortLimits(
                intOf(Limit.MESSAGE_BYTES_MAX),
                intOf(Limit.MESSAGE_HEADER_BYTES_MAX),
                of(Limit.MESSAGE_LARGE_BYTES_MAX),
                intOf(Limit.MESSAGE_CHUNK_BYTES));
    }

    /** The value, in the limit's unit. */
    public long of(Limit limit) {
        Long value = values.get(limit);
        return value == null ? limit.standard() : value;
    }

    /** The value of a limit whose range fits an int. */
    public int intOf(Limit limit) {
        return (int) Math.min(Integer.MAX_VALUE, of(limit));
    }

    /**
     * A copy with another value.
     *
     * @throws BrokerException INVALID_CONFIGURATION if it is out of range
     */
    public Limits with(Limit limit, long value) {
        if (value < limit.least() || value > limit.most()) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION,
                    limit.setting() + "=" + value + " is not between " + limit.least() + " and " + limit.most() + " "
                            + limit.unit());
        }
        Map<Limit, Long> copy = new EnumMap<>(Limit.class);
        copy.putAll(values);
        copy.put(limit, value);
        return new Limits(copy);
    }

    /**
     * A copy with the value that configuration gives by name.
     *
     * @throws BrokerException INVALID_CONFIGURATION if the name is unknown, or the value no number or out of range
     */
    public Limits with(String setting, String value) {
        return with(named(setting), parse(setting, value));
    }

    /**
     * The value of the limit with this name.
     *
     * @throws BrokerException INVALID_CONFIGURATION if there is none
     */
    public long of(String setting) {
        return of(named(setting));
    }

    private static Limit named(String setting) {
        for (Limit limit : Limit.values()) {
            if (limit.setting().equals(setting)) {
                return limit;
            }
        }
        throw new BrokerException(
                ErrorCode.INVALID_CONFIGURATION, "unknown limit '" + setting + "'; known are " + settings());
    }

    private static long parse(String setting, String value) {
        try {
            return Long.parseLong(value.trim());
        } catch (NumberFormatException e) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION, setting + "='" + value + "' is not a whole number", e);
        }
    }

    /** True if a limit has this name. */
    public static boolean knows(String setting) {
        return Arrays.stream(Limit.values()).anyMatch(limit -> limit.setting().equals(setting));
    }

    /** The names of all limits, for messages. */
    public static String settings() {
        return Arrays.stream(Limit.values()).map(Limit::setting).collect(Collectors.joining(", "));
    }

    /** What the edges need to know. */
    public PortLimits port() {
        return port;
    }
}
