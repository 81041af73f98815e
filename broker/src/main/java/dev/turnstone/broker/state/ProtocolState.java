package dev.turnstone.broker.state;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.Memory;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.broker.store.StateRecord;
import dev.turnstone.broker.store.Survivors.Kept;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.StateChange;
import dev.turnstone.port.StateEntry;
import dev.turnstone.port.StatePage;
import dev.turnstone.port.StateQuery;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All protocol state: in memory, and recorded change by change. Owned by the engine thread. */
public final class ProtocolState {
    private static final long PAGE_BYTES = 256 << 10;

    private final Log log;
    private final Memory memory;
    private final Limits limits;
    private final StateTree tree = new StateTree();
    private long bytes;

    /** None yet. */
    public ProtocolState(Log log, Memory memory, Limits limits) {
        this.log = log;
        this.memory = memory;
        this.limits = limits;
    }

    /** Recovery: takes what survived; a crash may have left an older value of a key beside the newer one. */
    public void recover(List<Kept<StateRecord>> survivors) {
        for (Kept<StateRecord> kept : survivors) {
            byte[] cell = kept.record().cell();
            byte[] path = Cell.path(cell);
            long other = tree.record(path);
            if (other > kept.id()) {
                log.delete(kept.id());
            } else {
                if (other != 0) {
                    log.delete(other);
                }
                put(path, cell, kept.id());
            }
        }
    }

    /**
     * Checks changes before anything of their command is done.
     *
     * @throws BrokerException LIMIT_EXCEEDED, naming the limit
     */
    public void check(List<StateChange> changes) {
        if (changes.isEmpty()) {
            return;
        }
        refuseAbove(changes.size(), Limit.STATE_CHANGES_MAX);
        long more = 0;
        for (StateChange change : changes) {
            byte[] path = Cell.path(change.namespace(), change.key());
            refuseAbove(path.length, Limit.STATE_KEY_BYTES_MAX);
            byte[] value = change.value();
            if (value != null) {
                refuseAbove(value.length, Limit.STATE_VALUE_BYTES_MAX);
                int before = tree.cellBytes(path);
                if (before == 0) {
                    refuseAbove(tree.size() + 1L, Limit.STATE_KEYS_MAX);
                    more += Cell.OVERHEAD_BYTES;
                }
                more += Cell.bytes(path, value) - before;
            }
        }
        if (more > 0) {
            refuseAbove(bytes + more, Limit.STATE_BYTES_MAX);
        }
    }

    private void refuseAbove(long value, Limit limit) {
        if (value > limits.of(limit)) {
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "protocol state would be " + value + " " + limit.unit() + ", more than " + limit.setting() + "="
                            + limits.of(limit));
        }
    }

    /** Makes and records checked changes; in the unit that is open, if one is. */
    public void apply(List<StateChange> changes) {
        for (StateChange change : changes) {
            byte[] path = Cell.path(change.namespace(), change.key());
            byte[] value = change.value();
            long before = tree.record(path);
            if (value != null) {
                byte[] cell = Cell.of(path, value);
                put(path, cell, log.add(RecordType.STATE, new StateRecord(cell)));
            } else if (before != 0) {
                account(-tree.cellBytes(path) - Cell.OVERHEAD_BYTES);
                tree.remove(path);
            }
            if (before != 0) {
                log.delete(before);
            }
        }
    }

    private void put(byte[] path, byte[] cell, long record) {
        int before = tree.cellBytes(path);
        tree.put(path, cell, record);
        account(cell.length - before + (before == 0 ? Cell.OVERHEAD_BYTES : 0));
    }

    private void account(int change) {
        bytes += change;
        if (change >= 0) {
            memory.add(change);
        } else {
            memory.remove(-change);
        }
    }

    /** One page of what a query asks for. */
    public StatePage list(StateQuery query) {
        byte[] namespace = Cell.path(query.namespace(), "");
        byte[] prefix = Cell.path(query.namespace(), query.prefix());
        String after = query.after();
        byte[] behind = after == null ? prefix : Cell.path(query.namespace(), after);
        byte[] from = Arrays.compareUnsigned(behind, prefix) < 0 ? prefix : behind;
        int most = limits.intOf(Limit.STATE_PAGE_MAX);
        Page page = new Page(namespace.length - 1, most);
        tree.visit(from, (cell, record) -> {
            if (!Cell.startsWith(cell, prefix)) {
                return false;
            }
            return (after != null && Cell.compare(cell, behind) == 0) || page.take(cell);
        });
        return new StatePage(List.copyOf(page.entries), page.more);
    }

    /** How many keys there are. */
    public int keys() {
        return tree.size();
    }

    /** A page that fills. */
    private static final class Page {
        private final int namespaceBytes;
        private final int most;
        private final List<StateEntry> entries = new ArrayList<>();
        private long bytes;
        private boolean more;

        Page(int namespaceBytes, int most) {
            this.namespaceBytes = namespaceBytes;
            this.most = most;
        }

        boolean take(byte[] cell) {
            if (entries.size() == most || bytes >= PAGE_BYTES) {
                more = true;
                return false;
            }
            entries.add(new StateEntry(Cell.key(cell, namespaceBytes), Cell.value(cell)));
            bytes += cell.length;
            return true;
        }
    }
}
