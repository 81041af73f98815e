package dev.turnstone.broker.queue;

import dev.turnstone.broker.report.FlowReport;
import dev.turnstone.broker.store.Invariant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All entries of one queue: for each priority a list in the order of positions, in which a {@link Run} stands for
 * entries that are in a page. Entries are appended, and leave from anywhere, in constant time; one that is delivered or
 * locked keeps its place. Owned by the engine thread.
 */
final class EntryIndex {
    /** Priorities 0 to 9. */
    static final int LANES = 10;

    /** What all share that have no place in any lane; never written to. */
    static final @Nullable Place[] NONE = new @Nullable Place[LANES];

    /** Heads and tails are {@link #NONE} before the first. */
    private @Nullable Place[] heads = NONE;

    private @Nullable Place[] tails = NONE;
    private final Residency residency = new Residency();
    /** What has passed; null while nothing has. */
    private @Nullable Traffic traffic;

    /** When the message was sent that is first of a run which is first of the queue, and its position. */
    private long pagedSentMs;

    private long pagedAt;
    private final boolean inOrder;
    private int used;
    private int size;
    private long bytes;

    /** One whose entries are delivered by their priorities. */
    EntryIndex() {
        this(false);
    }

    /** True if its entries are delivered {@link #inOrder}. */
    EntryIndex(boolean inOrder) {
        this.inOrder = inOrder;
    }

    /**
     * True if its entries are delivered in the order of their positions, whatever their priorities, and what was handed
     * out once is handed out again until it is settled.
     */
    boolean inOrder() {
        return inOrder;
    }

    /** True if there may be an entry behind one position and before another. */
    boolean mayHold(long after, long before) {
        Place first = first();
        return first != null && first.position() < before && lastPosition() > after;
    }

    /** A new entry, or in recovery a run, behind all others of its priority. */
    void append(Place place) {
        Place tail = tails[place.priority()];
        Invariant.check(
                tail == null || tail.lastPosition() < place.position(),
                () -> "positions grow, but " + place + " at " + place.position() + " comes after " + tail + " up to "
                        + tail.lastPosition());
        link(place, tail, null);
    }

    /**
     * A new entry, behind all others of its priority.
     *
     * @param late true if it may belong before some of them, which are few
     */
    void add(Entry entry, boolean late) {
        if (!late) {
            append(entry);
            return;
        }
        Place before = tails[entry.priority()];
        while (before != null && before.position() > entry.position()) {
            before = before.previous;
        }
        link(entry, before, before == null ? heads[entry.priority()] : before.next);
    }

    /** An entry of a run stands before it again. */
    void insertBefore(Run run, Entry entry) {
        link(entry, run.previous, run);
    }

    /** A run stands in the place of an entry. */
    void replace(Entry entry, Run run) {
        if (entry.previous == null) {
            pagedHead(entry);
        }
        link(run, entry.previous, entry);
        remove(entry);
    }

    /** The lowest position counts, as long as it is there. */
    private void pagedHead(Entry entry) {
        Place before = first();
        if (before == null || before == entry || pagedAt == 0 || before.position() != pagedAt) {
            pagedAt = entry.position();
            pagedSentMs = entry.message().timestampMs();
        }
    }

    private void link(Place place, @Nullable Place before, @Nullable Place after) {
        if (heads == NONE) {
            heads = new @Nullable Place[LANES];
            tails = new @Nullable Place[LANES];
        }
        int lane = place.priority();
        place.previous = before;
        place.next = after;
        if (before == null) {
            heads[lane] = place;
        } else {
            before.next = place;
        }
        if (after == null) {
            tails[lane] = place;
        } else {
            after.previous = place;
        }
        used |= 1 << lane;
        size += place.count();
        bytes += place.bytes();
        if (place instanceof Entry entry) {
            entry.stored().attach(entry);
            residency.bytes += entry.residentBytes();
            residency.entries++;
        } else if (place instanceof Run run) {
            run.page().attach(run);
            residency.runs++;
        }
    }

    void remove(Place place) {
        int lane = place.priority();
        Place before = place.previous;
        Place after = place.next;
        if (before == null) {
            heads[lane] = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            tails[lane] = before;
        } else {
            after.previous = before;
        }
        if (before == null && after == null) {
            used &= ~(1 << lane);
        }
        place.previous = null;
        place.next = null;
        size -= place.count();
        bytes -= place.bytes();
        if (place instanceof Entry entry) {
            entry.stored().detach(entry);
            residency.bytes -= entry.residentBytes();
            residency.entries--;
        } else if (place instanceof Run run) {
            run.page().detach(run);
            residency.runs--;
        }
    }

    /** An entry that was removed is one more of the run before it. */
    void absorbed(Entry entry) {
        size++;
        bytes += entry.bytes();
    }

    /** A run stands for so many entries less, which had so many bytes. */
    void shrunk(int entries, long fewer) {
        size -= entries;
        bytes -= fewer;
    }

    /** What its messages have together, in memory or not. */
    long bytes() {
        return bytes;
    }

    /** How many entries there are, in memory or not. */
    int size() {
        return size;
    }

    /** What of it is in memory. */
    Residency residency() {
        return residency;
    }

    /** What has passed. */
    Traffic traffic() {
        Traffic made = traffic;
        if (made == null) {
            made = new Traffic();
            traffic = made;
        }
        return made;
    }

    /** What was counted of that. */
    FlowReport flow() {
        return traffic == null ? FlowReport.NONE : traffic.report();
    }

    /**
     * When the first message was sent, by its sender's clock; 0 if there is none, or it has been in a page since the
     * broker's start and {@link #askOldest} has not yet brought it here.
     */
    long oldestMs() {
        Place oldest = first();
        if (oldest instanceof Entry entry) {
            return entry.message().timestampMs();
        }
        return oldest != null && oldest.position() == pagedAt ? pagedSentMs : 0;
    }

    /**
     * Brings the first message into memory if only its page knows when it was sent, and there is room for that page;
     * true if it is on its way.
     */
    boolean askOldest() {
        return first() instanceof Run run && run.position() != pagedAt && run.wantIfRoom();
    }

    private @Nullable Place first() {
        Place oldest = null;
        for (Place head : heads) {
            if (head != null && (oldest == null || head.position() < oldest.position())) {
                oldest = head;
            }
        }
        return oldest;
    }

    /** The first of a priority, or null. */
    @Nullable
    Place head(int lane) {
        return heads[lane];
    }

    /** The last of a priority, or null. */
    @Nullable
    Place tail(int lane) {
        return tails[lane];
    }

    /** A bit for each priority that has entries. */
    int lanes() {
        return used;
    }

    /** A position so far behind an entry that at most so many entries, present or future, lie between. */
    long reach(Entry entry, int entries) {
        long reach = entry.position() + entries;
        if (used == 1 << entry.priority()) {
            Place last = entry;
            int left = entries - 1;
            for (Place p = entry.next; p != null && p.count() <= left; p = p.next) {
                left -= p.count();
                last = p;
            }
            return Math.max(reach, last.lastPosition());
        }
        return reach;
    }

    /** The positions up to a bound of entries that no page keeps, ascending. */
    long[] positionsUpTo(long bound) {
        long[] found = new long[0];
        int count = 0;
        for (Place head : heads) {
            for (Place p = head; p != null && p.position() <= bound; p = p.next) {
                if (p instanceof Entry entry && !entry.stored().paged()) {
                    if (count == found.length) {
                        found = Arrays.copyOf(found, Math.max(16, 2 * count));
                    }
                    found[count++] = p.position();
                }
            }
        }
        Arrays.sort(found, 0, count);
        return Arrays.copyOf(found, count);
    }

    /** The highest position; 0 when empty. */
    long lastPosition() {
        long last = 0;
        for (Place tail : tails) {
            if (tail != null) {
                last = Math.max(last, tail.lastPosition());
            }
        }
        return last;
    }

    /** The lowest position but for a place that leaves; {@link Long#MAX_VALUE} if there is nothing else. */
    long frontWithout(Place leaving) {
        long front = Long.MAX_VALUE;
        for (int lanes = used; lanes != 0; lanes &= lanes - 1) {
            Place head = heads[Integer.numberOfTrailingZeros(lanes)];
            Place first = head == leaving ? leaving.next : head;
            front = first == null ? front : Math.min(front, first.position());
        }
        return front;
    }

    /** True if nothing but a place lies between two positions; false also if that is not known at once. */
    boolean isAlone(Place place, long first, long last) {
        Place before = place.previous;
        Place after = place.next;
        return used == 1 << place.priority()
                && (before == null || before.lastPosition() < first)
                && (after == null || after.position() > last);
    }

    /** Any place, or null when empty. */
    @Nullable
    Place any() {
        return used == 0 ? null : heads[Integer.numberOfTrailingZeros(used)];
    }
}
