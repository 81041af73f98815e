package dev.turnstone.broker.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.MemoryJournal;
import dev.turnstone.broker.MemoryPages;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.AddressSettings;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.Survivors;
import dev.turnstone.port.Address;
import dev.turnstone.port.MessageBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class UnsettledTest {
    private final MemoryJournal journal = new MemoryJournal(new HashMap<>(), new NoListener());
    private final MessageStore store =
            new MessageStore(Survivors.read(journal, Limits.DEFAULTS).log(journal), new Memory(1 << 30));
    private final QueueState queue = new QueueState(
            new QueueIdentity(1, Address.queue("q"), null, false),
            AddressSettings.DEFAULTS,
            idle -> {},
            new QueueContext(store, new Agenda(), Limits.DEFAULTS, MemoryPages.unheard(store), () -> 0.5));

    private Entry entry() {
        return new Entry(queue, store.keep(MessageBuilder.to(Address.queue("q")).build(), 1));
    }

    @Property
    void itKnowsWhatATreeKnows(@ForAll @Size(max = 300) List<@IntRange(min = 0, max = 5000) Integer> steps) {
        Unsettled unsettled = new Unsettled();
        TreeMap<Long, Entry> tree = new TreeMap<>();
        for (int step : steps) {
            if (step % 3 != 0 || tree.isEmpty()) {
                Entry entry = entry();
                tree.put(unsettled.add(entry), entry);
            } else {
                // Mostly near the end, so that some are left behind.
                Long key = tree.floorKey(Math.max(tree.firstKey(), tree.lastKey() - step % 7));
                assertThat(unsettled.remove(key)).isSameAs(tree.remove(key));
                assertThat(unsettled.remove(key)).isNull();
            }
            assertThat(unsettled.size()).isEqualTo(tree.size());
            long from = step % 40 + 1L;
            long to = step % 5 == 0 ? Long.MAX_VALUE : from + step % 60;
            assertThat(unsettled.range(from, to))
                    .containsExactlyElementsOf(tree.subMap(from, true, to, true).values());
            if (step % 11 == 0) {
                long first = Math.max(1, unsettled.size() - step % 17);
                var some = tree.subMap(first, true, first + step % 9, true);
                assertThat(unsettled.remove(first, first + step % 9)).containsExactlyElementsOf(some.values());
                some.clear();
                assertThat(unsettled.range(1, Long.MAX_VALUE)).containsExactlyElementsOf(tree.values());
            }
        }
    }

    @Test
    void oneForgottenDeliveryDoesNotKeepRoomForAllThatCameAfterIt() {
        Unsettled unsettled = new Unsettled();
        Entry forgotten = entry();
        unsettled.add(forgotten);
        for (int i = 0; i < 100_000; i++) {
            long number = unsettled.add(entry());
            assertThat(unsettled.remove(number)).isNotNull();
        }
        assertThat(unsettled.room()).isLessThanOrEqualTo(32);
        assertThat(unsettled.remove(1)).isSameAs(forgotten);
    }
}
