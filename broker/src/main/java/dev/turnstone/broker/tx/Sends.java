package dev.turnstone.broker.tx;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.queue.EarlyPages;
import dev.turnstone.broker.route.Addresses;
import dev.turnstone.broker.route.Ahead;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.Page;
import dev.turnstone.port.Message;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one transaction, in the order in which they were sent. What is more than a share of memory is written
 * to pages before the end is known; the commit then places these. Owned by the engine thread.
 */
final class Sends {
    /** So few that what a page's marker says of them fits into a record, however many hold them. */
    private static final int SLOTS_MAX = 1_024;

    private final Ahead ahead;
    private final MessageStore store;
    private final EarlyPages early;
    private final Limits limits;
    private final List<Pending> all = new ArrayList<>();
    /** Those that have messages of it. */
    private final Set<Page> pages = new LinkedHashSet<>(0);
    /** Those before are written, being written, or stay. */
    private int next;
    /** What those from there on have in bytes, */
    private long waiting;
    /** those that are being written, */
    private long writing;
    /** and what is no longer in memory. */
    private long moved;

    private boolean over;
    /** The revision of permissions and bindings under which the first was checked. */
    private long checkedAt;

    Sends(Addresses addresses, Limits limits) {
        this.ahead = addresses.ahead();
        this.store = addresses.store();
        this.early = ahead.pages();
        this.limits = limits;
    }

    List<Pending> all() {
        return all;
    }

    void add(Pending send) {
        all.add(send);
        waiting += send.message().encodedBytes();
        while (waiting > limits.of(Limit.TX_MEMORY) && early.hasRoom()) {
            moveSome();
        }
    }

    void checkedAt(long revision) {
        if (all.isEmpty()) {
            checkedAt = revision;
        }
    }

    boolean checkedBefore(long revision) {
        return !all.isEmpty() && checkedAt != revision;
    }

    /** Recovery: one of a prepared branch. */
    void recover(Pending send) {
        all.add(send);
        next = all.size();
        Page page = send.page();
        if (page != null) {
            pages.add(page);
        }
    }

    /** Has the next ones that can be moved written to one page. */
    private void moveSome() {
        int first = next;
        long bytes = 0;
        long pageBytes = limits.of(Limit.PAGE_BYTES);
        long entryBytes = 0;
        List<Message> messages = new ArrayList<>();
        while (next < all.size() && bytes < pageBytes && messages.size() < SLOTS_MAX) {
            Pending send = all.get(next);
            Message message = send.message();
            entryBytes += entryBytes(message);
            if (!ahead.takes(message, send.from())
                    || (entryBytes > limits.of(Limit.TX_MEMORY) && !messages.isEmpty())) {
                break;
            }
            messages.add(message);
            bytes += message.encodedBytes();
            next++;
        }
        if (messages.isEmpty()) {
            // It stays, and ends a page: positions in a page follow each other.
            bytes = all.get(next++).message().encodedBytes();
        } else {
            long underWay = bytes;
            writing += underWay;
            early.write(messages, page -> written(page, first, underWay));
        }
        waiting -= bytes;
    }

    private void written(Page page, int first, long bytes) {
        if (over) {
            early.abandon(page);
            return;
        }
        writing -= bytes;
        pages.add(page);
        for (int slot = 0; slot < page.slots(); slot++) {
            Pending now = all.get(first + slot).movedTo(page, slot);
            all.set(first + slot, now);
            long apart = (long) now.bytes() - now.message().encodedBytes();
            moved += apart;
            store.memory().remove(apart);
        }
    }

    /** What its entries take at most, until the page that has it is placed. */
    private long entryBytes(Message message) {
        return (long) ahead.takersMost(message) * Memory.ENTRY_OVERHEAD;
    }

    /**
     * The end was asked for: if those in memory would become more entries of queues than there is memory for, they go
     * to pages first, of which the commit places one after the other.
     */
    void moveIfTooManyTake() {
        long most = limits.of(Limit.TX_MEMORY);
        long bytes = 0;
        for (int i = next; i < all.size() && bytes <= most; i++) {
            bytes += entryBytes(all.get(i).message());
        }
        while (bytes > most && next < all.size() && early.hasRoom()) {
            moveSome();
        }
    }

    /** What those will take in the journal that must survive and are in no page, in bytes. */
    long recordBytes() {
        long bytes = 0;
        for (Pending send : all) {
            bytes += send.message().persistent() && send.place() == null ? send.bytes() : 0;
        }
        return bytes;
    }

    /** What of its messages is no longer in memory, in bytes. */
    long movedBytes() {
        return moved;
    }

    /** True if as much is being written as may be in memory: one more must wait. */
    boolean isBehind() {
        return writing > limits.of(Limit.TX_MEMORY);
    }

    /** True while messages are being written: it cannot end well yet. */
    boolean isMoving() {
        return writing > 0 && !over;
    }

    /**
     * All take effect; returns true if one was a second copy, whose first may not be durable yet.
     *
     * @param demand which of them need no room, since they are copies; null if nobody has asked for that
     */
    boolean send(Effects effects, @Nullable Demand demand) {
        boolean copies = false;
        Page open = null;
        for (Pending send : all) {
            if (send.page() != open) {
                placed(open);
                open = send.page();
                place(open);
            }
            Pending.Place place = send.place();
            if (place != null) {
                store.placing(send.message(), place.page(), place.slot(), place.apartBytes());
            }
            if (demand != null && demand.isCopy(send)) {
                effects.dropped(1);
                copies = true;
            } else {
                copies |= effects.send(send.message(), send.id(), send.from()) == Effects.SECOND_COPY;
            }
            store.placed();
            store.bodies().release(send.message());
        }
        placed(open);
        return copies;
    }

    private void place(@Nullable Page page) {
        if (page != null) {
            early.place(page);
        }
    }

    private void placed(@Nullable Page page) {
        if (page != null) {
            early.placed(page, ahead.nowMs());
        }
    }

    /** All are forgotten. */
    void drop() {
        over = true;
        for (Pending send : all) {
            store.bodies().release(send.message());
        }
        all.clear();
        pages.forEach(early::abandon);
        pages.clear();
    }
}
