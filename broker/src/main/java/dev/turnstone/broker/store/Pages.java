package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.journal.page.PageStore;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All pages: has them written, read and deleted, in the order that no crash can break: a page's file is on the disk
 * before its marker is recorded, and stays there until the end of the marker is durable. Owned by the engine thread.
 */
public final class Pages {
    private record Ending(Page page, long lsn) {}

    private final PageStore files;
    private final MessageStore store;
    private final Log log;
    private final Memory memory;
    private final int foldAfter;
    private final Map<Long, Page> all = new HashMap<>();
    private final List<Page> ended = new ArrayList<>();
    private final ArrayDeque<Ending> ending = new ArrayDeque<>();
    /** Those that fewer hold than when it was last counted. */
    private final List<Page> lighter = new ArrayList<>();

    private long fileBytes;
    private long liveBytes;

    /** No pages but those that {@link #recover} is told of. */
    public Pages(PageStore files, MessageStore store, int foldAfter) {
        this.files = files;
        this.store = store;
        this.log = store.log();
        this.memory = store.memory();
        this.foldAfter = foldAfter;
        store.bodies().keptIn(files);
    }

    /** False while the disk is full: nothing is moved there then. */
    public boolean hasRoom() {
        return log.hasRoom();
    }

    /**
     * Has messages written to a new page. Until that is {@link #written}, they are kept as before.
     *
     * @param messages none of them is in a page
     */
    public Page write(List<StoredMessage> messages) {
        StoredMessage[] slots = messages.toArray(new StoredMessage[0]);
        Page page = new Page(log.nextId(), slots.length, this);
        boolean durable = false;
        for (int slot = 0; slot < slots.length; slot++) {
            page.enter(slots[slot], slot);
            page.spans(slots[slot].position(), slots[slot].position());
            durable |= slots[slot].recorded();
        }
        write(page, slots, durable);
        return page;
    }

    /** Recovery: a page that is known by something else than a marker. */
    Page known(long id, int slots) {
        return all.computeIfAbsent(id, unknown -> new Page(id, slots, this));
    }

    /** Those that are written before anybody holds their messages. */
    public PagesAhead ahead() {
        return new PagesAhead(this, store);
    }

    void write(Page page, StoredMessage[] slots, boolean durable) {
        Payload content = PageContent.of(slots);
        page.space(PageSpace.full(content.sizeBytes(), slots.length, 0));
        all.put(page.id(), page);
        files.write(page.id(), content, durable);
    }

    /**
     * Has what is left of other pages written to a new one. Until that is {@link #written} and they are
     * {@link #replace}d, those keep it.
     *
     * @param messages all that anybody holds of those pages
     */
    public Page rewrite(List<StoredMessage> messages) {
        StoredMessage[] slots = messages.toArray(new StoredMessage[0]);
        Page page = new Page(log.nextId(), slots.length, this);
        boolean durable = false;
        for (StoredMessage message : slots) {
            page.spans(message.position(), message.position());
            durable |= message.recorded();
        }
        write(page, slots, durable);
        return page;
    }

    /** A message leaves one page for a slot of another, which was written with it. */
    public void move(StoredMessage message, Page to, int slot) {
        Page from = message.page();
        if (from != null) {
            from.exit(message.slot());
        }
        to.enter(message, slot);
    }

    /**
     * From now on a page keeps what others did, to which all that anybody held of them was {@link #move}d: in one unit
     * its marker is recorded and theirs end. Holds must have been counted.
     *
     * @param marker who holds what; one without stretches is not recorded
     */
    public void replace(List<Page> old, Page page, PageRecord marker) {
        int mark = log.mark();
        log.beginUnit();
        boolean durable = !marker.stretches().isEmpty();
        if (durable) {
            page.mark().record(page.id(), marker, log);
        }
        old.forEach(other -> other.erase(log));
        log.endUnit();
        long lsn = log.lsnSince(mark);
        for (Page other : old) {
            unload(other);
            forgetSpace(other);
            other.replaced();
            ending.add(new Ending(other, lsn));
        }
        stored(page, durable, lsn);
    }

    private void stored(Page page, boolean durable, long lsn) {
        page.nowStored(durable, lsn);
        countSpace(page);
        if (!page.held()) {
            ended(page);
        }
    }

    void countSpace(Page page) {
        page.space(page.space().lookedAt(page.holds()));
        fileBytes += page.space().bytes();
        liveBytes += page.space().liveBytes();
    }

    private void forgetSpace(Page page) {
        fileBytes -= page.space().bytes();
        liveBytes -= page.space().liveBytes();
        page.space(PageSpace.NONE);
    }

    /** Fewer hold it than when it was last counted how much of it anybody holds. */
    void lighter(Page page) {
        lighter.add(page);
    }

    /** Those of which it is to be {@link #counted} how much of them anybody holds. */
    public List<Page> takeLighter() {
        if (lighter.isEmpty()) {
            return List.of();
        }
        List<Page> taken = List.copyOf(lighter);
        lighter.clear();
        return taken;
    }

    /** So many messages of a page are held; true if that is so few that it should be replaced. */
    public boolean counted(Page page, int live) {
        liveBytes -= page.space().liveBytes();
        page.space(page.space().counted(live));
        liveBytes += page.space().liveBytes();
        return page.space().sparse();
    }

    /** What of a page's file anybody holds, in bytes, as it was last counted. */
    public long liveBytes(Page page) {
        return page.space().liveBytes();
    }

    /** What the files of all pages take. */
    public long fileBytes() {
        return fileBytes;
    }

    /** What of that anybody holds, as it was last counted; never less than it is. */
    public long liveBytes() {
        return liveBytes;
    }

    /** A page's file is written; returns the page. {@link #mark}, {@link #replace} or {@link #abandon} must follow. */
    public Page written(long id) {
        return get(id);
    }

    private Page get(long id) {
        Page page = all.get(id);
        if (page == null) {
            throw new IllegalStateException("invariant broken: page " + id + " is unknown");
        }
        return page;
    }

    /**
     * From now on the page keeps its messages: in one unit its marker is recorded and their own records end. Holds must
     * have been counted.
     *
     * @param marker who holds what; one without stretches is not recorded
     */
    public void mark(Page page, PageRecord marker) {
        boolean durable = !marker.stretches().isEmpty();
        if (durable) {
            log.beginUnit();
            page.mark().record(page.id(), marker, log);
        }
        long lsn = durable ? log.lsn() : 0;
        for (int slot = 0; slot < page.slots(); slot++) {
            StoredMessage message = page.resident(slot);
            if (message != null) {
                if (message.recorded()) {
                    store.endRecord(message);
                }
                message.nowPaged(lsn);
                lsn = Math.max(lsn, message.lsn());
            }
        }
        if (durable) {
            log.endUnit();
        }
        stored(page, durable, lsn);
    }

    /** The page is not to be used after all: its messages are kept as before. */
    public void abandon(Page page) {
        for (int slot = 0; slot < page.slots(); slot++) {
            StoredMessage message = page.resident(slot);
            if (message != null) {
                message.inPage(null, 0);
                page.exit(slot);
            }
        }
        page.space(PageSpace.NONE);
        ended(page);
    }

    /** Recovery: a page with this marker has survived. */
    public void recover(long id, PageRecord marker) {
        if (marker.page() == 0) {
            Page page = new Page(id, marker.slots(), this);
            page.nowStored(true, 0);
            page.mark().base = marker.base();
            all.put(id, page);
        }
    }

    /** Recovery: the page that a marker, or a further part of one, is about; null if it is gone. */
    public @Nullable Page recovered(long id, PageRecord marker) {
        Page page = all.get(marker.page() == 0 ? id : marker.page());
        if (page == null) {
            log.delete(id);
            return null;
        }
        if (marker.page() != 0) {
            page.mark().add(id);
        }
        marker.stretches().forEach(stretch -> page.spans(stretch.firstPosition(), stretch.lastPosition()));
        return page;
    }

    /** Recovery: that page; null if its marker is gone. */
    public @Nullable Page find(long id) {
        return all.get(id);
    }

    /** Recovery: a queue has passed a message of a page that was recovered. */
    public void recoverSettled(Page page, PageSettledRecord settled, long record) {
        page.passes(settled.queue()).adopt(settled.slot(), record);
    }

    /** Recovery: a queue has passed messages of a page that was recovered. */
    public void recoverPassed(Page page, PagePassedRecord passed, long record) {
        page.passes(passed.queue()).adoptFolded(passed, record, log);
    }

    /** Recovery has adopted all: checks that each page has its file, and deletes the files of others. */
    public void recovered() {
        Set<Long> orphans = new HashSet<>();
        for (long id : files.find()) {
            if (Bodies.isChunk(id)) {
                store.bodies().found(id);
            } else {
                orphans.add(id);
            }
        }
        for (Page page : all.values()) {
            page.space(PageSpace.full(files.check(page.id()), page.slots(), page.holds()));
            orphans.remove(page.id());
            if (!page.stored()) {
                continue;
            }
            countSpace(page);
            if (page.held()) {
                lighter.add(page);
            } else {
                ended.add(page);
            }
        }
        orphans.forEach(files::delete);
    }

    /** A durable queue has passed a message of a page. */
    void pass(Page page, long queue, int slot) {
        page.passes(queue).pass(slot, foldAfter, log);
    }

    /** Has a page's content read, unless that is under way; {@link #read(long, ByteBuffer)} follows. */
    public void read(Page page) {
        if (!page.reading()) {
            page.reading(true);
            files.read(page.id());
        }
    }

    /** A page's content is there: the page, which is loaded now if anybody holds it still. */
    public Page read(long id, ByteBuffer bytes) {
        Page page = get(id);
        page.reading(false);
        if (page.held()) {
            PageContent content = new PageContent(bytes);
            page.content(content);
            memory.add(content.sizeBytes());
        }
        return page;
    }

    /** Forgets a page's content; its messages that are in memory stay. */
    public void unload(Page page) {
        PageContent content = page.content();
        if (content != null) {
            memory.remove(content.sizeBytes());
            page.content(null);
        }
    }

    /** A message of a page that is loaded, which one queue more holds in memory. */
    public StoredMessage resident(Page page, int slot) {
        StoredMessage message = page.resident(slot);
        if (message == null) {
            message = page.read(slot);
            memory.add(message.memoryBytes());
        }
        message.join();
        memory.add(Memory.ENTRY_OVERHEAD);
        return message;
    }

    /** The body of a message that a page keeps goes from memory; returns how many bytes that were. */
    public int shed(StoredMessage message) {
        int fewer = message.shed();
        memory.remove(fewer);
        return fewer;
    }

    /** Its body comes back from its page, which must be loaded; returns how many bytes that are. */
    public int fill(StoredMessage message) {
        Page page = message.page();
        Invariant.check(page != null, "a message without its body has a page");
        int more = message.fill(page.whole(message.slot()));
        memory.add(more);
        return more;
    }

    void ended(Page page) {
        ended.add(page);
    }

    /** Ends, in the turn's records, the pages that nobody holds any more. */
    public void recordEnded() {
        for (int i = 0; i < ended.size(); i++) {
            Page page = ended.get(i);
            unload(page);
            forgetSpace(page);
            int mark = log.mark();
            page.erase(log);
            ending.add(new Ending(page, log.lsnSince(mark)));
        }
        ended.clear();
    }

    /** Deletes the files of those whose end is durable. */
    public void deleteFiles(long durableLsn) {
        for (int left = ending.size(); left > 0; left--) {
            Ending next = ending.remove();
            if (next.lsn() > durableLsn || next.page().reading()) {
                ending.add(next);
            } else {
                all.remove(next.page().id());
                files.delete(next.page().id());
            }
        }
    }

    Memory memory() {
        return memory;
    }

    /** How many pages there are. */
    public int count() {
        return all.size();
    }
}
