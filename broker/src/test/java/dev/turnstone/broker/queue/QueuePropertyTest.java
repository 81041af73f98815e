package dev.turnstone.broker.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.MemoryJournal;
import dev.turnstone.broker.MemoryPages;
import dev.turnstone.broker.filter.Selector;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.AddressSettings;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.StoredMessage;
import dev.turnstone.broker.store.Survivors;
import dev.turnstone.port.Address;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/** A queue beside a model that looks at every entry each time. */
final class QueuePropertyTest {
    /** What the model knows of one message. */
    private static final class Known {
        final Message message;
        final long position;
        boolean ready = true;
        boolean flagged;
        int attempts;

        Known(Message message, long position) {
            this.message = message;
            this.position = position;
        }

        boolean comesBefore(Known other) {
            return message.priority() != other.message.priority()
                    ? message.priority() > other.message.priority()
                    : position < other.position;
        }
    }

    private static final class Side {
        final Consumer consumer;
        final @Nullable String color;
        int credit;
        final TreeMap<Long, Known> unsettled = new TreeMap<>();

        Side(Consumer consumer, @Nullable String color) {
            this.consumer = consumer;
            this.color = color;
        }

        boolean takes(Known known) {
            return color == null || color.equals(known.message.type());
        }
    }

    private static final class World implements Receiver {
        final Map<Long, Known> model = new HashMap<>();
        final Map<Integer, Side> sides = new LinkedHashMap<>();
        final MemoryJournal journal = new MemoryJournal(new HashMap<>(), new NoListener());
        final MessageStore store;
        final QueueState queue;
        int consumers;

        World() {
            store = new MessageStore(Survivors.read(journal, Limits.DEFAULTS).log(journal), new Memory(1 << 30));
            Limits limits = Limits.DEFAULTS
                    .with(Limit.TURN_SCAN, 3)
                    .with(Limit.DISPATCH_BLOCK, 5)
                    .with(Limit.SETTLE_FOLD, 2);
            queue = new QueueState(
                    new QueueIdentity(store.log().nextId(), Address.queue("q"), null, true),
                    AddressSettings.DEFAULTS,
                    idle -> {},
                    new QueueContext(store, new Agenda(), limits, MemoryPages.unheard(store), () -> 0.5));
        }

        @Override
        public void deliver(Consumer consumer, long number, Entry entry, long causeLsn) {
            Side side = sides.get(consumer.number());
            Known best = null;
            for (Known known : model.values()) {
                if (known.ready && side.takes(known) && (best == null || known.comesBefore(best))) {
                    best = known;
                }
            }
            assertThat(best).as("something is ready").isNotNull();
            assertThat(entry.position()).as("the best that is ready").isEqualTo(best.position);
            assertThat(entry.flagged()).isEqualTo(best.flagged);
            assertThat(entry.deliveryCount()).isEqualTo(Math.max(best.flagged ? 2 : 1, best.attempts + 1));
            assertThat(side.credit).isPositive();
            assertThat(causeLsn).isLessThanOrEqualTo(store.log().lsn());
            side.credit--;
            best.ready = false;
            side.unsettled.put(number, best);
        }

        @Override
        public void show(Consumer browser, long number, Entry entry, long causeLsn) {
            throw new AssertionError("nobody browses");
        }

        @Override
        public boolean permits(Address address) {
            return true;
        }

        @Override
        public void shownAll(Consumer browser) {
            throw new AssertionError("nobody browses");
        }

        void send(int kind) {
            Message message = MessageBuilder.to(Address.queue("q"))
                    .priority(kind % 3 + 3)
                    .type(kind % 2 == 0 ? "red" : "blue")
                    .persistent(kind % 5 != 0)
                    .build();
            StoredMessage stored = store.keep(message, 1);
            if (message.persistent()) {
                store.record(stored, queue.id());
            }
            model.put(stored.position(), new Known(message, stored.position()));
            queue.enqueue(stored);
        }

        void attach(int kind) {
            String color = kind % 3 == 0 ? "red" : kind % 3 == 1 ? "blue" : null;
            Selector selector = Selector.compile(color == null ? null : "JMSType = '" + color + "'");
            Consumer consumer = new Consumer(++consumers, this, selector);
            sides.put(consumers, new Side(consumer, color));
            queue.attach(consumer);
        }

        @Nullable
        Side side(int kind) {
            List<Side> all = new ArrayList<>(sides.values());
            return all.isEmpty() ? null : all.get(kind % all.size());
        }

        void settle(Side side, int kind) {
            if (side.unsettled.isEmpty()) {
                return;
            }
            List<Long> numbers = new ArrayList<>(side.unsettled.keySet());
            long number = numbers.get(kind % numbers.size());
            Entry entry = side.consumer.take(number);
            assertThat(entry).isNotNull();
            Known known = side.unsettled.remove(number);
            switch (kind % 4) {
                case 0, 1 -> {
                    model.remove(known.position);
                    queue.settle(entry);
                }
                case 2 -> returned(entry, known, false);
                default -> returned(entry, known, true);
            }
        }

        void returned(Entry entry, Known known, boolean counted) {
            known.ready = true;
            known.flagged |= counted;
            known.attempts += counted ? 1 : 0;
            queue.giveBack(entry, counted, counted);
        }

        void detach(Side side) {
            queue.detach(side.consumer);
            sides.remove(side.consumer.number());
            List<Entry> entries = side.consumer.take(1, Long.MAX_VALUE);
            List<Known> all = new ArrayList<>(side.unsettled.values());
            assertThat(entries).hasSameSizeAs(all);
            for (int i = 0; i < all.size(); i++) {
                returned(entries.get(i), all.get(i), false);
            }
        }

        void check() {
            while (queue.pump(0, 2)) {
                // until only credit or messages are missing
            }
            store.log().append();
            journal.sync();
            assertThat(queue.depth()).isEqualTo(model.size());
            for (Side side : sides.values()) {
                assertThat(side.consumer.unsettledCount()).isEqualTo(side.unsettled.size());
                boolean any = model.values().stream().anyMatch(known -> known.ready && side.takes(known));
                assertThat(side.credit > 0 && any)
                        .as("credit and a message wait for each other")
                        .isFalse();
            }
        }
    }

    @Property(tries = 2000)
    void aQueueGivesEachConsumerTheBestThatIsReadyAndForgetsNothing(
            @ForAll @Size(max = 120) List<@IntRange(min = 0, max = 9999) Integer> steps) {
        World world = new World();
        for (int step : steps) {
            int kind = step / 10;
            Side side = world.side(kind);
            switch (step % 10) {
                case 0, 1, 2, 3 -> world.send(kind);
                case 4 -> world.attach(kind);
                case 5, 6 -> {
                    if (side != null) {
                        side.credit += kind % 4 + 1;
                        world.queue.credit(side.consumer, kind % 4 + 1);
                    }
                }
                case 7, 8 -> {
                    if (side != null) {
                        world.settle(side, kind);
                    }
                }
                default -> {
                    if (side != null && kind % 3 == 0) {
                        world.detach(side);
                    }
                }
            }
            world.check();
        }
    }
}
