package dev.turnstone.testkit.page;

import dev.turnstone.journal.page.PageListener;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What simulated page files leave behind: those that are there, whole or torn. Opened again and again, as a broker that
 * restarts on one folder does. One thread.
 */
public final class SimulatedPageDisk {
    private final TreeMap<Long, byte @Nullable []> files = new TreeMap<>();

    /** Opens the page store on this disk. */
    public SimulatedPages open(PageListener listener) {
        return new SimulatedPages(this, listener);
    }

    /** The files by their pages' identifiers; null for a torn one. */
    Map<Long, byte @Nullable []> files() {
        return files;
    }

    /** How many files there are. */
    public int fileCount() {
        return files.size();
    }

    /** A file's bytes rot. */
    public void damage(long id) {
        files.put(id, null);
    }
}
