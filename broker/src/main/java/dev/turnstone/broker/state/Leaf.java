package dev.turnstone.broker.state;

import java.util.Arrays;

/** A run of neighbouring cells with the identifiers of their records. Owned by the engine thread. */
final class Leaf {
    static final int CELLS_MAX = 128;
    private static final int LEAST = 4;
    private static final byte[] NONE = {};

    private byte[][] cells;
    private long[] records;
    private int size;

    Leaf() {
        cells = new byte[LEAST][];
        records = new long[LEAST];
    }

    private Leaf(byte[][] cells, long[] records) {
        this.cells = cells;
        this.records = records;
        this.size = cells.length;
    }

    int size() {
        return size;
    }

    byte[] cell(int index) {
        return cells[index];
    }

    long record(int index) {
        return records[index];
    }

    /** The index of the path, or -1 - the index at which it would stand. */
    int find(byte[] path) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Cell.compare(cells[middle], path);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1 - low;
    }

    void replace(int index, byte[] cell, long record) {
        cells[index] = cell;
        records[index] = record;
    }

    void insert(int index, byte[] cell, long record) {
        if (size == cells.length) {
            resize(Math.min(CELLS_MAX, Math.max(LEAST, size + size / 2)));
        }
        System.arraycopy(cells, index, cells, index + 1, size - index);
        System.arraycopy(records, index, records, index + 1, size - index);
        cells[index] = cell;
        records[index] = record;
        size++;
    }

    void remove(int index) {
        size--;
        System.arraycopy(cells, index + 1, cells, index, size - index);
        System.arraycopy(records, index + 1, records, index, size - index);
        if (size >= LEAST && size < cells.length / 2) {
            resize(size + size / 4);
        } else {
            cells[size] = NONE;
        }
    }

    boolean isFull() {
        return size == CELLS_MAX;
    }

    /** Gives its upper half away. */
    Leaf split() {
        int half = size / 2;
        Leaf upper = new Leaf(Arrays.copyOfRange(cells, half, size), Arrays.copyOfRange(records, half, size));
        size = half;
        resize(half);
        return upper;
    }

    private void resize(int length) {
        cells = Arrays.copyOf(cells, length);
        records = Arrays.copyOf(records, length);
    }
}
