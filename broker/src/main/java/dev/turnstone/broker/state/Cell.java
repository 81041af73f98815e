package dev.turnstone.broker.state;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * How a key and its value lie in one array: the length of the path in two bytes, the path, the value. The path is the
 * namespace, a zero byte and the key, so paths of one namespace and prefix follow each other. Any thread.
 */
final class Cell {
    /** What a cell takes in memory beside its bytes: array header, padding, slots in a leaf that is two thirds full. */
    static final int OVERHEAD_BYTES = 44;

    private static final int LENGTH_BYTES = 2;

    private Cell() {}

    static byte[] path(String namespace, String key) {
        byte[] start = namespace.getBytes(StandardCharsets.UTF_8);
        byte[] end = key.getBytes(StandardCharsets.UTF_8);
        byte[] path = Arrays.copyOf(start, start.length + 1 + end.length);
        System.arraycopy(end, 0, path, start.length + 1, end.length);
        return path;
    }

    static int bytes(byte[] path, byte[] value) {
        return LENGTH_BYTES + path.length + value.length;
    }

    static byte[] of(byte[] path, byte[] value) {
        byte[] cell = new byte[bytes(path, value)];
        cell[0] = (byte) (path.length >>> Byte.SIZE);
        cell[1] = (byte) path.length;
        System.arraycopy(path, 0, cell, LENGTH_BYTES, path.length);
        System.arraycopy(value, 0, cell, LENGTH_BYTES + path.length, value.length);
        return cell;
    }

    private static int pathEnd(byte[] cell) {
        return LENGTH_BYTES + ((cell[0] & 0xFF) << Byte.SIZE | cell[1] & 0xFF);
    }

    static byte[] path(byte[] cell) {
        return Arrays.copyOfRange(cell, LENGTH_BYTES, pathEnd(cell));
    }

    static byte[] value(byte[] cell) {
        return Arrays.copyOfRange(cell, pathEnd(cell), cell.length);
    }

    /** Compares the cell's path with another, as unsigned bytes. */
    static int compare(byte[] cell, byte[] path) {
        return Arrays.compareUnsigned(cell, LENGTH_BYTES, pathEnd(cell), path, 0, path.length);
    }

    static boolean startsWith(byte[] cell, byte[] prefix) {
        int end = LENGTH_BYTES + prefix.length;
        return end <= pathEnd(cell) && Arrays.equals(cell, LENGTH_BYTES, end, prefix, 0, prefix.length);
    }

    /** The key behind a namespace that takes so many bytes. */
    static String key(byte[] cell, int namespaceBytes) {
        int from = LENGTH_BYTES + namespaceBytes + 1;
        return new String(cell, from, pathEnd(cell) - from, StandardCharsets.UTF_8);
    }
}
