package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Holder;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.Pages;
import dev.turnstone.broker.store.StoredMessage;

/**
 * Messages of which only the head is in memory, since somebody has been given them: their pages have their bodies,
 * which come back for those who are given them next. Owned by the engine thread.
 */
final class Heads {
    private final Pages pages;
    private final PageReads reads;
    /** A shorter body is not worth it. */
    private final int bodyLeast;

    Heads(Pages pages, PageReads reads, long pageBytes) {
        this.bodyLeast = (int) (pageBytes / Draft.SLOTS_MAX);
        this.pages = pages;
        this.reads = reads;
    }

    /** Takes a body out of memory, which a page keeps; false if it is too short for that. */
    boolean shed(StoredMessage message) {
        if (!message.whole()) {
            return true;
        }
        if (message.message().bodyBytes() <= bodyLeast || message.message().hasStoredBody()) {
            return false;
        }
        int fewer = pages.shed(message);
        for (Holder holder = message.firstHolder(); holder != null; holder = holder.nextHolder()) {
            ((Entry) holder).queue().index().residency().bytes -= fewer;
        }
        return true;
    }

    /**
     * True if an entry's body is in memory, or comes back at once; then it stays until somebody is given it. If not,
     * its page is read, and its queue hears of it.
     */
    boolean present(Entry entry) {
        StoredMessage message = entry.stored();
        Page page = message.page();
        if (message.whole() || page == null) {
            return true;
        }
        if (page.loaded()) {
            entry.wanted = true;
            fill(message);
            return true;
        }
        if (!entry.wanted) {
            entry.wanted = true;
            reads.ask(entry, page);
        }
        return false;
    }

    /** Brings a body back from its page, which is loaded. */
    void fill(StoredMessage message) {
        Page page = message.page();
        if (message.whole() || page == null || message.firstHolder() == null) {
            // It has left while its page was read, and nobody would take the body out again.
            return;
        }
        int more = pages.fill(message);
        for (Holder holder = message.firstHolder(); holder != null; holder = holder.nextHolder()) {
            Residency of = ((Entry) holder).queue().index().residency();
            of.bytes += more;
            of.remember(page);
        }
    }

    /**
     * Brings all bodies of a page back that are not in memory, or asks for the page, whoever of those who hold them
     * leaves meanwhile: when it is read, {@link #fillAll} follows.
     */
    void wantAll(Page page) {
        if (page.loaded()) {
            fillAll(page);
        } else if (!complete(page)) {
            reads.ask(page);
        }
    }

    /** Brings all bodies back from a page, which is loaded. */
    void fillAll(Page page) {
        for (int slot = 0; slot < page.slots(); slot++) {
            StoredMessage message = page.resident(slot);
            if (message != null) {
                fill(message);
            }
        }
    }

    /** True if what is in memory of a page is there with its bodies. */
    static boolean complete(Page page) {
        for (int slot = 0; slot < page.slots(); slot++) {
            StoredMessage message = page.resident(slot);
            if (message != null && !message.whole()) {
                return false;
            }
        }
        return true;
    }
}
