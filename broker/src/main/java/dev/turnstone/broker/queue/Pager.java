package dev.turnstone.broker.queue;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.PageRecord.Stretch;
import dev.turnstone.broker.store.Pages;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Brings entries back from pages when somebody comes near them, and has {@link PageOut} move others there. Asks for
 * files and hears of them; never waits. Owned by the engine thread.
 */
public final class Pager {
    private final Pages pages;
    private final MessageStore store;
    private final Timers timers;
    private final PageOut out;
    private final EarlyPages early;
    private final PageCompaction compaction;
    private final PageReads reads;
    private final Heads heads;
    private final Restores restores;
    private final RunRecovery recovery;
    private long nowMs;

    Pager(Pages pages, MessageStore store, Timers timers, Limits limits) {
        this.pages = pages;
        this.store = store;
        this.timers = timers;
        this.reads = new PageReads(pages, store.memory(), limits);
        this.heads = new Heads(pages, reads, limits.of(Limit.PAGE_BYTES));
        Eviction eviction = new Eviction(this, store, timers, heads);
        this.out = new PageOut(pages, eviction, store.memory(), limits);
        this.early = new EarlyPages(pages, eviction);
        this.compaction = new PageCompaction(pages, out, heads, reads, limits.of(Limit.PAGE_BYTES));
        this.restores = new Restores(this, pages, reads, heads, timers, limits);
        this.recovery = new RunRecovery(this, timers, store.memory());
    }

    /** Pages of messages that are nobody's yet. */
    public EarlyPages early() {
        return early;
    }

    /** What recovery tells it. */
    public RunRecovery recovery() {
        return recovery;
    }

    /**
     * True if an entry is about to leave, or to become ready, by its time. It may have been brought back for just that:
     * if it went out again before its turn came, it would come and go for ever.
     */
    boolean timeHasCome(Entry entry) {
        return entry.expired(nowMs) || (entry.state == EntryState.DELAYED && entry.dueMs() <= nowMs);
    }

    /** The time of the turn. */
    long nowMs() {
        return nowMs;
    }

    /** A queue has more in memory. */
    void grown(QueueState queue) {
        out.grown(queue);
    }

    /** A run is to be entries again, or the first that it stands for. */
    void want(Run run) {
        if (!run.wanted) {
            run.wanted = true;
            reads.ask(run, run.page());
        }
    }

    /** As {@link #want}, if memory has room for a page without moving anything out; else nothing happens: false. */
    boolean wantIfRoom(Run run) {
        if (run.wanted || reads.hasRoomFor(1)) {
            want(run);
            return true;
        }
        return false;
    }

    /** How many page files there are. */
    public int pageFiles() {
        return pages.count();
    }

    /**
     * Near the end of a turn: moves out what is too much, then brings in what is wanted, and ends pages. True if more
     * can be moved out at once.
     */
    public boolean turn(long turnMs) {
        nowMs = turnMs;
        boolean more = out.turn(turnMs);
        restores.turn();
        while (compaction.turn()) {
            restores.serve();
        }
        reads.tidy();
        reads.start();
        reads.relieve();
        pages.recordEnded();
        return more;
    }

    /** True if what is in memory of a page must stay there. */
    boolean holds(Page page) {
        return compaction.holds(page);
    }

    /** Recovery: moves out what is too much, until nothing more goes. */
    void relieve(long atMs, Runnable hearPages) {
        nowMs = atMs;
        // Even when the disk is full: there is no other place for what the heap has no room for.
        while (out.move(atMs) || out.isWriting()) {
            if (out.isWriting()) {
                hearPages.run();
            }
        }
    }

    /** True if an entry's body is in memory; if not, its page is read, and its queue looked at again. */
    boolean present(Entry entry) {
        boolean present = heads.present(entry);
        if (present) {
            out.grown(entry.queue());
        }
        return present;
    }

    /** After a turn: deletes the files of pages whose end is durable. */
    public void deleteFiles(long durableLsn) {
        pages.deleteFiles(durableLsn);
    }

    /** A page's file is written. */
    public void written(long id) {
        if (!early.written(id) && !compaction.written(id, nowMs)) {
            out.written(id);
        }
    }

    /** A page's content is there. */
    public void read(long id, ByteBuffer bytes) {
        Page page = pages.read(id, bytes);
        if (page.loaded() && holds(page)) {
            heads.fillAll(page);
        }
        for (Place place : reads.ended(page)) {
            if (place instanceof Entry entry) {
                heads.fill(entry.stored());
                entry.queue().wake();
                out.grown(entry.queue());
            }
        }
        restores.serve();
        reads.tidy();
    }

    /** A queue that ends no longer holds what a run stands for. */
    void drop(Run run) {
        forget(run);
        run.queue().index().remove(run);
        run.queue().values().gone(run);
        run.page().release(run.count());
    }

    /** A queue no longer holds one of the entries that a run stands for. */
    void drop(Run run, int slot) {
        QueueState queue = run.queue();
        if (queue.durable() && run.page().marked()) {
            run.page().pass(queue.id(), slot);
        }
        run.page().release(1);
        if (run.count() > 1) {
            queue.index().shrunk(1, run.leave(slot));
        } else {
            forget(run);
            queue.index().remove(run);
            queue.values().gone(run);
        }
    }

    /** What a queue's entries may take in memory. */
    long most(QueueState queue) {
        return out.most(queue);
    }

    /** True if entries of any queue are to be moved out. */
    boolean shortOfMemory() {
        return out.shortOfMemory();
    }

    /** A run takes so much more in memory, or so much less. */
    void resized(long more) {
        store.memory().add(more);
    }

    /** A run is none any more. */
    void forget(Run run) {
        run.gone = true;
        run.queue().dispatch().forget(run);
        timers.left(run);
        resized(-run.overheadBytes());
    }

    /** A run that recovery found. */
    @Nullable
    Run recovered(QueueState queue, Page page, Stretch stretch, long atMs) {
        nowMs = atMs;
        return Run.recovered(queue, page, this, stretch, atMs);
    }
}
