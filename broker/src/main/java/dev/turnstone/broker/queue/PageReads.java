package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.Pages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pages that are to be read, the runs and entries without a body that wait for them, and what has been read. Owned by
 * the engine thread.
 */
final class PageReads {
    private static final int READS_MAX = 16;
    /** Pages whose content stays for a while: for the next of a queue, and for other queues. */
    private static final int CONTENTS_MAX = 4;

    private final Pages pages;
    private final Map<Page, List<Place>> waiting = new HashMap<>();
    private final ArrayDeque<Page> contents = new ArrayDeque<>();
    private final ArrayDeque<Page> toRead = new ArrayDeque<>();
    private int reading;

    PageReads(Pages pages) {
        this.pages = pages;
    }

    /** A run, or an entry for its body, waits for its page. */
    void ask(Place place, Page page) {
        List<Place> places = waiting.get(page);
        if (places == null) {
            places = new ArrayList<>(1);
            waiting.put(page, places);
            toRead.add(page);
        }
        places.add(place);
    }

    /** Has some of them read. */
    void start() {
        while (reading < READS_MAX && !toRead.isEmpty()) {
            Page page = toRead.remove();
            if (wantedStill(page)) {
                reading++;
                pages.read(page);
            } else {
                waiting.remove(page);
            }
        }
    }

    private boolean wantedStill(Page page) {
        List<Place> places = waiting.get(page);
        if (places == null) {
            return false;
        }
        places.removeIf(PageReads::isGone);
        return !places.isEmpty();
    }

    private static boolean isGone(Place place) {
        return place instanceof Run run ? run.gone : ((Entry) place).state == EntryState.GONE;
    }

    /** One was read; null if nobody holds it any more. Gives those who waited for it. */
    List<Place> ended(@Nullable Page page) {
        reading--;
        if (page == null) {
            return List.of();
        }
        contents.addLast(page);
        List<Place> places = waiting.remove(page);
        return places == null ? List.of() : places;
    }

    /** Forgets the contents that have been there longest. */
    void tidy() {
        while (contents.size() > CONTENTS_MAX) {
            pages.unload(contents.removeFirst());
        }
    }
}
