package dev.turnstone.broker.store;

import dev.turnstone.port.Message;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page file: messages that are kept there and no longer by the journal. It lives as long as anybody holds one of
 * them. Owned by the engine thread.
 */
public final class Page {
    private final long id;
    private final Pages pages;
    private final Residents residents;
    /** How many times a queue holds one of its messages, in memory or not. */
    private int holds;
    /** The first of those who hold messages that are not in memory. */
    private @Nullable Holder firstRun;

    private PageSpace space = PageSpace.NONE;

    private final PageMark mark = new PageMark();
    /** Between which positions its messages lie. */
    private long firstPosition = Long.MAX_VALUE;

    private long lastPosition;

    private @Nullable PageContent content;
    private boolean reading;
    /** By queue, what each has passed. */
    private @Nullable Map<Long, PagePasses> passes;

    Page(long id, int slots, Pages pages) {
        this.id = id;
        this.residents = new Residents(slots);
        this.pages = pages;
    }

    /** Its identifier, and its marker's. */
    public long id() {
        return id;
    }

    /** How many messages were written to it. */
    public int slots() {
        return residents.slots();
    }

    /** True when its file is written and its marker, if it needs one, recorded. */
    public boolean stored() {
        return mark.state != PageMark.State.WRITING;
    }

    void nowStored(boolean withMarker, long atLsn) {
        mark.state = withMarker ? PageMark.State.MARKED : PageMark.State.STORED;
        mark.lsn = atLsn;
    }

    /** What is recorded of it. */
    PageMark mark() {
        return mark;
    }

    /** Nobody sees its messages before this is durable, too. */
    void causedBy(long atLsn) {
        mark.lsn = Math.max(mark.lsn, atLsn);
    }

    /** What its file takes, and what that is good for. */
    PageSpace space() {
        return space;
    }

    void space(PageSpace now) {
        space = now;
    }

    /** The first that holds messages of it that are not in memory, or null. */
    public @Nullable Holder firstRun() {
        return firstRun;
    }

    /** Messages of it are no longer in memory. */
    public void attach(Holder run) {
        firstRun = Holder.push(run, firstRun);
    }

    /** They are in memory again, or nobody's. */
    public void detach(Holder run) {
        firstRun = Holder.drop(run, firstRun);
    }

    /** The message in a slot, if it is in memory; else null. */
    public @Nullable StoredMessage resident(int slot) {
        return residents.at(slot);
    }

    /** True if none of its messages is in memory. */
    public boolean idle() {
        return residents.count() == 0;
    }

    void enter(StoredMessage message, int slot) {
        residents.enter(slot, message);
        message.inPage(this, slot);
    }

    /** A message is no longer in memory. */
    void exit(int slot) {
        residents.exit(slot);
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
        } else if (space.wantsLook(holds)) {
            space = space.lookedAt(holds);
            pages.lighter(this);
        }
    }

    /** Another page has all its messages now. */
    void replaced() {
        holds = 0;
        mark.state = PageMark.State.STORED;
    }

    /** How many times a queue holds one of its messages, in memory or not. */
    public int holds() {
        return holds;
    }

    /** True if anybody holds any of it. */
    public boolean held() {
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
        StoredMessage message = from.message(slot, mark.base);
        message.causedBy(mark.lsn);
        enter(message, slot);
        return message;
    }

    /** The message in a slot with its body; the content must be loaded. */
    Message whole(int slot) {
        PageContent from = content;
        if (from == null) {
            throw new IllegalStateException("invariant broken: page " + id + " is not loaded");
        }
        return from.message(slot, mark.base).message();
    }

    /** The position of the message in a slot; the content must be loaded. */
    public long position(int slot) {
        PageContent from = content;
        if (from == null) {
            throw new IllegalStateException("invariant broken: page " + id + " is not loaded");
        }
        return from.position(slot, mark.base);
    }

    /** Messages of it have these positions, the first and the last of some. */
    void spans(long first, long last) {
        firstPosition = Math.min(firstPosition, first);
        lastPosition = Math.max(lastPosition, last);
    }

    /**
     * The lowest position of a message of it that a durable queue held when its marker was recorded, or a lower one.
     */
    public long firstPosition() {
        return firstPosition;
    }

    /** The highest position of a message of it that a durable queue held then, or a higher one. */
    public long lastPosition() {
        return lastPosition;
    }

    /**
     * True if its marker is recorded, more than one hold is left of it, so that it does not end with the next, and no
     * queue gets more of it.
     */
    public boolean shared() {
        return holds > 1 && marked() && !mark.placing;
    }

    /** What a queue has passed of it, for records to come. */
    PagePasses passes(long queue) {
        if (passes == null) {
            passes = new HashMap<>(2);
        }
        return passes.computeIfAbsent(queue, of -> new PagePasses(id, of, pages.memory()));
    }

    /** A durable queue holds nothing of it any more: one record says so, in place of all others. */
    public void passAll(long queue, Log log) {
        passes(queue).passAll(log);
    }

    /** A durable queue holds nothing of it any more, and what says so is recorded: nothing of it is needed here. */
    public void passedAll(long queue, Log log) {
        PagePasses of = passes == null ? null : passes.remove(queue);
        if (of != null) {
            of.erase(log);
        }
    }

    /** True if its marker is recorded, so that durable queues must say what they have passed. */
    public boolean marked() {
        return mark.state == PageMark.State.MARKED;
    }

    /** A durable queue has passed a message: a record says so. */
    public void pass(long queue, int slot) {
        pages.pass(this, queue, slot);
    }

    /** Recovery: true if a queue has passed a message. */
    public boolean passed(long queue, int slot) {
        PagePasses of = passes == null ? null : passes.get(queue);
        return of != null && of.has(slot);
    }

    /** Deletes all that is recorded of it. */
    void erase(Log log) {
        if (mark.state == PageMark.State.MARKED) {
            // The marker first: whatever a crash keeps of the rest means nothing without it.
            mark.erase(id, log);
            if (passes != null) {
                passes.values().forEach(of -> of.erase(log));
                passes = null;
            }
        }
    }

    @Override
    public String toString() {
        return "page " + id + "[" + holds + " held, " + residents.count() + " resident]";
    }
}
