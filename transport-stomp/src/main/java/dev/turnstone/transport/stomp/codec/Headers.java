package dev.turnstone.transport.stomp.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The header entries of a frame in the order of the wire, unescaped; immutable. Values become Strings only when
 * somebody asks. Of repeated names the first counts (STOMP 1.2 "Repeated Header Entries").
 */
public final class Headers {
    private final String[] names;
    private final byte[] block;
    /** Where value i begins and ends in the block: entries 2i and 2i + 1. */
    private final int[] bounds;

    Headers(String[] names, byte[] block, int[] bounds) {
        this.names = names;
        this.block = block;
        this.bounds = bounds;
    }

    /** How many entries there are, repeated ones included. */
    public int count() {
        return names.length;
    }

    /** The name of an entry. A name in {@link Header} is that same object. */
    public String name(int index) {
        return names[index];
    }

    /** The value of an entry. */
    public String value(int index) {
        int from = bounds[2 * index];
        return new String(block, from, bounds[2 * index + 1] - from, StandardCharsets.UTF_8);
    }

    /** The value of the first entry with this name, or null. */
    public @Nullable String first(String name) {
        int index = indexOf(name);
        return index < 0 ? null : value(index);
    }

    /** The first entry with this name, or -1. */
    public int indexOf(String name) {
        for (int index = 0; index < names.length; index++) {
            if (names[index].equals(name)) {
                return index;
            }
        }
        return -1;
    }

    /** True if the entry's value has these UTF-8 bytes. */
    public boolean valueEquals(int index, byte[] utf8) {
        return Arrays.equals(block, bounds[2 * index], bounds[2 * index + 1], utf8, 0, utf8.length);
    }

    /** The entry's value as a decimal number without sign, saturated at {@link Long#MAX_VALUE}; -1 if it is none. */
    public long number(int index) {
        int from = bounds[2 * index];
        int to = bounds[2 * index + 1];
        long number = from == to ? -1 : 0;
        for (int at = from; at < to; at++) {
            int digit = block[at] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : number * 10 + digit;
        }
        return number;
    }

    /** Names and values, without those of a password. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int index = 0; index < names.length; index++) {
            String value = names[index].equals(Header.PASSCODE) ? "***" : value(index);
            text.append(index == 0 ? "" : ", ").append(names[index]).append(':').append(value);
        }
        return text.append(']').toString();
    }
}
