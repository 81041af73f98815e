package dev.turnstone.broker.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.MemoryJournal;
import dev.turnstone.broker.MemoryPages;
import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.AddressSettings;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.Survivors;
import dev.turnstone.port.Address;
import dev.turnstone.port.MessageBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What finding the next entry costs, counted in entries that a cursor passes over. */
final class CursorTest {
    private final MemoryJournal journal = new MemoryJournal(new HashMap<>(), new NoListener());
    private final MessageStore store =
            new MessageStore(Survivors.read(journal, Limits.DEFAULTS).log(journal), new Memory(1L << 40));
    private final QueueState queue = new QueueState(
            new QueueIdentity(1, Address.queue("q"), null, false),
            AddressSettings.DEFAULTS,
            idle -> {},
            new QueueContext(store, new Agenda(), Limits.DEFAULTS, MemoryPages.unheard(store), () -> 0.5));
    private final EntryIndex index = new EntryIndex();
    private final List<Entry> entries = new ArrayList<>();

    private void append(int count, String type) {
        for (int i = 0; i < count; i++) {
            var message = MessageBuilder.to(Address.queue("q")).type(type).build();
            Entry entry = new Entry(queue, store.keep(message, 1));
            entries.add(entry);
            index.append(entry);
        }
    }

    private static ScanBudget budget(int entries) {
        ScanBudget budget = new ScanBudget();
        budget.refill(entries);
        return budget;
    }

    private static Entry take(Cursor cursor, ScanBudget budget) {
        Entry entry = cursor.find(budget);
        assertThat(entry).isNotNull();
        entry.state = EntryState.DELIVERED;
        cursor.pass(entry);
        return entry;
    }

    @Test
    void aSelectorPassesOverWhatDoesNotMatchOnceHoweverOftenSomethingIsTaken() {
        append(100_000, "other");
        append(1_000, "mine");
        Cursor cursor = new Cursor(index, Selector.compile("JMSType = 'mine'"));
        take(cursor, budget(100_002));
        ScanBudget rest = budget(1_000);
        for (int i = 1; i < 1_000; i++) {
            take(cursor, rest);
        }
        assertThat(rest.left()).as("nothing was passed over again").isEqualTo(1_000);
    }

    @Test
    void aLongSearchIsCutIntoTurnsAndGoesOnWhereItWas() {
        append(10_000, "other");
        append(1, "mine");
        Cursor cursor = new Cursor(index, Selector.compile("JMSType = 'mine'"));
        int turns = 1;
        while (cursor.find(budget(1_000)) == null) {
            assertThat(cursor.paused()).isTrue();
            turns++;
        }
        assertThat(turns).isEqualTo(11);
    }

    @Test
    void whatComesBackBehindACursorIsFoundWithoutSearching() {
        append(1_000, "mine");
        append(100_000, "other");
        append(1, "mine");
        Cursor cursor = new Cursor(index, Selector.compile("JMSType = 'mine'"));
        ScanBudget all = budget(200_000);
        List<Entry> taken = new ArrayList<>();
        for (int i = 0; i < 1_001; i++) {
            taken.add(take(cursor, all));
        }
        for (Entry entry : List.of(taken.get(7), taken.get(1_000), taken.get(3))) {
            entry.state = EntryState.READY;
            cursor.offer(entry);
        }
        ScanBudget few = budget(10);
        assertThat(List.of(take(cursor, few), take(cursor, few), take(cursor, few)))
                .containsExactly(taken.get(3), taken.get(7), taken.get(1_000));
        assertThat(few.left()).isEqualTo(10);
        assertThat(cursor.find(few)).isNull();
    }

    @Test
    void anEntryThatLeavesTakesNoCursorWithIt() {
        append(5, "mine");
        Cursor cursor = new Cursor(index, null);
        ScanBudget budget = budget(100);
        for (int i = 0; i < 3; i++) {
            take(cursor, budget);
        }
        for (int i : new int[] {2, 0, 1}) {
            cursor.forget(entries.get(i));
            index.remove(entries.get(i));
        }
        assertThat(take(cursor, budget)).isSameAs(entries.get(3));
        assertThat(entries).extracting(entry -> entry.pins).containsExactly(0, 0, 0, 1, 0);
        cursor.close();
        assertThat(entries.get(3).pins).isZero();
    }
}
