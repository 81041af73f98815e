package dev.turnstone.testkit.page;

import dev.turnstone.broker.store.Bodies;
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

    private long written;
    private long read;

    /** Opens the page store on this disk. */
    public SimulatedPages open(PageListener listener) {
        return new SimulatedPages(this, listener);
    }

    /** The files by their pages' identifiers; null for a torn one. */
    Map<Long, byte @Nullable []> files() {
        return files;
    }

    void wrote() {
        written++;
    }

    void hasRead() {
        read++;
    }

    /** How many pages were ever written. */
    public long written() {
        return written;
    }

    /** How many pages were ever read. */
    public long read() {
        return read;
    }

    /** How many files there are. */
    public int fileCount() {
        return files.size();
    }

    /** How many of them are chunks of bodies that are stored apart. */
    public long chunkCount() {
        return files.keySet().stream().filter(Bodies::isChunk).count();
    }

    /** A file's bytes rot. */
    public void damage(long id) {
        files.put(id, null);
    }
}
