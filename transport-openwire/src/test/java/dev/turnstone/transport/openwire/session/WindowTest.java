package dev.turnstone.transport.openwire.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class WindowTest {
    private static Held held(long sequence) {
        return new Held(sequence, 1, sequence, "queue", sequence, 0);
    }

    private static List<Long> open(Window window) {
        return window.open().stream().map(Held::sequence).toList();
    }

    @Test
    void oneThatStaysOpenKeepsNoneOfThoseThatAreSettledBehindIt() {
        Window window = new Window();
        window.add(held(1));
        for (int i = 2; i < 10_000; i++) {
            Held next = held(i);
            window.add(next);
            if (i % 1_000 != 0) {
                next.settle();
            }
            window.trim();
        }
        assertThat(window.size()).isLessThan(64);
        assertThat(open(window))
                .containsExactly(1L, 1_000L, 2_000L, 3_000L, 4_000L, 5_000L, 6_000L, 7_000L, 8_000L, 9_000L);
    }

    @Test
    void whatWasSettledInVainIsInItsPlaceAgain() {
        Window window = new Window();
        Held first = held(1);
        Held second = held(2);
        window.add(first);
        window.add(second);
        window.add(held(3));
        second.settle();
        window.trim();
        second.unsettle();
        window.restore(second);
        assertThat(open(window)).containsExactly(1L, 2L, 3L);
        first.settle();
        second.settle();
        window.trim();
        assertThat(open(window)).containsExactly(3L);
        second.unsettle();
        window.restore(second);
        assertThat(open(window)).containsExactly(2L, 3L);
    }
}
