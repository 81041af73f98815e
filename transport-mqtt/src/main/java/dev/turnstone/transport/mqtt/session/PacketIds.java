package dev.turnstone.transport.mqtt.session;

import org.jspecify.annotations.Nullable;

/**
 * What the packet identifiers in use stand for. Open addressing without boxes: a table that is never more than half
 * full, searched from the identifier's own place on. One thread.
 */
final class PacketIds<T> {
    /** The largest packet identifier; the smallest is 1 (MQTT 5 §2.2.1). */
    static final int MAX = 65_535;

    private static final int SMALLEST = 8;

    /** Tables without room: the first put makes others. */
    private static final int[] NO_IDS = new int[1];

    private static final @Nullable Object[] NO_VALUES = new @Nullable Object[1];

    private int[] ids = NO_IDS;
    private @Nullable Object[] values = NO_VALUES;
    private int size;

    int size() {
        return size;
    }

    /** What the identifier stands for, or null if it is free. */
    @SuppressWarnings("unchecked") // Only put fills the table.
    @Nullable
    T get(int id) {
        return (T) values[place(id)];
    }

    /** The identifier stands for this from now on. */
    void put(int id, T value) {
        if (2 * (size + 1) > ids.length) {
            grow();
        }
        int at = place(id);
        if (values[at] == null) {
            size++;
        }
        ids[at] = id;
        values[at] = value;
    }

    /** The identifier is free, if it still stands for this. */
    void remove(int id, T value) {
        int hole = place(id);
        if (values[hole] != value) {
            return;
        }
        size--;
        int mask = ids.length - 1;
        // What was pushed past the hole moves back into it.
        for (int at = hole + 1 & mask; values[at] != null; at = at + 1 & mask) {
            if ((at - (ids[at] & mask) & mask) >= (at - hole & mask)) {
                ids[hole] = ids[at];
                values[hole] = values[at];
                hole = at;
            }
        }
        ids[hole] = 0;
        values[hole] = null;
    }

    private int place(int id) {
        int mask = ids.length - 1;
        int at = id & mask;
        while (values[at] != null && ids[at] != id) {
            at = at + 1 & mask;
        }
        return at;
    }

    private void grow() {
        int[] oldIds = ids;
        @Nullable Object[] oldValues = values;
        ids = new int[Math.max(SMALLEST, 2 * oldIds.length)];
        values = new @Nullable Object[ids.length];
        for (int i = 0; i < oldIds.length; i++) {
            if (oldValues[i] != null) {
                int at = place(oldIds[i]);
                ids[at] = oldIds[i];
                values[at] = oldValues[i];
            }
        }
    }
}
