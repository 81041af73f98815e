package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Holder;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.PageRecord;
import dev.turnstone.broker.store.Pages;
import dev.turnstone.broker.store.StoredMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the space of the page files in proportion to what is held of them: when they take more than twice that, what is
 * left of some that are mostly gone is brought into memory and written to one new page, which then takes their place.
 * Owned by the engine thread.
 */
final class PageCompaction {
    /** So many full pages more than that may always be there. */
    private static final int SPARE_PAGES = 4;

    private static final int PAGES_AT_A_TIME = 16;

    private final Pages pages;
    private final PageOut out;
    private final Heads heads;
    private final PageReads reads;
    private final long pageBytes;
    /** Pages that are mostly gone, in the order in which that was found; some of them more so meanwhile, or ended. */
    private final ArrayDeque<Page> sparse = new ArrayDeque<>();

    private final Set<Page> inSparse = new HashSet<>();
    private List<Page> old = List.of();
    private List<StoredMessage> messages = List.of();
    private @Nullable Page page;

    PageCompaction(Pages pages, PageOut out, Heads heads, PageReads reads, long pageBytes) {
        this.heads = heads;
        this.reads = reads;
        this.pages = pages;
        this.out = out;
        this.pageBytes = pageBytes;
    }

    /** True while a page is being replaced, so that what is in memory of it must stay there. */
    boolean holds(Page some) {
        return !old.isEmpty() && old.contains(some);
    }

    /** Goes on; true if it has asked for entries, which may be here at once. */
    boolean turn() {
        for (Page lighter : pages.takeLighter()) {
            if (lighter.held() && lighter.stored() && pages.counted(lighter, live(lighter)) && inSparse.add(lighter)) {
                sparse.add(lighter);
            }
        }
        if (old.isEmpty() && pages.fileBytes() > 2 * pages.liveBytes() + SPARE_PAGES * pageBytes) {
            choose();
            old.forEach(this::wantAll);
            return !old.isEmpty();
        }
        if (page == null && !old.isEmpty() && old.stream().allMatch(PageCompaction::isHere)) {
            write();
        }
        return false;
    }

    private static int live(Page some) {
        BitSet slots = new BitSet(some.slots());
        for (Holder run = some.firstRun(); run != null; run = run.nextHolder()) {
            ((Run) run).addTo(slots);
        }
        for (int slot = 0; slot < some.slots(); slot++) {
            if (some.resident(slot) != null) {
                slots.set(slot);
            }
        }
        return slots.cardinality();
    }

    private void choose() {
        List<Page> chosen = new ArrayList<>();
        long bytes = 0;
        int slots = 0;
        long room = reads.room() / 2;
        for (int left = Math.min(sparse.size(), PAGES_AT_A_TIME); left > 0 && bytes < pageBytes; left--) {
            Page next = sparse.removeFirst();
            long entries = (long) next.holds() * Memory.ENTRY_OVERHEAD;
            if (!next.held()) {
                inSparse.remove(next);
            } else if (entries > room) {
                // All who hold it would need more memory for their entries than there is; they become fewer.
                sparse.addLast(next);
            } else if (slots + next.slots() > Draft.SLOTS_MAX && !chosen.isEmpty()) {
                sparse.addFirst(next);
                break;
            } else {
                inSparse.remove(next);
                chosen.add(next);
                room -= entries;
                bytes += pages.liveBytes(next);
                slots += next.slots();
            }
        }
        old = chosen;
    }

    private static boolean isHere(Page some) {
        return some.firstRun() == null && Heads.complete(some);
    }

    private void wantAll(Page some) {
        heads.wantAll(some);
        for (Holder run = some.firstRun(); run != null; run = run.nextHolder()) {
            ((Run) run).wantAll();
        }
    }

    private void write() {
        old.removeIf(some -> !some.held());
        List<StoredMessage> all = new ArrayList<>();
        for (Page some : old) {
            for (int slot = 0; slot < some.slots(); slot++) {
                StoredMessage message = some.resident(slot);
                if (message != null) {
                    all.add(message);
                }
            }
        }
        // In the order of their queues, so that neighbours there are neighbours in the new page.
        all.sort(Comparator.comparingLong(StoredMessage::position));
        messages = all;
        page = all.isEmpty() ? null : pages.rewrite(all);
    }

    /** A page's file is written; false if it is none of this. */
    boolean written(long id, long nowMs) {
        Page to = page;
        if (to == null || to.id() != id) {
            return false;
        }
        old.removeIf(some -> !some.held());
        for (int slot = 0; slot < messages.size(); slot++) {
            StoredMessage message = messages.get(slot);
            if (message.holders() > 0) {
                pages.move(message, to, slot);
            }
        }
        MarkerBuilder builder = new MarkerBuilder(nowMs);
        PageRecord marker = builder.build(to);
        List<Page> replaced = old;
        end();
        to.hold(builder.holds());
        pages.replace(replaced, to, marker);
        out.stored(to);
        return true;
    }

    private void end() {
        old = List.of();
        messages = List.of();
        page = null;
    }
}
