package dev.turnstone.broker.session;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.mailbox.Mailbox;
import dev.turnstone.broker.route.Addresses;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.tx.Units;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.spi.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * What all sessions share: what they call, who among them has something to send out, and who waits. Owned by the engine
 * thread.
 */
public final class SessionContext {
    private final Mailbox mailbox;
    private final Units units;
    private final Log log;
    private final Memory memory;
    private final Limits limits;
    private final SizeCheck sizes;
    /** Sessions with something new to send out. */
    private List<Outlet> fresh = new ArrayList<>();
    /** Sessions whose first outgoing event waits for the disk. */
    private List<Outlet> parked = new ArrayList<>();

    private final Held held;

    private final DiskRoom disk;
    private BiConsumer<String, Principal> fence = (connection, principal) -> {};
    private Reached reached = new Reached(0, 0);

    /** Up to where the journal's records are on the disk, and written. */
    private record Reached(long durable, long written) {}

    /** For sessions that use these. */
    public SessionContext(Mailbox mailbox, Units units, Limits limits) {
        this.mailbox = mailbox;
        this.units = units;
        this.log = units.effects().addresses().store().log();
        this.memory = units.effects().addresses().store().memory();
        this.limits = limits;
        this.sizes = new SizeCheck(limits.port());
        this.disk = new DiskRoom(log, limits.of(Limit.DISK_WAIT_MS));
        this.held = new Held(this);
    }

    Mailbox mailbox() {
        return mailbox;
    }

    Addresses addresses() {
        return units.effects().addresses();
    }

    Units units() {
        return units;
    }

    /** From now on this ends a connection by its id, for a principal that asks for it. */
    void fencedBy(BiConsumer<String, Principal> connections) {
        fence = connections;
    }

    /** Ends a connection, if it is still there, before somebody decides for it; refused if it is another user's. */
    void fence(String connection, Principal principal) {
        fence.accept(connection, principal);
    }

    Log log() {
        return log;
    }

    SizeCheck sizes() {
        return sizes;
    }

    /** Refuses to add a message when memory has passed its mark by so much that waiting might wait for itself. */
    void checkMemory() {
        if (memory.exhausted()) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "messages in memory have passed " + Limit.MEMORY_MAX.setting() + "=" + limits.of(Limit.MEMORY_MAX)
                            + " bytes by a quarter");
        }
    }

    DiskRoom disk() {
        return disk;
    }

    Memory memory() {
        return memory;
    }

    Limits limits() {
        return limits;
    }

    void fresh(Outlet outlet) {
        fresh.add(outlet);
    }

    /** The sessions whose posts wait. */
    Held held() {
        return held;
    }

    /** What messages take in memory, in bytes, without the queues that they are in. */
    public long memoryUsed() {
        return memory.ofMessages();
    }

    /** A turn begins: ends what has become too old by now. True if there may be more at once. */
    public boolean turn(long nowMs) {
        disk.turn(nowMs);
        units.expire(nowMs);
        return units.effects().duplicates().expire(nowMs);
    }

    /** When {@link #turn} has something to do that nothing wakes for, in milliseconds since the epoch. */
    public long dueMs() {
        long due = Math.min(units.dueMs(), units.effects().duplicates().dueMs());
        return held.isEmpty() ? due : Math.min(due, disk.dueMs());
    }

    /** How many identities of messages were forgotten before their time. */
    public long identitiesEvicted() {
        return units.effects().duplicates().evicted();
    }

    /** How many messages were not stored, since one with their identity was there before. */
    public long secondCopies() {
        return units.effects().secondCopies();
    }

    /** Lets sessions that waited go on, if they can; returns how many commands they did. */
    public int resume() {
        return held.isEmpty() || !log.accepting() ? 0 : held.resume();
    }

    /** True if one of those that wait could go on. */
    public boolean canResume() {
        return !held.isEmpty() && log.accepting() && held.canResume();
    }

    /** Hands over what nothing holds back any more. Called after the turn's records are appended. */
    public void release(long durableLsn, long writtenLsn) {
        List<Outlet> candidates = fresh;
        fresh = new ArrayList<>();
        if (durableLsn != reached.durable() || writtenLsn != reached.written()) {
            reached = new Reached(durableLsn, writtenLsn);
            List<Outlet> waited = parked;
            parked = new ArrayList<>();
            releaseAll(waited);
        }
        releaseAll(candidates);
    }

    /** Up to where it has handed over. */
    public long releasedLsn() {
        return reached.durable();
    }

    private void releaseAll(List<Outlet> outlets) {
        for (int i = 0; i < outlets.size(); i++) {
            Outlet outlet = outlets.get(i);
            if (!outlet.release(reached.durable(), reached.written())) {
                parked.add(outlet);
            }
        }
    }
}
