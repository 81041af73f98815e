package dev.turnstone.broker.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class StateTreeTest {
    private final StateTree tree = new StateTree();
    private final TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    private long records;

    private void put(byte[] path, byte[] value) {
        byte[] cell = Cell.of(path, value);
        tree.put(path, cell, ++records);
        model.put(path, cell);
        assertThat(tree.record(path)).isEqualTo(records);
    }

    private List<byte[]> from(byte[] path) {
        List<byte[]> found = new ArrayList<>();
        tree.visit(path, (cell, record) -> found.add(cell));
        return found;
    }

    private void assertSame(byte[] from) {
        assertThat(tree.size()).isEqualTo(model.size());
        assertThat(from(from))
                .containsExactlyElementsOf(model.tailMap(from, true).values());
    }

    @Test
    void randomPutsAndRemovesLeaveWhatASortedMapHolds() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 60_000; round++) {
            // Grows to many leaves, then shrinks to few.
            boolean grows = round < 30_000;
            byte[] path = Cell.path("n" + random.nextInt(3), "client/" + random.nextInt(3_000));
            if (random.nextInt(10) < (grows ? 8 : 2)) {
                put(path, new byte[random.nextInt(20)]);
            } else if (model.remove(path) != null) {
                tree.remove(path);
                assertThat(tree.record(path)).isZero();
            }
            if (round % 5_000 == 0) {
                assertSame(path);
            }
        }
        assertSame(new byte[0]);
        for (Map.Entry<byte[], byte[]> entry : model.entrySet()) {
            tree.remove(entry.getKey());
        }
        assertThat(tree.size()).isZero();
        assertThat(from(new byte[0])).isEmpty();
    }

    @Test
    void ascendingAndDescendingKeysSplitLeavesRightly() {
        for (int i = 0; i < 2_000; i++) {
            put(Cell.path("up", "%05d".formatted(i)), new byte[0]);
            put(Cell.path("down", "%05d".formatted(9_999 - i)), new byte[0]);
        }
        assertSame(new byte[0]);
        assertSame(Cell.path("up", "00500"));
    }

    @Test
    void aVisitEndsWhenTheVisitorSaysSo() {
        put(Cell.path("n", "a"), new byte[0]);
        put(Cell.path("n", "b"), new byte[0]);
        List<byte[]> seen = new ArrayList<>();
        tree.visit(new byte[0], (cell, record) -> {
            seen.add(cell);
            return false;
        });
        assertThat(seen).hasSize(1);
    }
}
