package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.Pages;
import dev.turnstone.broker.store.PagesAhead;
import dev.turnstone.port.Message;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Pages of messages that are nobody's yet: those of transactions that are too large for memory. What becomes of such a
 * page is told once: its messages are placed in queues, or it is abandoned. Owned by the engine thread.
 */
public final class EarlyPages {
    private final Pages pages;
    private final PagesAhead ahead;
    private final Eviction eviction;
    private final Map<Long, Consumer<Page>> writing = new HashMap<>();

    EarlyPages(Pages pages, Eviction eviction) {
        this.pages = pages;
        this.ahead = pages.ahead();
        this.eviction = eviction;
    }

    /** False while the disk is full. */
    public boolean hasRoom() {
        return pages.hasRoom();
    }

    /**
     * Has messages written to a page; what is given is called when it is there, and on the disk if one must survive.
     */
    public Page write(List<Message> messages, Consumer<Page> then) {
        Page page = ahead.write(messages);
        writing.put(page.id(), then);
        return page;
    }

    /** A page's file is written; false if it is none of these. */
    boolean written(long id) {
        Consumer<Page> then = writing.remove(id);
        if (then == null) {
            return false;
        }
        then.accept(pages.written(id));
        return true;
    }

    /** Recovery: a page that a prepared branch will place or abandon. */
    public Page recover(long id, int slots) {
        return ahead.recover(id, slots);
    }

    /** From now to {@link #placed} the messages of a page are routed, in the unit that is open. */
    public void place(Page page) {
        ahead.place(page);
    }

    /** All messages of a page have been routed, or are nobody's. */
    public void placed(Page page, long nowMs) {
        MarkerBuilder builder = new MarkerBuilder(nowMs);
        ahead.placed(page, builder.build(page).stretches());
        eviction.evictAll(page);
    }

    /** A page that is written will not be placed. */
    public void abandon(Page page) {
        pages.abandon(page);
    }
}
