package dev.turnstone.broker.state;

import dev.turnstone.broker.store.Invariant;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * Cells in the order of their paths, kept compactly: runs of neighbours in leaves, so that a key costs an array and two
 * slots instead of objects of its own. Owned by the engine thread.
 */
final class StateTree {
    private static final byte[] FIRST = {};

    /** By a path that no cell of the leaf is below and no cell of an earlier leaf reaches. */
    private final TreeMap<byte[], Leaf> leaves = new TreeMap<>(Arrays::compareUnsigned);

    private int size;

    StateTree() {
        leaves.put(FIRST, new Leaf());
    }

    int size() {
        return size;
    }

    /** The record of a path; 0 if it has none. */
    long record(byte[] path) {
        Leaf leaf = at(path).getValue();
        int index = leaf.find(path);
        return index < 0 ? 0 : leaf.record(index);
    }

    /** The length of the cell at a path; 0 if there is none. */
    int cellBytes(byte[] path) {
        Leaf leaf = at(path).getValue();
        int index = leaf.find(path);
        return index < 0 ? 0 : leaf.cell(index).length;
    }

    /** Puts a cell in place of the one that its path has, if any. */
    void put(byte[] path, byte[] cell, long record) {
        Leaf leaf = at(path).getValue();
        int index = leaf.find(path);
        if (index >= 0) {
            leaf.replace(index, cell, record);
            return;
        }
        size++;
        if (!leaf.isFull()) {
            leaf.insert(-1 - index, cell, record);
            return;
        }
        Leaf upper = leaf.split();
        leaves.put(Cell.path(upper.cell(0)), upper);
        Leaf half = at(path).getValue();
        half.insert(-1 - half.find(path), cell, record);
    }

    /** Removes the cell at a path, which must be there. */
    void remove(byte[] path) {
        Map.Entry<byte[], Leaf> place = at(path);
        Leaf leaf = place.getValue();
        int index = leaf.find(path);
        Invariant.check(index >= 0, "only a cell that is there is removed");
        leaf.remove(index);
        size--;
        if (leaf.size() == 0 && place.getKey() != FIRST) {
            leaves.remove(place.getKey());
        }
    }

    /**
     * Shows cells and their records in order, until the visitor answers false.
     *
     * @param from the first path, or a path before it
     */
    void visit(byte[] from, BiPredicate<byte[], Long> visitor) {
        Map.Entry<byte[], Leaf> place = at(from);
        int found = place.getValue().find(from);
        int index = found < 0 ? -1 - found : found;
        while (place != null) {
            Leaf leaf = place.getValue();
            for (; index < leaf.size(); index++) {
                if (!visitor.test(leaf.cell(index), leaf.record(index))) {
                    return;
                }
            }
            index = 0;
            place = leaves.higherEntry(place.getKey());
        }
    }

    private Map.Entry<byte[], Leaf> at(byte[] path) {
        Map.Entry<byte[], Leaf> place = leaves.floorEntry(path);
        if (place == null) {
            throw new IllegalStateException("the first leaf is never removed");
        }
        return place;
    }
}
