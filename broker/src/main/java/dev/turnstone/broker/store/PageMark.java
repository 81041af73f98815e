package dev.turnstone.broker.store;

import java.util.ArrayList;
import java.util.List;

/** How far a page is, and what is recorded of it beside what queues have passed. Owned by the engine thread. */
final class PageMark {
    enum State {
        WRITING,
        STORED,
        /** Its marker is recorded, too. */
        MARKED
    }

    State state = State.WRITING;
    /** Under which its marker is durable. */
    long lsn;
    /** What is to be added to the positions that its file has. */
    long base;
    /** True if its file was written to survive the machine; otherwise no marker may speak of it. */
    boolean synced;
    /** True while its messages come to queues one after the other, and who has passed one may get the next. */
    boolean placing;
    /** Further records of the marker. */
    private List<Long> parts = List.of();

    /** Records a marker, in as many records as it takes; the first is under the page's own id. */
    void record(long page, PageRecord marker, Log log) {
        List<PageRecord> all = marker.split(page, log.recordMaxBytes());
        log.add(page, RecordType.PAGE, all.get(0));
        for (PageRecord part : all.subList(1, all.size())) {
            add(log.add(RecordType.PAGE, part));
        }
    }

    void add(long record) {
        if (parts.isEmpty()) {
            parts = new ArrayList<>(2);
        }
        parts.add(record);
    }

    /** Deletes the marker's records; the first is under the page's own id. */
    void erase(long page, Log log) {
        log.delete(page);
        parts.forEach(log::delete);
    }
}
