package dev.turnstone.broker.store;

import dev.turnstone.broker.store.Survivors.Kept;
import java.util.ArrayList;
import java.util.List;

/**
 * The records of pages that a journal still had. Owned by the engine thread.
 *
 * @param markers those of pages; each with the page's id
 * @param settled settles of single messages
 * @param passed folded settles
 */
public record PageSurvivors(
        List<Kept<PageRecord>> markers, List<Kept<PageSettledRecord>> settled, List<Kept<PagePassedRecord>> passed) {
    PageSurvivors() {
        this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
}
