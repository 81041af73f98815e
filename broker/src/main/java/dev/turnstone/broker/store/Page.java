package dev.turnstone.broker.store;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page file: messages that are kept there and no longer by the journal. It lives as long as anybody holds one of
 * them. Owned by the engine thread.
 */
public final class Page {
    private final long id;
    private final int slots;
    private final Pages pages;
    /** Those that are in memory; null if there are none. */
    private @Nullable StoredMessage @Nullable [] resident;

    private int residentCount;
    /** How many times a queue holds one of its messages, in memory or not. */
    private int holds;

    private boolean stored;
    private boolean marked;
    /** Under which its marker is durable. */
    private long lsn;

    private @Nullable PageContent content;
    private boolean reading;
    /** By queue, what each has passed. */
    private @Nullable Map<Long, PagePasses> passes;

    Page(long id, int slots, Pages pages) {
        this.id = id;
        this.slots = slots;
        this.pages = pages;
    }

    /** Its identifier, and its marker's. */
    public long id() {
        return id;
    }

    /** How many messages were written to it. */
    public int slots() {
        return slots;
    }

    /** True when its file is written and its marker, if it needs one, recorded. */
    public boolean stored() {
        return stored;
    }

    boolean marked() {
        return marked;
    }

    void nowStored(boolean withMarker, long atLsn) {
        stored = true;
        marked = withMarker;
        lsn = atLsn;
    }

    /** The message in a slot, if it is in memory; else null. */
    public @Nullable StoredMessage resident(int slot) {
        return resident == null ? null : resident[slot];
    }

    /** True if none of its messages is in memory. */
    public boolean idle() {
        return residentCount == 0;
    }

    void enter(StoredMessage message, int slot) {
        if (resident == null) {
            resident = new @Nullable StoredMessage[slots];
        }
        resident[slot] = message;
        residentCount++;
        message.inPage(this, slot);
    }

    /** A message is no longer in memory. */
    void exit(int slot) {
        if (resident != null) {
            resident[slot] = null;
            if (--residentCount == 0) {
                resident = null;
            }
        }
    }

    /** Queues hold so many of its messages more. */
    public void hold(int more) {
        holds += more;
    }

    /** Queues hold so many fewer. */
    public void release(int fewer) {
        holds -= fewer;
        Invariant.check(holds >= 0, "a page is held at least by nobody");
        if (holds == 0) {
            pages.ended(this);
        }
    }

    boolean held() {
        return holds > 0;
    }

    /** True if its content is there to be used. */
    public boolean loaded() {
        return content != null;
    }

    @Nullable
    PageContent content() {
        return content;
    }

    void content(@Nullable PageContent read) {
        content = read;
    }

    boolean reading() {
        return reading;
    }

    void reading(boolean is) {
        reading = is;
    }

    /** A message that becomes resident; the content must be loaded. */
    StoredMessage read(int slot) {
        PageContent from = content;
        if (from == null) {
            throw new IllegalStateException("invariant broken: page " + id + " is not loaded");
        }
        StoredMessage message = from.message(slot);
        message.causedBy(lsn);
        enter(message, slot);
        return message;
    }

    /** What a queue has passed of it, for records to come. */
    PagePasses passes(long queue) {
        if (passes == null) {
            passes = new HashMap<>(2);
        }
        return passes.computeIfAbsent(queue, of -> new PagePasses(id, of));
    }

    /** A durable queue has passed a message. */
    void pass(long queue, int slot) {
        pages.pass(this, queue, slot);
    }

    /** Recovery: true if a queue has passed a message. */
    public boolean passed(long queue, int slot) {
        PagePasses of = passes == null ? null : passes.get(queue);
        return of != null && of.has(slot);
    }

    /** Deletes all that is recorded of it. */
    void erase(Log log) {
        if (marked) {
            // The marker first: whatever a crash keeps of the rest means nothing without it.
            log.delete(id);
            if (passes != null) {
                passes.values().forEach(of -> of.erase(log));
            }
        }
    }

    @Override
    public String toString() {
        return "page " + id + "[" + holds + " held, " + residentCount + " resident]";
    }
}
