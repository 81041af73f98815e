package dev.turnstone.spi;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts of bytes as people write them: {@code 1048576}, {@code 1024KiB}, {@code 1 MiB}. Any thread. */
public final class ByteSize {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18}) ?(KiB|MiB|GiB|TiB)?");
    private static final Map<String, Integer> SHIFT = Map.of("KiB", 10, "MiB", 20, "GiB", 30, "TiB", 40);

    private ByteSize() {}

    /**
     * Reads the written form.
     *
     * @throws IllegalArgumentException if it is not of that form or more than a long holds
     */
    public static long parse(String written) {
        Matcher form = FORM.matcher(written.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("not an amount of bytes, such as 1048576 or 1MiB");
        }
        long amount = Long.parseLong(form.group(1));
        int shift = form.group(2) == null ? 0 : SHIFT.get(form.group(2));
        if (amount > Long.MAX_VALUE >> shift) {
            throw new IllegalArgumentException("more bytes than there can be");
        }
        return amount << shift;
    }

    /** Writes it with the largest unit that fits without a rest. */
    public static String format(long bytes) {
        for (String unit : List.of("TiB", "GiB", "MiB", "KiB")) {
            int shift = SHIFT.get(unit);
            if (bytes != 0 && bytes >> shift << shift == bytes) {
                return (bytes >> shift) + " " + unit;
            }
        }
        return Long.toString(bytes);
    }
}
