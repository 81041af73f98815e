package dev.turnstone.transport.stomp.codec;

import java.util.Arrays;

/**
 * The names, and the places of the values, of the header lines read so far. Reused from frame to frame by
 * {@link HeadReader}.
 */
final class HeaderLines {
    private String[] names = new String[16];
    private int[] bounds = new int[32];
    private int count;

    void add(String name, int valueFrom, int valueTo) {
        if (count == names.length) {
            names = Arrays.copyOf(names, count * 2);
            bounds = Arrays.copyOf(bounds, count * 4);
        }
        names[count] = name;
        bounds[2 * count] = valueFrom;
        bounds[2 * count + 1] = valueTo;
        count++;
    }

    int count() {
        return count;
    }

    void clear() {
        count = 0;
    }

    Headers headers(byte[] block) {
        return new Headers(Arrays.copyOf(names, count), block, Arrays.copyOf(bounds, 2 * count));
    }
}
