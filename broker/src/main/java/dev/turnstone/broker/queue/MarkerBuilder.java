package dev.turnstone.broker.queue;

import dev.turnstone.broker.store.Holder;
import dev.turnstone.broker.store.Page;
import dev.turnstone.broker.store.PageRecord;
import dev.turnstone.broker.store.PageRecord.Stretch;
import dev.turnstone.broker.store.StoredMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds out who holds what of a page that has been written. Used once, by the engine thread. */
final class MarkerBuilder {
    /** Those who hold the same slots, all from the first to the last. */
    private record Same(StretchBuilder stretch, List<Long> queues) {}

    private final long nowMs;
    private final List<QueueState> open = new ArrayList<>();
    private final Map<Long, Same> dense = new HashMap<>();
    private final List<Stretch> stretches = new ArrayList<>();
    private int holds;

    MarkerBuilder(long nowMs) {
        this.nowMs = nowMs;
    }

    PageRecord build(Page page) {
        for (int slot = 0; slot < page.slots(); slot++) {
            StoredMessage message = page.resident(slot);
            Holder holder = message == null ? null : message.firstHolder();
            for (; holder != null; holder = holder.nextHolder()) {
                holds++;
                Entry entry = (Entry) holder;
                if (entry.queue().durable() && !entry.queue().ended()) {
                    add(entry);
                }
            }
        }
        for (QueueState queue : open) {
            close(queue);
        }
        for (Same same : dense.values()) {
            stretches.add(same.stretch()
                    .build(same.queues().stream().mapToLong(Long::longValue).toArray()));
        }
        return new PageRecord(page.slots(), stretches);
    }

    /** How many times a queue holds one of the messages, durably or not. */
    int holds() {
        return holds;
    }

    private void add(Entry entry) {
        QueueState queue = entry.queue();
        Residency of = queue.index().residency();
        StretchBuilder stretch = of.stretch;
        boolean next = stretch != null && stretch.takes(entry, nowMs);
        if (!entry.stored().recorded()) {
            // It leaves no gap: a restart does not find it.
            if (next) {
                stretch.skip(entry);
            }
            return;
        }
        if (next) {
            stretch.take(entry);
            return;
        }
        if (stretch == null) {
            open.add(queue);
        } else {
            finish(queue, stretch);
        }
        of.stretch = new StretchBuilder(entry, nowMs);
    }

    private void close(QueueState queue) {
        Residency of = queue.index().residency();
        if (of.stretch != null) {
            finish(queue, of.stretch);
            of.stretch = null;
        }
    }

    private void finish(QueueState queue, StretchBuilder stretch) {
        if (stretch.dense()) {
            dense.computeIfAbsent(stretch.key(), key -> new Same(stretch, new ArrayList<>(1)))
                    .queues()
                    .add(queue.id());
        } else {
            stretches.add(stretch.build(new long[] {queue.id()}));
        }
    }
}
