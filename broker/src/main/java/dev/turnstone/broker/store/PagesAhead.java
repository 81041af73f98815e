package dev.turnstone.broker.store;

import dev.turnstone.broker.store.PageRecord.Stretch;
import dev.turnstone.port.Message;
import java.util.List;

/** Pages that are written before anybody holds their messages. Owned by the engine thread. */
public final class PagesAhead {
    private final Pages pages;
    private final MessageStore store;
    private final Log log;

    PagesAhead(Pages pages, MessageStore store) {
        this.pages = pages;
        this.store = store;
        this.log = store.log();
    }

    /**
     * Has messages that nobody holds yet written to a new page: they get their positions when it is {@link #place}d. A
     * page that is not, is to be {@link Pages#abandon}ed.
     */
    public Page write(List<Message> messages) {
        StoredMessage[] slots = new StoredMessage[messages.size()];
        boolean durable = false;
        for (int slot = 0; slot < slots.length; slot++) {
            Message message = messages.get(slot);
            slots[slot] = new StoredMessage(slot, message);
            if (message.persistent()) {
                slots[slot].recorded(0, 1, null);
                durable = true;
            }
        }
        Page page = new Page(log.nextId(), slots.length, pages);
        page.mark().synced = durable;
        pages.write(page, slots, durable);
        return page;
    }

    /** Recovery: a page that was written early, and that something which survived waits to have placed. */
    public Page recover(long id, int slots) {
        Page page = pages.known(id, slots);
        page.mark().synced = true;
        return page;
    }

    /** The messages of a page that was written early get their positions; it is held until it is {@link #placed}. */
    public void place(Page page) {
        page.mark().base = log.nextIds(page.slots());
        page.spans(page.mark().base, page.mark().base + page.slots() - 1);
        page.nowStored(page.mark().synced, 0);
        page.mark().placing = true;
        page.hold(1);
    }

    /**
     * All that are to hold messages of a page that was written early do: its marker is recorded in the unit that is
     * open.
     */
    public void placed(Page page, List<Stretch> stretches) {
        if (page.mark().synced) {
            PageRecord marker = new PageRecord(page.slots(), page.mark().base, 0, stretches);
            page.mark().record(page.id(), marker, log);
        }
        page.mark().placing = false;
        store.inUnit(page);
        pages.countSpace(page);
        page.release(1);
    }
}
