package dev.turnstone.broker.queue;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.PageRecord.Stretch;
import dev.turnstone.broker.store.Pages;
import dev.turnstone.broker.store.StoredMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings entries back from pages when somebody comes near them, and has {@link PageOut} move others there. Asks for
 * files and hears of them; never waits. Owned by the engine thread.
 */
public final class Pager {
    private final Pages pages;
    private final MessageStore store;
    private final Agenda agenda;
    private final Timers timers;
    private final PageOut out;
    private final EarlyPages early;
    private final PageCompaction compaction;
    private final List<Run> wanted = new ArrayList<>();
    private final PageReads reads;
    private final Heads heads;
    private final RunRecovery recovery;
    private long nowMs;

    Pager(Pages pages, MessageStore store, Agenda agenda, Timers timers, Limits limits) {
        this.pages = pages;
        this.store = store;
        this.agenda = agenda;
        this.timers = timers;
        this.reads = new PageReads(pages, store.memory(), limits);
        this.heads = new Heads(pages, reads, limits.of(Limit.PAGE_BYTES));
        Eviction eviction = new Eviction(this, store, timers, heads);
        this.out = new PageOut(pages, eviction, store.memory(), limits);
        this.early = new EarlyPages(pages, eviction);
        this.compaction = new PageCompaction(pages, out, heads, limits.of(Limit.PAGE_BYTES));
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

    /** A queue has one entry more in memory. */
    void grown(QueueState queue) {
        out.grown(queue);
    }

    /** A run is to be entries again. */
    void want(Run run) {
        if (!run.wanted) {
            run.wanted = true;
            wanted.add(run);
        }
    }

    /** As {@link #want}, if memory has room for a page without moving anything out; else nothing happens: false. */
    boolean wantIfRoom(Run run) {
        if (run.wanted || reads.hasRoomFor(wanted.size() + 1)) {
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
        serveWanted();
        while (compaction.turn()) {
            serveWanted();
        }
        reads.start();
        pages.recordEnded();
        return more;
    }

    private void serveWanted() {
        for (int i = 0; i < wanted.size(); i++) {
            serve(wanted.get(i));
        }
        wanted.clear();
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

    private void serve(Run run) {
        if (run.gone) {
            return;
        }
        if (run.page().loaded()) {
            restore(run);
        } else {
            reads.ask(run, run.page());
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
                agenda.add(entry.queue());
                out.grown(entry.queue());
            } else if (place instanceof Run run && run.wanted) {
                serve(run);
            }
        }
        reads.tidy();
    }

    /** Its entries take the run's place, as they were when they left memory. */
    private void restore(Run run) {
        QueueState queue = run.queue();
        EntryIndex index = queue.index();
        Entry first = null;
        Entry last = null;
        for (int slot = run.first(); slot <= run.last(); slot++) {
            if (run.holds(slot)) {
                StoredMessage there = run.page().resident(slot);
                if (there != null) {
                    heads.fill(there);
                }
                last = index.residency().entry(queue, pages.resident(run.page(), slot));
                index.insertBefore(run, last);
                first = first == null ? last : first;
            }
        }
        if (first == null || last == null) {
            throw new IllegalStateException("invariant broken: " + run + " has no entries");
        }
        Place ahead = run.next;
        queue.dispatch().moved(run, last);
        forget(run);
        index.remove(run);
        index.residency().remember(run.page());
        for (Place place = first; place != null; ) {
            // It may leave the queue now: what a crash left undone is done.
            Place after = place == last ? null : place.next;
            awaken(run, (Entry) place);
            place = after;
        }
        queue.values().gone(run);
        prefetch(queue, ahead);
        agenda.add(queue);
        out.grown(queue);
    }

    private void awaken(Run run, Entry entry) {
        if (entry.state == EntryState.LOCKED) {
            // It is offered when its branch rolls back.
            entry.queue().returns().awakened(entry);
            return;
        }
        if (entry.dueMs() > nowMs) {
            entry.state = EntryState.DELAYED;
            timers.delays().add(entry);
        } else if (run.sleeps()) {
            // All have passed it, since it had nothing for them.
            entry.queue().dispatch().offer(entry);
        }
        entry.queue().returns().awakened(entry);
    }

    /** Those who read on will need its content soon; it becomes entries when they do. */
    private void prefetch(QueueState queue, @Nullable Place ahead) {
        if (ahead instanceof Run next
                && !next.sleeps()
                && queue.hasConsumers()
                && !next.page().loaded()) {
            reads.ask(next, next.page());
        }
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
            queue.index().shrunk(run.leave(slot));
        } else {
            forget(run);
            queue.index().remove(run);
            queue.values().gone(run);
        }
    }

    private void forget(Run run) {
        run.gone = true;
        run.queue().dispatch().forget(run);
        timers.left(run);
        store.memory().remove(Memory.RUN_OVERHEAD);
    }

    /** A run that recovery found. */
    @Nullable
    Run recovered(QueueState queue, Page page, Stretch stretch, long atMs) {
        nowMs = atMs;
        return Run.recovered(queue, page, this, stretch, atMs);
    }
}
