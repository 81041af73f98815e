package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** An engine that does not start leaves nothing open. */
final class EngineStartTest {
    private final Map<Long, MemoryJournal.Stored> disk = new LinkedHashMap<>();
    private final AtomicReference<MemoryJournal> journal = new AtomicReference<>();

    private void start(Function<PageListener, PageStore> openPages) {
        Engine.start(
                new EngineParts(Limits.DEFAULTS, () -> 1_000, Runnable::run, () -> {}),
                listener -> {
                    journal.set(new MemoryJournal(disk, listener));
                    return journal.get();
                },
                openPages);
    }

    @Test
    void pagesThatCannotBeOpenedCloseTheJournal() {
        assertThatThrownBy(() -> start(listener -> {
                    throw new NumberFormatException("zzzz");
                }))
                .isInstanceOf(NumberFormatException.class);
        assertThat(journal.get().closed()).isTrue();
    }

    @Test
    void recordsThatCannotBeReadCloseTheJournal() {
        disk.put(1L, new MemoryJournal.Stored(RecordType.MARK.code(), new byte[] {1, 0}));
        assertThatThrownBy(() -> start(listener -> new MemoryPages(new LinkedHashMap<>(), listener)))
                .isInstanceOf(RuntimeException.class);
        assertThat(journal.get().closed()).isTrue();
    }
}
