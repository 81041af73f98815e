package dev.turnstone.broker.tx;

import dev.turnstone.broker.dedup.Duplicates;
import dev.turnstone.broker.dedup.SentId;
import dev.turnstone.broker.route.Addresses;
import dev.turnstone.broker.route.Origin;
import dev.turnstone.broker.state.ProtocolState;
import dev.turnstone.port.Message;
import org.jspecify.annotations.Nullable;

/** What a unit takes effect on: queues and topics, protocol state, identities. Owned by the engine thread. */
public final class Effects {
    /** In place of an LSN: the message is a second copy, whose first may not be durable yet. */
    public static final long SECOND_COPY = -1;

    private final Addresses addresses;
    private final ProtocolState state;
    private final Duplicates duplicates;
    private final CommitRoom room;
    private long secondCopies;

    /** Effects on these. */
    public Effects(Addresses addresses, ProtocolState state, Duplicates duplicates) {
        this.addresses = addresses;
        this.state = state;
        this.duplicates = duplicates;
        this.room = new CommitRoom(addresses.store().log());
    }

    /** Queues and topics. */
    public Addresses addresses() {
        return addresses;
    }

    /** Protocol state. */
    public ProtocolState state() {
        return state;
    }

    /** Identities of messages and commits. */
    public Duplicates duplicates() {
        return duplicates;
    }

    /** Whether the disk has room for them. */
    public CommitRoom room() {
        return room;
    }

    /** So many messages were not stored, for they came twice in one transaction. */
    void dropped(int copies) {
        secondCopies += copies;
    }

    /** How many messages were not stored again. */
    public long secondCopies() {
        return secondCopies;
    }

    /** What is recorded from here to {@link #end} survives, and is seen, together or not at all. */
    public void begin() {
        addresses.store().beginUnit();
    }

    /** Closes the unit. */
    public void end() {
        duplicates.record();
        addresses.store().endUnit();
    }

    /**
     * Routes a message, and remembers its identity in the same unit, which is open if there is one; does nothing for a
     * second copy.
     *
     * @return the LSN of what it recorded, 0 for none, {@link #SECOND_COPY} if it did nothing
     */
    public long send(Message message, @Nullable SentId id, Origin from) {
        if (id != null) {
            if (duplicates.contains(id)) {
                secondCopies++;
                return SECOND_COPY;
            }
            duplicates.add(id, message.persistent());
        }
        return addresses.route(message, from);
    }
}
