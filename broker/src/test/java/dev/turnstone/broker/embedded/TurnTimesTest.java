package dev.turnstone.broker.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.Engine;
import dev.turnstone.broker.EngineParts;
import dev.turnstone.broker.MemoryJournal;
import dev.turnstone.broker.MemoryPages;
import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.broker.settings.AddressRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TurnTimesTest {
    private static final int TURNS = 10;

    private final Engine engine = Engine.start(
            new EngineParts(
                    Limits.DEFAULTS.with(Limit.TURN_COMMANDS, 1),
                    () -> 1,
                    Runnable::run,
                    () -> {},
                    Security.OPEN,
                    () -> 0.5,
                    AddressRules.DEFAULTS,
                    Bindings.NONE),
            listener -> new MemoryJournal(new LinkedHashMap<>(), listener),
            listener -> new MemoryPages(new LinkedHashMap<>(), listener));
    private final List<Long> took = new ArrayList<>();
    private final TurnTimes times = new TurnTimes(
            new BrokerMeter() {
                @Override
                public void turn(long nanos) {
                    took.add(nanos);
                }

                @Override
                public void confirmed(long nanos) {
                    // Nothing is recorded here.
                }

                @Override
                public void synced(long nanos) {
                    // Nor synced.
                }
            },
            this::look);
    private long looks;

    private long look() {
        return 1_000 * ++looks;
    }

    @Test
    void aBusyEngineLooksAtTheClockOnceATurn() {
        while (times.drain(engine)) {
            // What its start has left.
        }
        took.clear();
        looks = 0;
        for (int i = 0; i < TURNS; i++) {
            engine.configure(AddressRules.DEFAULTS);
        }
        while (times.drain(engine)) {
            // Each turn does one of them.
        }
        assertThat(took.size()).isGreaterThanOrEqualTo(TURNS);
        assertThat(looks).isEqualTo(took.size() + 1);
        assertThat(took).containsOnly(1_000L);
    }
}
