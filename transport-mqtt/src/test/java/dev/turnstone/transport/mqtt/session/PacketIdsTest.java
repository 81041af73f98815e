package dev.turnstone.transport.mqtt.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PacketIdsTest {
    @Test
    void behavesAsAMap() {
        Random random = new Random(3);
        for (int round = 0; round < 20; round++) {
            PacketIds<Object> ids = new PacketIds<>();
            Map<Integer, Object> expected = new HashMap<>();
            int range = 1 + random.nextInt(round < 10 ? 40 : 5_000);
            for (int step = 0; step < 20_000; step++) {
                // Neighbours and what is a table's length apart: both collide.
                int id = 1 + random.nextInt(range) * (1 + random.nextInt(2) * 63) % PacketIds.MAX;
                if (random.nextBoolean()) {
                    Object value = new Object();
                    ids.put(id, value);
                    expected.put(id, value);
                } else if (expected.containsKey(id) && random.nextBoolean()) {
                    ids.remove(id, expected.remove(id));
                } else {
                    ids.remove(id, new Object());
                }
                assertThat(ids.get(id)).isSameAs(expected.get(id));
            }
            assertThat(ids.size()).isEqualTo(expected.size());
            expected.forEach((id, value) -> assertThat(ids.get(id)).isSameAs(value));
        }
    }

    @Test
    void holdsAllThereAre() {
        PacketIds<Integer> ids = new PacketIds<>();
        for (int id = 1; id <= PacketIds.MAX; id++) {
            ids.put(id, id);
        }
        assertThat(ids.size()).isEqualTo(PacketIds.MAX);
        for (int id = 1; id <= PacketIds.MAX; id++) {
            assertThat(ids.get(id)).isEqualTo(id);
        }
    }
}
