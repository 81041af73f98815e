package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.Pages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pages that are to be read, and the runs that wait for them. Owned by the engine thread. */
final class PageReads {
    private static final int READS_MAX = 16;

    private final Pages pages;
    private final Map<Page, List<Run>> waiting = new HashMap<>();
    private final ArrayDeque<Page> toRead = new ArrayDeque<>();
    private int reading;

    PageReads(Pages pages) {
        this.pages = pages;
    }

    /** A run waits for its page. */
    void ask(Run run) {
        List<Run> runs = waiting.get(run.page());
        if (runs == null) {
            runs = new ArrayList<>(1);
            waiting.put(run.page(), runs);
            toRead.add(run.page());
        }
        runs.add(run);
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
        List<Run> runs = waiting.get(page);
        if (runs == null) {
            return false;
        }
        runs.removeIf(run -> run.gone);
        return !runs.isEmpty();
    }

    /** One was read; null if nobody holds it any more. Gives those who waited for it. */
    List<Run> ended(@Nullable Page page) {
        reading--;
        List<Run> runs = page == null ? null : waiting.remove(page);
        return runs == null ? List.of() : runs;
    }
}
