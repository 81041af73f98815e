package dev.turnstone.broker.store;

import dev.turnstone.port.Message;
import org.jspecify.annotations.Nullable;

/** One message that the broker holds: its position and how many queues hold it. Owned by the engine thread. */
public final class StoredMessage {
    private final long position;
    private final Message message;
    private int holders;
    private int durableHolders;
    private long lsn;
    private @Nullable SubscriberSet set;

    StoredMessage(long position, Message message) {
        this.position = position;
        this.message = message;
    }

    /** Its place in every queue that holds it. */
    public long position() {
        return position;
    }

    /** The message. */
    public Message message() {
        return message;
    }

    /** The LSN that must be durable before anybody sees it: its own record's, or its transaction's; 0 for none. */
    public long lsn() {
        return lsn;
    }

    /** True if it stands in the journal. */
    public boolean recorded() {
        return durableHolders > 0;
    }

    void recorded(long atLsn, int byQueues, @Nullable SubscriberSet inSet) {
        lsn = atLsn;
        durableHolders = byQueues;
        set = inSet;
    }

    void causedBy(long atLsn) {
        lsn = Math.max(lsn, atLsn);
    }

    void held(int byQueues) {
        holders = byQueues;
    }

    /** One queue fewer holds it; true if none does. */
    boolean leave() {
        return --holders == 0;
    }

    /** One durable queue fewer holds it; true if none does. */
    boolean leaveDurable() {
        return --durableHolders == 0;
    }

    @Nullable
    SubscriberSet set() {
        return set;
    }

    long memoryBytes() {
        return (long) message.encodedBytes() + Memory.MESSAGE_OVERHEAD;
    }
}
