package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Outcome;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a client has handed over with a transaction, and has still until it hears of a commit. When the transaction is
 * refused or rolls back, the client gives it to its application again by itself, and the broker gives it out again: to
 * whatever consumer of the connection it comes, it is what its owner has, and the client is not given it twice. On the
 * event loop only.
 */
final class Kept {
    /** So many that have gone elsewhere, as to another connection, are remembered. */
    static final int AWAY_MAX = 10_000;

    /** Those whose transaction is open, as far as the client knows. */
    private final Some handed = new Some();
    /** Those that go on with their client, and have not come back here. */
    private final Some away = new Some();

    /** A message is known by its queue and its position there. */
    private record Place(Object queue, long position) {}

    /** One delivery that the client has. */
    static final class Entry {
        private final OpenWireConsumer owner;
        private final long sequence;
        private final Place place;
        private @Nullable Outcome said;
        private @Nullable Held back;

        private Entry(OpenWireConsumer owner, long sequence, Place place) {
            this.owner = owner;
            this.sequence = sequence;
            this.place = place;
        }

        /** Whose application has it. */
        OpenWireConsumer owner() {
            return owner;
        }

        /** By which the client knows it. */
        long sequence() {
            return sequence;
        }

        /** What the client has said of it while it was away, or null. */
        @Nullable
        Outcome said() {
            return said;
        }
    }

    /** Some of them, in the order in which they came, and by their owners' numbers. */
    private static final class Some {
        private final Map<Place, Entry> byPlace = new LinkedHashMap<>();
        private final Map<OpenWireConsumer, NavigableMap<Long, Entry>> byOwner = new HashMap<>();

        @Nullable
        Entry at(Place place) {
            return byPlace.get(place);
        }

        boolean isEmpty() {
            return byPlace.isEmpty();
        }

        int size() {
            return byPlace.size();
        }

        Entry oldest() {
            return byPlace.values().iterator().next();
        }

        void add(Entry entry) {
            Entry before = byPlace.put(entry.place, entry);
            if (before != null) {
                disown(before);
            }
            byOwner.computeIfAbsent(entry.owner, owner -> new TreeMap<>()).put(entry.sequence, entry);
        }

        boolean remove(Entry entry) {
            boolean there = byPlace.remove(entry.place, entry);
            if (there) {
                disown(entry);
            }
            return there;
        }

        private void disown(Entry entry) {
            NavigableMap<Long, Entry> own = byOwner.get(entry.owner);
            if (own != null && own.remove(entry.sequence, entry) && own.isEmpty()) {
                byOwner.remove(entry.owner);
            }
        }

        /** An owner's from the first to the last of these numbers. */
        Collection<Entry> within(OpenWireConsumer owner, long first, long last) {
            NavigableMap<Long, Entry> own = byOwner.get(owner);
            return own == null || first > last
                    ? List.of()
                    : own.subMap(first, true, last, true).values();
        }

        List<Entry> of(OpenWireConsumer owner) {
            return List.copyOf(within(owner, Long.MIN_VALUE, Long.MAX_VALUE));
        }
    }

    private static Place place(Held held) {
        return new Place(held.queue(), held.position());
    }

    /** The client hands it over. */
    void hand(OpenWireConsumer owner, Held held) {
        handed.add(new Entry(owner, held.sequence(), place(held)));
    }

    /** It is consumed, or the broker has not taken it, or nobody will say what becomes of it. */
    void forget(Held held) {
        Entry entry = handed.at(place(held));
        if (entry != null && entry.back == null) {
            handed.remove(entry);
        }
    }

    /** What comes there, if the client has it; null if it is new. */
    @Nullable
    Entry find(Object queue, long position) {
        if (handed.isEmpty() && away.isEmpty()) {
            return null;
        }
        Place place = new Place(queue, position);
        Entry entry = handed.at(place);
        return entry == null ? away.at(place) : entry;
    }

    /** It has come back; until the client knows what became of its transaction it does not acknowledge it again. */
    void back(Entry entry, Held held) {
        if (away.remove(entry)) {
            return;
        }
        entry.back = held;
        held.enlist(entry);
    }

    /** The client goes on with it; true if it has not come back yet. */
    boolean goesOn(Held held) {
        Entry entry = handed.at(place(held));
        return entry != null && goesOn(entry);
    }

    private boolean goesOn(Entry entry) {
        handed.remove(entry);
        if (entry.back != null) {
            entry.back.delist();
            return false;
        }
        away.add(entry);
        if (away.size() > AWAY_MAX) {
            away.remove(away.oldest());
        }
        return true;
    }

    /** The client says that it goes on with those of a consumer from the first to the last of these numbers. */
    void goOn(OpenWireConsumer consumer, long first, long last) {
        List.copyOf(handed.within(consumer, first, last)).forEach(this::goesOn);
    }

    /** True if some of these are away: the client has them, and nobody can say whether it will have consumed them. */
    boolean anyAway(OpenWireConsumer consumer, long first, long last) {
        return !away.within(consumer, first, last).isEmpty();
    }

    /** The client says what becomes of some that are away; false if there is none. */
    boolean settle(OpenWireConsumer consumer, long first, long last, Outcome outcome) {
        Collection<Entry> some = away.within(consumer, first, last);
        some.forEach(entry -> entry.said = outcome);
        return !some.isEmpty();
    }

    /** A consumer ends: what comes from now on is new to the client. What has come back is its consumer's to settle. */
    void end(OpenWireConsumer consumer) {
        away.of(consumer).forEach(away::remove);
        for (Entry left : handed.of(consumer)) {
            if (left.back != null) {
                left.back.delist();
            }
            handed.remove(left);
        }
    }
}
