package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Outcome;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client has handed over with a transaction, and has still until it hears of a commit. When the transaction is
 * refused or rolls back, the client gives it to its application again by itself, and the broker gives it out again: to
 * whatever consumer of the connection it comes, it is what its owner has, and the client is not given it twice. On the
 * event loop only.
 */
final class Kept {
    /** So many that have gone elsewhere, as to another connection, are remembered. */
    private static final int AWAY_MAX = 10_000;

    /** Those whose transaction is open, as far as the client knows. */
    private final Map<Place, Entry> handed = new HashMap<>();
    /** Those that go on with their client, and have not come back here. */
    private final Map<Place, Entry> away = new LinkedHashMap<>();

    /** A message is known by its queue and its position there. */
    private record Place(Object queue, long position) {}

    /** One delivery that the client has. */
    static final class Entry {
        private final OpenWireConsumer owner;
        private final long sequence;
        private @Nullable Outcome said;
        private @Nullable Held back;

        private Entry(OpenWireConsumer owner, long sequence) {
            this.owner = owner;
            this.sequence = sequence;
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

        private boolean isWithin(OpenWireConsumer consumer, long first, long last) {
            return owner == consumer && sequence >= first && sequence <= last;
        }
    }

    private static Place place(Held held) {
        return new Place(held.queue(), held.position());
    }

    /** The client hands it over. */
    void hand(OpenWireConsumer owner, Held held) {
        handed.put(place(held), new Entry(owner, held.sequence()));
    }

    /** It is consumed, or the broker has not taken it, or nobody will say what becomes of it. */
    void forget(Held held) {
        Entry entry = handed.get(place(held));
        if (entry != null && entry.back == null) {
            handed.remove(place(held));
        }
    }

    /** What comes there, if the client has it; null if it is new. */
    @Nullable
    Entry find(Object queue, long position) {
        if (handed.isEmpty() && away.isEmpty()) {
            return null;
        }
        Place place = new Place(queue, position);
        Entry entry = handed.get(place);
        return entry == null ? away.get(place) : entry;
    }

    /** It has come back; until the client knows what became of its transaction it does not acknowledge it again. */
    void back(Entry entry, Held held) {
        if (away.remove(place(held), entry)) {
            return;
        }
        entry.back = held;
        held.enlist(entry);
    }

    /** The client goes on with it; true if it has not come back yet. */
    boolean goesOn(Held held) {
        Place place = place(held);
        Entry entry = handed.remove(place);
        return entry != null && goesOn(place, entry);
    }

    private boolean goesOn(Place place, Entry entry) {
        if (entry.back != null) {
            entry.back.delist();
            return false;
        }
        away.put(place, entry);
        if (away.size() > AWAY_MAX) {
            away.remove(away.keySet().iterator().next());
        }
        return true;
    }

    /** The client says that it goes on with those of a consumer from the first to the last of these numbers. */
    void goOn(OpenWireConsumer consumer, long first, long last) {
        for (Map.Entry<Place, Entry> known : List.copyOf(handed.entrySet())) {
            if (known.getValue().isWithin(consumer, first, last)) {
                handed.remove(known.getKey());
                goesOn(known.getKey(), known.getValue());
            }
        }
    }

    /** True if some of these are away: the client has them, and nobody can say whether it will have consumed them. */
    boolean anyAway(OpenWireConsumer consumer, long first, long last) {
        return away.values().stream().anyMatch(entry -> entry.isWithin(consumer, first, last));
    }

    /** The client says what becomes of some that are away; false if there is none. */
    boolean settle(OpenWireConsumer consumer, long first, long last, Outcome outcome) {
        boolean any = false;
        for (Entry entry : away.values()) {
            if (entry.isWithin(consumer, first, last)) {
                entry.said = outcome;
                any = true;
            }
        }
        return any;
    }

    /** A consumer ends: what comes from now on is new to the client. What has come back is its consumer's to settle. */
    void end(OpenWireConsumer consumer) {
        away.values().removeIf(entry -> entry.owner == consumer);
        for (Iterator<Entry> left = handed.values().iterator(); left.hasNext(); ) {
            Entry entry = left.next();
            if (entry.owner == consumer) {
                if (entry.back != null) {
                    entry.back.delist();
                }
                left.remove();
            }
        }
    }
}
