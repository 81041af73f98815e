package dev.turnstone.journal.page;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.Payload;

/**
 * Writes, reads and deletes page files, each whole. One thread (the engine's) calls everything; no call but
 * {@link #find}, {@link #check}, {@link #await} and {@link #close} waits for the disk: what has been done, the
 * {@link PageListener} hears on the store's own threads. The caller says what a page's identifier is and that it is
 * unused.
 */
public interface PageStore extends AutoCloseable {
    /**
     * The identifiers of the pages that are there: also of those whose writing a crash interrupted, and of some whose
     * deletion it undid. To be called before anything else, if at all.
     *
     * @throws JournalException if the folder cannot be read
     */
    long[] find();

    /**
     * Looks at a page's header and size, not at its content. Waits for the disk.
     *
     * @return how many bytes its content has
     * @throws JournalException of kind CORRUPT, naming the file, if the page is missing, incomplete or not what its
     *     header says
     */
    int check(long id);

    /**
     * Writes a page; {@link PageListener#written} follows.
     *
     * @param durable true if the page must survive a power failure from then on: the file and its folder are synced
     */
    void write(long id, Payload content, boolean durable);

    /** Reads a page that has been written; {@link PageListener#read} follows. */
    void read(long id);

    /** Deletes a page, soon. A power failure may bring it back. Deletes nothing if it is not there. */
    void delete(long id);

    /**
     * Returns when all that was asked for so far is done and was reported, or the store has failed. For a start that
     * writes more pages than it may have in memory.
     */
    void await();

    /** Ends the store's threads after what was asked for so far. Idempotent; the listener hears nothing any more. */
    @Override
    void close();
}
