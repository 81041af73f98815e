package dev.turnstone.journal.page;

import dev.turnstone.journal.JournalException;
import java.nio.ByteBuffer;

/** Hears from the page store's own threads; returns at once, never blocks, never calls back into the store. */
public interface PageListener {
    /** A page is written, and on the disk if that was asked for. */
    void written(long id);

    /** A page's content, checked against its checksum. It is the listener's to keep. */
    void read(long id, ByteBuffer content);

    /**
     * A page could not be written, synced or read, or is not what was written. Sticky and final: the broker must stop
     * (fail-stop).
     */
    void failed(JournalException cause);
}
