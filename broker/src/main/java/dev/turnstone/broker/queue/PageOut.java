package dev.turnstone.broker.queue;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.CapacitySettings;
import dev.turnstone.broker.settings.WhenFull;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.PageRecord;
import dev.turnstone.broker.store.Pages;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;

/**
 * Moves messages from memory to pages: those of a queue that is over its limit, and those of any queue when memory runs
 * short. What comes next to a consumer stays, the rest goes from its end. Owned by the engine thread.
 */
final class PageOut {
    /** Pages that are written at a time. */
    private static final int WRITES_MAX = 16;
    /** Queues that a turn looks at when memory runs short. */
    private static final int QUEUES_MAX = 1_000;

    private final Pages pages;
    private final Eviction eviction;
    private final Memory memory;
    private final long queueMax;
    private final long memoryMax;
    private final long pageBytes;
    private final ArrayDeque<QueueState> heavy = new ArrayDeque<>();
    /** Queues with entries in memory, in turn. */
    private final ArrayDeque<QueueState> ring = new ArrayDeque<>();

    private final Map<Long, Draft> writing = new HashMap<>();
    /** What memory will have less when all that is being written is out. */
    private long leaving;

    private final Search search = new Search();

    private long nowMs;

    /** The search of the ring for what can go. */
    private static final class Search {
        /** How many queues had nothing, one after the other. */
        int inVain;
        /** After a round that could not free enough: goes on when memory takes more. */
        long goesOnAt;
    }

    PageOut(Pages pages, Eviction eviction, Memory memory, Limits limits) {
        this.pages = pages;
        this.eviction = eviction;
        this.memory = memory;
        this.queueMax = limits.of(Limit.ADDRESS_MEMORY_MAX);
        this.memoryMax = memoryMax(limits);
        this.pageBytes = limits.of(Limit.PAGE_BYTES);
    }

    /** What messages may take before those of any queue are moved out. */
    static long memoryMax(Limits limits) {
        return limits.of(Limit.MEMORY_MAX) / 100 * limits.of(Limit.MEMORY_PAGE_OUT);
    }

    /** A queue has more in memory. */
    void grown(QueueState queue) {
        Residency of = queue.index().residency();
        if (!of.ringed) {
            of.ringed = true;
            ring.addLast(queue);
            // Whoever comes looks after two others, so that the ring holds no more than it must.
            tidyRing();
            tidyRing();
        }
        if (!of.heavy && of.staying() > Math.max(most(queue), of.lookAt)) {
            of.heavy = true;
            heavy.addLast(queue);
        }
    }

    /** What a queue's entries may take in memory. */
    long most(QueueState queue) {
        CapacitySettings capacity = queue.settings().capacity();
        long most = capacity.memoryBytes() > 0 ? capacity.memoryBytes() : queueMax;
        if (capacity.whenFull() != WhenFull.PAGE) {
            return most;
        }
        if (capacity.maxBytes() > 0) {
            most = Math.min(most, capacity.maxBytes());
        }
        Residency of = queue.index().residency();
        return capacity.maxMessages() > 0 && of.entries > capacity.maxMessages()
                ? Math.min(most, of.bytes / of.entries * capacity.maxMessages())
                : most;
    }

    private void tidyRing() {
        QueueState first = ring.pollFirst();
        if (first != null && stays(first)) {
            ring.addLast(first);
        }
    }

    private static boolean stays(QueueState queue) {
        Residency of = queue.index().residency();
        of.ringed = of.bytes > 0 && !queue.ended();
        return of.ringed;
    }

    /** Moves out what is too much; true if more can go at once. */
    boolean turn(long turnMs) {
        return pages.hasRoom() && move(turnMs);
    }

    /** True while pages are being written. */
    boolean isWriting() {
        return !writing.isEmpty();
    }

    /** Has some of what is too much written; true if more of it can go at once. */
    boolean move(long turnMs) {
        nowMs = turnMs;
        for (int left = heavy.size(); left > 0 && writing.size() < WRITES_MAX; left--) {
            QueueState queue = heavy.removeFirst();
            Residency of = queue.index().residency();
            of.heavy = false;
            if (!queue.ended()) {
                lighten(queue);
                long most = most(queue);
                of.lookAt = of.staying() > most ? of.staying() + most / 8 + 1 : 0;
            }
        }
        // Whoever waits for room is served by what became free to go meanwhile, not by what memory takes more.
        long most = memory.full() ? memoryMax : Math.max(memoryMax, search.goesOnAt);
        return memory.used() - leaving > most && writing.size() < WRITES_MAX && lightenAll();
    }

    private void lighten(QueueState queue) {
        long keep = most(queue) / 2;
        forgetLoaded(queue, keep);
        Draft draft = new Draft();
        boolean any = gather(queue, keep, draft);
        // A page that is not full can wait, unless nothing else can be done.
        if (!any) {
            write(draft);
        }
    }

    private boolean lightenAll() {
        long target = memoryMax - memoryMax / 8;
        Draft draft = new Draft();
        for (int left = Math.min(ring.size(), QUEUES_MAX); left > 0 && mustFree(target, draft); left--) {
            QueueState queue = ring.removeFirst();
            if (stays(queue)) {
                long before = staying(draft);
                Residency of = queue.index().residency();
                long keep = queue.hasConsumers() ? Math.min(of.bytes / 2, pageBytes / 2) : 0;
                forgetLoaded(queue, keep);
                gather(queue, keep, draft);
                search.inVain = staying(draft) < before ? 0 : search.inVain + 1;
                if (draft.shared()) {
                    // The same messages may be met again in other queues.
                    write(draft);
                    draft = new Draft();
                }
                ring.addLast(queue);
            }
        }
        write(draft);
        return goesOn();
    }

    /** What memory will have when all that is written, or gathered, is out. */
    private long staying(Draft draft) {
        return memory.used() - leaving - draft.memoryBytes();
    }

    private boolean mustFree(long target, Draft draft) {
        return staying(draft) > target && writing.size() < WRITES_MAX;
    }

    /** True if it is still too much, and queues are left that may have something that can go. */
    private boolean goesOn() {
        long staying = memory.used() - leaving;
        boolean nothingGoes = search.inVain >= ring.size();
        search.inVain = nothingGoes ? 0 : search.inVain;
        search.goesOnAt = nothingGoes && staying > memoryMax ? staying + memoryMax / 16 : 0;
        return !nothingGoes && staying > memoryMax && writing.size() < WRITES_MAX;
    }

    /** What pages keep already costs nothing to take out; the page that is being read stays. */
    private void forgetLoaded(QueueState queue, long keep) {
        Residency of = queue.index().residency();
        LinkedHashSet<Page> loaded = of.loaded;
        int protectedPages = queue.hasConsumers() ? 1 : 0;
        for (int left = loaded == null ? 0 : loaded.size() - protectedPages; left > 0 && of.staying() > keep; left--) {
            Page page = loaded.iterator().next();
            loaded.remove(page);
            // What cannot go is remembered again.
            eviction.evict(page, other -> other == queue);
        }
    }

    /**
     * Takes entries from the end of a queue into drafts, until it has no more than it may keep; true if one was full.
     */
    private boolean gather(QueueState queue, long keep, Draft draft) {
        EntryIndex index = queue.index();
        long excess = index.residency().staying() - keep;
        boolean any = false;
        for (int lanes = index.lanes(); lanes != 0 && excess > 0; lanes &= lanes - 1) {
            ArrayDeque<Entry> found = new ArrayDeque<>();
            Place place = index.tail(Integer.numberOfTrailingZeros(lanes));
            for (; place instanceof Entry entry && excess > 0; place = entry.previous) {
                if (Draft.takes(entry)) {
                    found.addFirst(entry);
                    excess -= entry.residentBytes();
                }
            }
            for (Entry entry : found) {
                draft.add(entry);
                if (draft.full(pageBytes)) {
                    write(draft);
                    draft.clear();
                    any = true;
                }
            }
        }
        return any;
    }

    private void write(Draft draft) {
        if (draft.isEmpty()) {
            return;
        }
        Draft written = draft.copy();
        written.leave(1);
        leaving += written.memoryBytes();
        Page page = pages.write(written.messages());
        writing.put(page.id(), written);
    }

    /** A page's file is written: it keeps its messages from now on. */
    void written(long id) {
        Draft draft = writing.remove(id);
        if (draft == null) {
            throw new IllegalStateException("invariant broken: page " + id + " was not being written");
        }
        draft.leave(-1);
        leaving -= draft.memoryBytes();
        Page page = pages.written(id);
        MarkerBuilder builder = new MarkerBuilder(nowMs);
        PageRecord marker = builder.build(page);
        page.hold(builder.holds());
        pages.mark(page, marker);
        stored(page);
        grown(draft.entries().get(0).queue());
    }

    /** True if there is more than messages may take before those of any queue are moved out. */
    boolean shortOfMemory() {
        return memory.used() > memoryMax;
    }

    /** A page keeps its messages: what needs not be in memory goes. */
    void stored(Page page) {
        boolean shortOfMemory = shortOfMemory();
        eviction.evict(page, queue -> goes(queue, shortOfMemory));
        eviction.remember(page);
    }

    private boolean goes(QueueState queue, boolean shortOfMemory) {
        return !queue.hasConsumers()
                || shortOfMemory
                || queue.index().residency().staying() > most(queue) / 2;
    }
}
