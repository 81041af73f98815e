package dev.turnstone.broker.route;

import dev.turnstone.broker.queue.Entry;
import dev.turnstone.broker.queue.Matching;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.store.Few;
import dev.turnstone.broker.store.Log;
import dev.turnstone.port.Address;
import dev.turnstone.port.Message;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.port.SubscriptionQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A queue that subscribes by filters that come and go. Owned by the engine thread. */
public final class FilteredQueue implements Fed, Matching {
    /** Addresses for which the matching filters are remembered. */
    private static final int MATCHES_MAX = 256;

    private final QueueState queue;
    private final long order;
    private Map<Address, Kept> filters = Map.of();
    /**
     * Filters that have ended, but may have put into the queue what is still there; those that ended first are first.
     * Null before the first.
     */
    private @Nullable ArrayDeque<Kept> past;

    /** Not to be changed before the first. */
    private Map<Address, List<Filter>> matches = Map.of();

    private final RetainedAsked asked = new RetainedAsked();
    private Declared declared;
    /** The record of what it is now; 0 if it is not durable. */
    long record;
    /** The connection that it ends with, before it has had a consumer; empty for none. */
    String waitsFor = "";
    /** When it ends; 0 while that is not known. */
    long expiresMs;

    private long refused;
    private @Nullable Message lastRefused;

    /**
     * A filter and the record that says so.
     *
     * @param record 0 if the queue is not durable
     */
    record Kept(Filter filter, long record) {}

    /**
     * What was declared, and by whom.
     *
     * @param owner the user's name; null if that is not known
     */
    record Declared(SubscriptionQueue settings, @Nullable String owner) {}

    FilteredQueue(long order, QueueState queue, Declared declared) {
        this.order = order;
        this.queue = queue;
        this.declared = declared;
    }

    @Override
    public QueueState queue() {
        return queue;
    }

    @Override
    public long order() {
        return order;
    }

    @Override
    public boolean durable() {
        return declared.settings().durable();
    }

    /** What was declared. */
    public SubscriptionQueue settings() {
        return declared.settings();
    }

    /** Its name. */
    public SubscriptionName name() {
        return declared.settings().name();
    }

    /** Whose it is; null if that is not known. */
    @Nullable
    String owner() {
        return declared.owner();
    }

    /** False if it is another user's. */
    public boolean isOf(@Nullable String user) {
        return declared.owner() == null || declared.owner().equals(user);
    }

    /** It is something else from now on; of whoever says so, if it was nobody's. */
    void revise(SubscriptionQueue other, @Nullable String user) {
        declared = new Declared(other, declared.owner() == null ? user : declared.owner());
    }

    /** How many messages it has not taken since it was full. */
    public long refused() {
        return refused;
    }

    @Override
    public boolean hasRoomFor(Message message) {
        if (depthMax() == 0 || queue.depth() < depthMax()) {
            return true;
        }
        // One message may match several filters.
        if (message != lastRefused) {
            lastRefused = message;
            refused++;
            queue.room().missed();
        }
        return false;
    }

    @Nullable
    Kept filter(Address topic) {
        return filters.get(topic);
    }

    Collection<Kept> filters() {
        return filters.values();
    }

    void put(Filter filter, long ofRecord) {
        filters = Few.with(filters, filter.topic(), new Kept(filter, ofRecord));
        matches = Map.of();
    }

    @Override
    public int depthMax() {
        return declared.settings().depthMax();
    }

    @Override
    public long feedRecord(Filter filter) {
        Kept kept = filters.get(filter.topic());
        return kept == null ? 0 : kept.record();
    }

    @Override
    public boolean keepsRecord() {
        return true;
    }

    @Override
    public void recorded(Filter filter, long inRecord) {
        if (filters.containsKey(filter.topic())) {
            filters = Few.with(filters, filter.topic(), new Kept(filter, inRecord));
        }
    }

    @Override
    public RetainedAsked asked() {
        return asked;
    }

    /** The filter puts nothing at this position or later into the queue, but what it has put there stays. */
    void drop(Filter filter, long position) {
        filters = Few.without(filters, filter.topic());
        matches = Map.of();
        filter.end(position);
        asked.drop(filter);
    }

    /** True if something may still be there that the filter has put into the queue. */
    boolean holdsOf(Filter filter) {
        return queue.room().mayHold(filter.since(), filter.until());
    }

    /** A filter that was dropped is remembered, in place of the oldest such if there are too many filters. */
    void remember(Kept ended, int filtersMax, Log log) {
        ArrayDeque<Kept> all = past == null ? new ArrayDeque<>(1) : past;
        past = all;
        all.addLast(ended);
        while (all.size() + filters.size() >= filtersMax && all.size() > 1) {
            forget(all.removeFirst(), log);
        }
    }

    @Override
    public void forgetPast(Log log) {
        while (past != null && !past.isEmpty() && !holdsOf(past.getFirst().filter())) {
            forget(past.removeFirst(), log);
        }
    }

    private void forget(Kept ended, Log log) {
        matches = Map.of();
        if (ended.record() != 0) {
            log.delete(ended.record());
        }
    }

    /** Those that have ended and are remembered. */
    Collection<Kept> past() {
        return past == null ? List.of() : past;
    }

    @Override
    public List<Long> filters(Entry entry) {
        Message message = entry.message();
        List<Filter> matching = matching(message.address());
        if (message.retained()) {
            for (Filter filter : matching) {
                if (filter.hasCopy(entry.position())) {
                    return filter.options();
                }
            }
        }
        if (matching.size() == 1 && matching.get(0).took(message, entry.position())) {
            return matching.get(0).options();
        }
        List<Long> options = new ArrayList<>(matching.size());
        for (Filter filter : matching) {
            if (filter.took(message, entry.position())) {
                options.addAll(filter.options());
            }
        }
        return options;
    }

    private List<Filter> matching(Address address) {
        List<Filter> known = matches.get(address);
        if (known != null) {
            return known;
        }
        List<Filter> found = new ArrayList<>(1);
        for (Kept kept : filters.values()) {
            if (kept.filter().topic().matches(address)) {
                found.add(kept.filter());
            }
        }
        for (Kept kept : past()) {
            if (kept.filter().topic().matches(address)) {
                found.add(kept.filter());
            }
        }
        if (matches.isEmpty() || matches.size() >= MATCHES_MAX) {
            matches = new HashMap<>(2);
        }
        matches.put(address, found);
        return found;
    }

    @Override
    public String toString() {
        return queue.toString();
    }
}
