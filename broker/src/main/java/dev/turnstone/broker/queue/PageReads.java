package dev.turnstone.broker.queue;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.Pages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Pages that are to be read, the runs and entries without a body that wait for them, and what has been read. So many
 * are read at a time as memory has room for, but always one. Owned by the engine thread.
 */
final class PageReads {
    private static final int READS_MAX = 16;
    /** Pages whose content stays for a while: for the next of a queue, and for other queues. */
    private static final int CONTENTS_MAX = 4;

    private final Pages pages;
    private final Memory memory;
    /** What a page takes in memory, at most: its content, and its messages. */
    private final long pageMost;

    private final long pageOut;
    private final Map<Page, List<Place>> waiting = new HashMap<>();
    /** Those of them that are read even if nobody waits any more. */
    private final Set<Page> needed = new HashSet<>();

    private final ArrayDeque<Page> contents = new ArrayDeque<>();
    private final ArrayDeque<Page> toRead = new ArrayDeque<>();
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

    private List<Place> placesOf(Page page) {
        List<Place> places = waiting.get(page);
        if (places == null) {
            places = new ArrayList<>(1);
            waiting.put(page, places);
            toRead.add(page);
        }
        return places;
    }

    /** True if so many pages more can be brought into memory before anything has to leave for them. */
    boolean hasRoomFor(int more) {
        return memory.used() + (waiting.size() + more) * pageMost <= pageOut;
    }

    /** Has some of them read. */
    void start() {
        while (!toRead.isEmpty() && reading < readsMax()) {
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
        List<Place> places = waiting.get(page);
        if (places == null) {
            return false;
        }
        places.removeIf(PageReads::isGone);
        return !places.isEmpty() || (needed.contains(page) && page.held());
    }

    private static boolean isGone(Place place) {
        return place instanceof Run run ? run.gone : ((Entry) place).state == EntryState.GONE;
    }

    /** One was read, and is loaded if anybody holds it still. Gives those who waited for it. */
    List<Place> ended(Page page) {
        reading--;
        needed.remove(page);
        List<Place> places = waiting.remove(page);
        if (!page.loaded()) {
            return List.of();
        }
        contents.addLast(page);
        return places == null ? List.of() : places;
    }

    /** Forgets the contents that have been there longest. */
    void tidy() {
        while (contents.size() > CONTENTS_MAX) {
            pages.unload(contents.removeFirst());
        }
    }
}
