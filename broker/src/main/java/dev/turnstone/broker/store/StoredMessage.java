package dev.turnstone.broker.store;

import dev.turnstone.port.Message;
import org.jspecify.annotations.Nullable;

/**
 * One message that the broker holds in memory: its position, who holds it there, and where it is kept on the disk: in a
 * record of its own, or in a page. Owned by the engine thread.
 */
public final class StoredMessage {
    private final long position;
    private Message message;
    private int holders;
    private int durableHolders;
    private long lsn;
    private @Nullable SubscriberSet set;
    private @Nullable Holder firstHolder;
    private @Nullable Page page;
    private int slot;
    /** What its page keeps of it beside what is here. */
    private int apartBytes;

    StoredMessage(long position, Message message) {
        this.position = position;
        this.message = message;
    }

    /** Its place in every queue that holds it. */
    public long position() {
        return position;
    }

    /** The message, or its head without a body if it is not {@link #whole}. */
    public Message message() {
        return message;
    }

    /** What it has in bytes, in memory or not. */
    public int bytes() {
        return message.encodedBytes() + apartBytes;
    }

    /** Only its head is here: so much more of it is in its page. */
    void apart(int more) {
        apartBytes = more;
    }

    /** False if its body is not in memory, but in its page. */
    public boolean whole() {
        return apartBytes == 0;
    }

    /** Its body goes, which its page has; returns how many bytes fewer it takes. */
    int shed() {
        Message all = message;
        message = all.withoutBody();
        apartBytes = all.encodedBytes() - message.encodedBytes();
        return apartBytes;
    }

    /** Its body is here again; returns how many bytes more it takes. */
    int fill(Message all) {
        int more = apartBytes;
        Invariant.check(
                all.encodedBytes() - message.encodedBytes() == more, "a page has of a message what was taken from it");
        message = all;
        apartBytes = 0;
        return more;
    }

    /** The LSN that must be durable before anybody sees it: its own record's, or its transaction's; 0 for none. */
    public long lsn() {
        return lsn;
    }

    /** True if it is to survive the broker: it stands in the journal, or in a page with a marker. */
    public boolean recorded() {
        return durableHolders > 0;
    }

    void recorded(long atLsn, int byQueues, @Nullable SubscriberSet inSet) {
        lsn = atLsn;
        durableHolders = byQueues;
        set = inSet;
    }

    /** Nobody sees it before this LSN is durable. */
    public void causedBy(long atLsn) {
        lsn = Math.max(lsn, atLsn);
    }

    void held(int byQueues) {
        holders = byQueues;
    }

    /** One queue more holds it in memory. */
    void join() {
        holders++;
    }

    /** One queue fewer holds it in memory; true if none does. */
    boolean leave() {
        return --holders == 0;
    }

    /** How many queues hold it in memory. */
    public int holders() {
        return holders;
    }

    /** One durable queue fewer holds it; true if none does. */
    boolean leaveDurable() {
        return --durableHolders == 0;
    }

    @Nullable
    SubscriberSet set() {
        return set;
    }

    /** The page that keeps it, or that is being written and will; null if there is none. */
    public @Nullable Page page() {
        return page;
    }

    /** True if a page keeps it, and no record of its own. */
    public boolean paged() {
        Page of = page;
        return of != null && of.stored();
    }

    /** Its number in the page. */
    public int slot() {
        return slot;
    }

    void inPage(@Nullable Page of, int inSlot) {
        page = of;
        slot = inSlot;
    }

    /** The page keeps it from now on, in place of its record; nobody sees it before that is durable. */
    void nowPaged(long atLsn) {
        lsn = Math.max(lsn, atLsn);
        set = null;
    }

    /** The first that holds it in memory, or null. */
    public @Nullable Holder firstHolder() {
        return firstHolder;
    }

    /** Puts a holder on the list. */
    public void attach(Holder holder) {
        firstHolder = Holder.push(holder, firstHolder);
    }

    /** Takes a holder off the list. */
    public void detach(Holder holder) {
        firstHolder = Holder.drop(holder, firstHolder);
    }

    /** What it takes in memory, without its entries. */
    public long memoryBytes() {
        return (long) message.encodedBytes() + Memory.MESSAGE_OVERHEAD;
    }
}
