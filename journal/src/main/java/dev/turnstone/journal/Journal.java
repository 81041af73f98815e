package dev.turnstone.journal;

/**
 * An append-only store of records with group commit. The life cycle is {@link #load} once, then {@link #append} any
 * number of times, then {@link #close}. One thread (the engine's) calls {@code load} and {@code append}; the listener
 * given at opening hears of durability on the journal's own threads.
 *
 * <p>Recovery sees survivors, not a history: see {@link RecordVisitor}.
 */
public interface Journal extends AutoCloseable {
    /**
     * Hands every live record to the visitor. Must be called once, before the first append, by a thread that is not
     * interrupted. A journal whose load failed is good for nothing but {@link #close}.
     *
     * @throws JournalException if the files are corrupt or unreadable
     */
    void load(RecordVisitor visitor);

    /**
     * Hands the live records with identifiers in a range to the visitor once more, for who could not keep all of them:
     * costs the time to read those journal files that hold some of them. After {@link #load} and before the first
     * append; any number of times.
     *
     * @param firstId the lowest
     * @param lastId the highest
     * @throws JournalException if the files are unreadable
     */
    void visit(long firstId, long lastId, RecordVisitor visitor);

    /**
     * Takes a batch and returns its LSN at once, without waiting for the disk; LSNs grow by one a batch, from 1 in each
     * opening. The batch is durable when the listener has heard of that LSN or a later one: as soon as the disk can,
     * but a {@link Batch#relaxed} one by {@link JournalLimits#relaxedSyncMs} after it was written. An empty batch that
     * is not relaxed has what was appended before it synced at once. Never blocks and never refuses for fullness: the
     * caller honours {@link #accepting} for what can wait.
     *
     * @throws JournalException if the journal has failed
     * @throws IllegalArgumentException if a unit is open or a payload is larger than {@link #recordMaxBytes}; nothing
     *     of the batch is kept then
     * @throws IllegalStateException before {@link #load} and after {@link #close}
     */
    long append(Batch batch);

    /** The highest LSN that is on disk; 0 at first. Any thread. */
    long durableLsn();

    /** How many bytes are handed over and not yet durable. Any thread. */
    long outstandingBytes();

    /**
     * False while more than {@link JournalLimits#outstandingBytes()} are handed over and not yet durable: the engine
     * takes no sends then, while settles, commits and rollbacks go on. Becomes true again no later than a call of
     * {@link JournalListener#durable}. Any thread.
     */
    boolean accepting();

    /**
     * False while the disk has less free space than {@link JournalLimits#diskLowWaterBytes()}: sends are refused or
     * wait, while settles, commits and rollbacks go on from what is left. The listener hears of each change. Any
     * thread.
     */
    boolean hasRoom();

    /**
     * What was free on the disk when it was last looked at, spare files counted, in bytes: what can be refused should
     * not take much of it while {@link #hasRoom} is false. {@link Long#MAX_VALUE} if nobody has looked. Any thread.
     */
    default long freeBytes() {
        return Long.MAX_VALUE;
    }

    /** The largest payload that one record may have, in bytes. */
    int recordMaxBytes();

    /** Makes durable what was appended, stops the journal's threads and releases the folder. Idempotent. */
    @Override
    void close();
}
