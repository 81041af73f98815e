package dev.turnstone.broker.route;

import dev.turnstone.broker.queue.LockHolder;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.queue.RunRecovery;
import dev.turnstone.broker.store.AttemptRecord;
import dev.turnstone.broker.store.FilterRecord;
import dev.turnstone.broker.store.FloorRecord;
import dev.turnstone.broker.store.Log;
import dev.turnstone.broker.store.MarkRecord;
import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.PagePassedRecord;
import dev.turnstone.broker.store.PageRecord;
import dev.turnstone.broker.store.PageRecord.Stretch;
import dev.turnstone.broker.store.PageSettledRecord;
import dev.turnstone.broker.store.Pages;
import dev.turnstone.broker.store.PassedRecord;
import dev.turnstone.broker.store.PreparedSettlesRecord;
import dev.turnstone.broker.store.RetainedRecord;
import dev.turnstone.broker.store.SettledRecord;
import dev.turnstone.broker.store.StoredMessage;
import dev.turnstone.broker.store.SubscriberSet;
import dev.turnstone.broker.store.SubscriptionQueueRecord;
import dev.turnstone.broker.store.Survivors;
import dev.turnstone.broker.store.Survivors.Kept;
import dev.turnstone.broker.store.Survivors.Survivor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds addresses, queues and their entries from the records that survived, in whatever order they were found, and
 * deletes those that have lost their meaning. Used once, before the engine's first turn, by the thread that starts it.
 */
public final class Recovery {
    private final Survivors survivors;
    private final Addresses addresses;
    private final MessageStore store;
    private final Log log;
    private final Pages pages;
    private final RunRecovery runs;
    private final long nowMs;
    private final Map<Long, QueueState> queues = new HashMap<>();
    private final Map<Long, Subscription> durable = new HashMap<>();
    private final Map<Long, SubscriberSet> sets = new HashMap<>();
    private final Map<Long, PassedStretches> passed = new HashMap<>();
    /** By queue, then by position. */
    private final Map<Long, Map<Long, Kept<AttemptRecord>>> attempts = new HashMap<>();

    /** A recovery of these survivors into these addresses, which are empty. */
    public Recovery(
            Survivors survivors, Addresses addresses, MessageStore store, Pages pages, RunRecovery runs, long nowMs) {
        this.survivors = survivors;
        this.pages = pages;
        this.runs = runs;
        this.addresses = addresses;
        this.store = store;
        this.log = store.log();
        this.nowMs = nowMs;
    }

    /**
     * Does it; what it deletes is in the log's current turn. Returns how many messages there are.
     *
     * @param holders asked once for each entry that a prepared branch has settled, with the record that says so: who
     *     takes that entry when it is in memory
     * @param hearPages lets what was moved to page files meanwhile be known to be there
     */
    public int run(Function<PreparedSettlesRecord, LockHolder> holders, Runnable hearPages) {
        survivors.queues().forEach((id, record) -> queues.put(id, addresses.addQueue(id, record.address())));
        survivors
                .topics()
                .subscriptions()
                .forEach((id, record) ->
                        durable.put(id, addresses.subscriptions().addDurable(id, record)));
        durable.forEach((id, subscription) -> queues.put(id, subscription.queue()));
        adoptRetained();
        adoptFilteredQueues();
        survivors.sets().forEach((id, set) -> sets.put(id, store.recoverSet(set.records(), set.queues())));
        adoptMarks();
        adoptFloors();
        adoptPassed();
        adoptAttempts();
        adoptLocks(holders);
        adoptPages();
        int messages = adoptMessages(hearPages);
        adoptSettled();
        deleteUnusedSets();
        for (QueueState queue : queues.values()) {
            queue.recovery().over();
        }
        return messages;
    }

    private void adoptFilteredQueues() {
        FilteredQueues filtered = addresses.subscriptions().filtered();
        Map<Long, Kept<SubscriptionQueueRecord>> last = new TreeMap<>();
        for (Kept<SubscriptionQueueRecord> kept : survivors.topics().queues()) {
            Kept<SubscriptionQueueRecord> other = last.get(kept.record().queue());
            if (other == null || other.id() < kept.id()) {
                last.put(kept.record().queue(), kept);
            }
        }
        for (Kept<SubscriptionQueueRecord> kept : survivors.topics().queues()) {
            if (!kept.equals(last.get(kept.record().queue()))) {
                log.delete(kept.id());
            }
        }
        Map<Long, FilteredQueue> byId = new HashMap<>();
        last.forEach((id, kept) -> byId.put(id, filtered.recover(kept.id(), kept.record())));
        byId.forEach((id, queue) -> queues.put(id, queue.queue()));
        List<Kept<FilterRecord>> filters = new ArrayList<>(survivors.topics().filters());
        filters.sort(Comparator.comparingLong(Kept::id));
        for (Kept<FilterRecord> kept : filters) {
            FilteredQueue queue = byId.get(kept.record().queue());
            Subscription subscription = durable.get(kept.record().queue());
            if (queue != null) {
                filtered.recover(queue, kept.id(), kept.record());
            } else if (subscription == null
                    || !addresses.subscriptions().recover(subscription, kept.id(), kept.record())) {
                log.delete(kept.id());
            }
        }
    }

    private void adoptRetained() {
        for (Kept<RetainedRecord> kept : survivors.topics().retained()) {
            addresses.retained().recover(kept.id(), kept.record().message());
        }
    }

    private void adoptMarks() {
        for (Kept<MarkRecord> kept : survivors.marks()) {
            QueueState queue = queues.get(kept.record().queue());
            if (queue == null) {
                log.delete(kept.id());
            } else {
                queue.recovery().mark(kept.record().position(), kept.id(), nowMs);
            }
        }
    }

    private void adoptFloors() {
        for (Kept<FloorRecord> kept : survivors.all(FloorRecord.class)) {
            QueueState queue = queues.get(kept.record().queue());
            if (queue == null) {
                log.delete(kept.id());
            } else {
                queue.recovery().floor(kept.record().position(), kept.id());
            }
        }
    }

    /** Of several that speak of the same, which a crash can leave, all are true. */
    private void adoptPassed() {
        for (Kept<PassedRecord> kept : survivors.passed()) {
            QueueState queue = queues.get(kept.record().queue());
            if (queue == null) {
                log.delete(kept.id());
            } else {
                queue.recovery().passed(kept.record(), kept.id());
                passed.computeIfAbsent(queue.id(), id -> new PassedStretches()).add(kept.record());
            }
        }
    }

    private boolean hasPassed(long queue, long position) {
        PassedStretches ofQueue = passed.get(queue);
        return ofQueue != null && ofQueue.cover(position);
    }

    private void adoptAttempts() {
        for (Kept<AttemptRecord> kept : survivors.attempts()) {
            AttemptRecord record = kept.record();
            Map<Long, Kept<AttemptRecord>> ofQueue = attempts.computeIfAbsent(record.queue(), q -> new HashMap<>());
            Kept<AttemptRecord> other = ofQueue.get(record.position());
            if (other == null || other.id() < kept.id()) {
                ofQueue.put(record.position(), kept);
                if (other != null) {
                    log.delete(other.id());
                }
            } else {
                log.delete(kept.id());
            }
        }
    }

    private int adoptMessages(Runnable hearPages) {
        Set<SettledRecord> settled = survivors.settledPairs();
        int[] count = new int[1];
        survivors.messages(some -> {
            for (Survivor survivor : some) {
                count[0] += adopt(survivor, settled) ? 1 : 0;
                runs.relieveIfFull(nowMs, hearPages);
            }
            if (survivors.messagesAreMany()) {
                runs.relieve(nowMs, hearPages);
            }
        });
        runs.rest();
        leaveAttempts();
        return count[0];
    }

    private boolean adopt(Survivor survivor, Set<SettledRecord> settled) {
        List<QueueState> holders = holders(survivor, settled);
        if (holders.isEmpty()) {
            log.delete(survivor.position());
            return false;
        }
        SubscriberSet set = survivor.set() == 0 ? null : sets.get(survivor.set());
        StoredMessage stored = store.recover(survivor.position(), survivor.message(), holders.size(), set);
        for (QueueState queue : holders) {
            queue.recovery().message(stored, attempt(queue.id(), survivor.position()), nowMs);
        }
        return true;
    }

    private void adoptLocks(Function<PreparedSettlesRecord, LockHolder> holders) {
        for (Kept<PreparedSettlesRecord> kept : survivors.all(PreparedSettlesRecord.class)) {
            long[] entries = kept.record().entries();
            for (int i = 0; i < entries.length; i += 2) {
                QueueState queue = queues.get(entries[i]);
                if (queue != null) {
                    queue.recovery().locked(entries[i + 1], holders.apply(kept.record()));
                }
            }
        }
    }

    /** What is left speaks of messages that are in pages, or gone. */
    private void leaveAttempts() {
        attempts.forEach((id, ofQueue) -> {
            QueueState queue = queues.get(id);
            if (queue == null || !runs.adoptAttempts(queue, ofQueue)) {
                ofQueue.values().forEach(kept -> log.delete(kept.id()));
            }
        });
    }

    private void adoptPages() {
        for (Kept<PageRecord> kept : survivors.pages().markers()) {
            pages.recover(kept.id(), kept.record());
        }
        for (Kept<PagePassedRecord> kept : survivors.pages().passed()) {
            Page page = pages.find(kept.record().page());
            if (page == null) {
                log.delete(kept.id());
            } else {
                pages.recoverPassed(page, kept.record(), kept.id());
            }
        }
        for (Kept<PageSettledRecord> kept : survivors.pages().settled()) {
            Page page = pages.find(kept.record().page());
            if (page == null) {
                log.delete(kept.id());
            } else {
                pages.recoverSettled(page, kept.record(), kept.id());
            }
        }
        for (Kept<PageRecord> kept : survivors.pages().markers()) {
            adoptPage(kept);
        }
        runs.sort();
        pages.recovered();
    }

    private void adoptPage(Kept<PageRecord> kept) {
        Page page = pages.recovered(kept.id(), kept.record());
        if (page == null) {
            return;
        }
        for (Stretch stretch : kept.record().stretches()) {
            for (long id : stretch.queues()) {
                QueueState queue = queues.get(id);
                if (queue != null) {
                    runs.add(queue, page, stretch, nowMs);
                }
            }
        }
    }

    private List<QueueState> holders(Survivor survivor, Set<SettledRecord> settled) {
        List<QueueState> holders = new ArrayList<>(1);
        for (long id : survivor.queues()) {
            QueueState queue = queues.get(id);
            if (queue == null) {
                // Its queue or subscription was ended, and the crash came before all its messages had left.
                continue;
            }
            if (hasPassed(id, survivor.position())) {
                continue;
            }
            if (settled.isEmpty() || !settled.contains(new SettledRecord(id, survivor.position()))) {
                holders.add(queue);
            }
        }
        return holders;
    }

    private @Nullable Kept<AttemptRecord> attempt(long queue, long position) {
        Map<Long, Kept<AttemptRecord>> ofQueue = attempts.get(queue);
        return ofQueue == null ? null : ofQueue.remove(position);
    }

    private void adoptSettled() {
        for (Kept<SettledRecord> kept : survivors.settled()) {
            SettledRecord record = kept.record();
            QueueState queue = queues.get(record.queue());
            if (queue == null || hasPassed(record.queue(), record.position())) {
                log.delete(kept.id());
            } else {
                queue.recovery().settled(record.position(), kept.id());
            }
        }
    }

    private void deleteUnusedSets() {
        sets.values().forEach(store::release);
    }
}
