package dev.turnstone.broker.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.MemoryJournal;
import dev.turnstone.broker.MemoryPages;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.queue.Agenda;
import dev.turnstone.broker.queue.NoListener;
import dev.turnstone.broker.queue.QueueContext;
import dev.turnstone.broker.queue.QueueIdentity;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.settings.AddressSettings;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.Survivors;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The index beside asking every filter. */
final class FilterIndexPropertyTest {
    private final MemoryJournal journal = new MemoryJournal(new LinkedHashMap<>(), new NoListener());
    private final MessageStore store =
            new MessageStore(Survivors.read(journal, Limits.DEFAULTS).log(journal), new Memory(1 << 30));
    private final QueueContext context =
            new QueueContext(store, new Agenda(), Limits.DEFAULTS, MemoryPages.unheard(store), () -> 0.5);

    @Provide
    Arbitrary<String> patterns() {
        return Arbitraries.of("a", "b", "$c", "", "*", "%2A")
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .map(levels -> String.join(".", levels))
                .flatMap(name -> Arbitraries.of(name, name + ".>", ">"));
    }

    @Provide
    Arbitrary<String> topics() {
        return Arbitraries.of("a", "b", "$c", "", "%2A")
                .list()
                .ofMinSize(1)
                .ofMaxSize(5)
                .map(levels -> String.join(".", levels));
    }

    private Filter filter(int order, String pattern) {
        QueueState queue = new QueueState(
                new QueueIdentity(order, Address.queue("q"), null, false), AddressSettings.DEFAULTS, q -> {}, context);
        return new Subscription(order, queue, Address.pattern(AddressKind.TOPIC, pattern), null, null, null).filter();
    }

    @Property(tries = 500)
    void findsWhatMatchesAndForgetsWhatIsRemoved(
            @ForAll List<@From("patterns") String> patterns,
            @ForAll List<@From("topics") String> topics,
            @ForAll int every) {
        FilterIndex index = new FilterIndex();
        List<Filter> filters = new ArrayList<>();
        for (String pattern : patterns) {
            if (!pattern.isEmpty()) {
                Filter filter = filter(filters.size() + 1, pattern);
                filters.add(filter);
                index.add(filter);
            }
        }
        assertFindsAll(index, filters, topics);
        List<Filter> kept = new ArrayList<>();
        for (int i = 0; i < filters.size(); i++) {
            if (i % (1 + Math.abs(every % 3)) == 0) {
                index.remove(filters.get(i));
            } else {
                kept.add(filters.get(i));
            }
        }
        assertFindsAll(index, kept, topics);
        kept.forEach(index::remove);
        assertThat(index.size()).isZero();
        assertFindsAll(index, List.of(), topics);
    }

    private static void assertFindsAll(FilterIndex index, List<Filter> filters, List<String> topics) {
        for (String name : topics) {
            if (!name.isEmpty()) {
                Address topic = Address.topic(name);
                List<Filter> found = new ArrayList<>();
                index.match(topic, found);
                assertThat(found)
                        .as(name)
                        .containsExactlyInAnyOrderElementsOf(filters.stream()
                                .filter(filter -> filter.topic().matches(topic))
                                .toList());
            }
        }
        assertThat(index.size())
                .isEqualTo((int) filters.stream().map(Filter::topic).distinct().count());
    }
}
