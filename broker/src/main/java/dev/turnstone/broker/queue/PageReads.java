package dev.turnstone.broker.queue;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.Pages;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pages that are to be read, the runs and entries without a body that wait for them, and what has been read. So many
 * are read at a time as memory has room for, but always one. Owned by the engine thread.
 */
final class PageReads {
    private static final int READS_MAX = 16;
    /** Pages whose content stays for a while: for the next of a queue, and for other queues. */
    private static final int CONTENTS_MAX = 4;

    /** So much of memory is always there for what is read: this part. */
    private static final int ROOM_PART = 16;

    private final Pages pages;
    private final Memory memory;
    /** What a page takes in memory, at most: its content, and its messages. */
    private final long pageMost;

    private final long pageOut;
    private final Map<Page, ArrayDeque<Place>> waiting = new HashMap<>();
    /** Those of them that are read even if nobody waits any more. */
    private final Set<Page> needed = new HashSet<>();

    private final ArrayDeque<Page> contents = new ArrayDeque<>();
    private final ArrayDeque<Page> toRead = new ArrayDeque<>();
    /** Pages that are loaded, and waited for all the same: their runs become entries some after the others. */
    private final ArrayDeque<Page> ready = new ArrayDeque<>();

    private int reading;

    PageReads(Pages pages, Memory memory, Limits limits) {
        this.pages = pages;
        this.memory = memory;
        this.pageMost = 2 * limits.of(Limit.PAGE_BYTES);
        this.pageOut = PageOut.memoryMax(limits);
    }

    /** A run, or an entry for its body, waits for its page. */
    void ask(Place place, Page page) {
        placesOf(page).add(place);
    }

    /** A page that is held must be read, whoever waits for it. */
    void ask(Page page) {
        placesOf(page);
        needed.add(page);
    }

    private ArrayDeque<Place> placesOf(Page page) {
        ArrayDeque<Place> places = waiting.get(page);
        if (places == null) {
            places = new ArrayDeque<>(1);
            waiting.put(page, places);
            (page.loaded() ? ready : toRead).add(page);
        }
        return places;
    }

    /** The next run that waits for a page which is loaded, of each such page in turn; null if there is none. */
    @Nullable
    Run next() {
        for (Page page = ready.pollFirst(); page != null; page = ready.pollFirst()) {
            ArrayDeque<Place> places = placesOf(page);
            Run run = null;
            while (run == null && !places.isEmpty()) {
                run = places.removeFirst() instanceof Run next && next.wanted && !next.gone ? next : null;
            }
            if (places.isEmpty()) {
                waiting.remove(page);
            } else {
                ready.addLast(page);
            }
            if (run != null) {
                return run;
            }
        }
        return null;
    }

    /** How many of those who wait for its page the run is that came {@link #next}. */
    int waitingWith(Run run) {
        ArrayDeque<Place> others = waiting.get(run.page());
        return others == null ? 1 : 1 + others.size();
    }

    /** What may be taken of memory before anything has to leave for it, in bytes; some of it always. */
    long room() {
        return Math.max(pageOut - memory.used(), memory.max() / ROOM_PART);
    }

    /** True if so many pages more can be brought into memory before anything has to leave for them. */
    boolean hasRoomFor(int more) {
        return memory.used() + (waiting.size() + more) * pageMost <= pageOut;
    }

    /** Has some of them read. */
    void start() {
        while (!toRead.isEmpty() && reading + ready.size() < readsMax()) {
            Page page = toRead.remove();
            if (wantedStill(page)) {
                reading++;
                pages.read(page);
            } else {
                waiting.remove(page);
                needed.remove(page);
            }
        }
    }

    private long readsMax() {
        return Math.max(1, Math.min(READS_MAX, memory.left() / pageMost));
    }

    private boolean wantedStill(Page page) {
        ArrayDeque<Place> places = waiting.get(page);
        if (places == null) {
            return false;
        }
        places.removeIf(PageReads::isGone);
        return !places.isEmpty() || (needed.contains(page) && page.held());
    }

    private static boolean isGone(Place place) {
        return place instanceof Run run ? run.gone : ((Entry) place).state == EntryState.GONE;
    }

    /**
     * One was read, and is loaded if anybody holds it still. Gives those who waited for it; its runs come
     * {@link #next}.
     */
    Collection<Place> ended(Page page) {
        reading--;
        needed.remove(page);
        ArrayDeque<Place> places = waiting.get(page);
        if (!page.loaded() || places == null) {
            waiting.remove(page);
            return List.of();
        }
        contents.addLast(page);
        ready.addLast(page);
        return places;
    }

    /** Forgets the contents that have been there longest, but of those that are waited for. */
    void tidy() {
        keep(CONTENTS_MAX);
    }

    /** While senders wait for memory, and nobody for a page, nothing is kept for those who may need it later. */
    void relieve() {
        if (memory.full() && waiting.isEmpty()) {
            keep(0);
        }
    }

    private void keep(int most) {
        Iterator<Page> all = contents.iterator();
        while (contents.size() > most && all.hasNext()) {
            Page page = all.next();
            if (!waiting.containsKey(page)) {
                all.remove();
                pages.unload(page);
            }
        }
    }
}
