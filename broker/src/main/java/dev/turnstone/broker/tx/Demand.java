package dev.turnstone.broker.tx;

import dev.turnstone.broker.dedup.Duplicates;
import dev.turnstone.broker.dedup.SentId;
import dev.turnstone.broker.queue.QueueState;
import dev.turnstone.broker.queue.Room;
import dev.turnstone.broker.route.Admission;
import dev.turnstone.broker.settings.WhenFull;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Message;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How much more a transaction would put into queues than it takes out of them. Owned by the engine thread. */
final class Demand {
    private static final class Share {
        /** What has the key, if of messages with one key the last stays. */
        private final @Nullable String property;

        private long messages;
        private long bytes;
        private long taken;
        /** What the last of each key has in bytes. */
        private final Map<String, Long> values = new HashMap<>(0);

        private Share(@Nullable String property) {
            this.property = property;
        }

        private void send(Message message, long more) {
            String key = property == null ? null : Room.valueKey(message, property);
            Long before = key == null ? null : values.put(key, more);
            if (before == null) {
                messages++;
                bytes += more;
            } else {
                bytes += more - before;
            }
        }
    }

    private final Admission admission;
    private final Map<Admission.Target, Share> shares = new HashMap<>();
    private final Set<SentId> copies = new HashSet<>(0);

    /** What was sent before is confirmed without effect, and needs no room. */
    Demand(Transaction transaction, Admission admission, Duplicates sent) {
        this.admission = admission;
        for (Pending send : transaction.sends()) {
            SentId id = send.id();
            if (id != null && sent.contains(id)) {
                copies.add(id);
                continue;
            }
            Message message = send.message();
            admission.reached(
                    message,
                    send.from(),
                    target -> shares.computeIfAbsent(
                                    target,
                                    of -> new Share(admission.capacity(of).lastValueKey()))
                            .send(message, send.bytes()));
        }
        for (Transaction.Settling settling : transaction.settles()) {
            Share share = shares.get(admission.of(settling.entry().queue()));
            if (share != null) {
                share.messages--;
                share.bytes -= settling.entry().bytes();
                share.taken++;
            }
        }
    }

    /** True if it was sent before. That stays so though its identity be forgotten, since no room was asked for it. */
    boolean isCopy(Pending send) {
        return copies.contains(send.id());
    }

    /** Why there is no room; null if there is. */
    @Nullable
    BrokerException refusal() {
        for (Map.Entry<Admission.Target, Share> one : shares.entrySet()) {
            Admission.Target target = one.getKey();
            if (admission.capacity(target).whenFull() == WhenFull.REJECT && lacks(target, one.getValue())) {
                return admission.full(target);
            }
        }
        return null;
    }

    /** A queue that the commit has to wait for; null if there is none. What would never fit does not wait. */
    @Nullable
    QueueState mustWaitFor() {
        for (Map.Entry<Admission.Target, Share> one : shares.entrySet()) {
            QueueState queue = admission.queue(one.getKey());
            Share share = one.getValue();
            if (queue != null
                    && queue.settings().capacity().whenFull() == WhenFull.BLOCK
                    && !queue.ended()
                    && queue.depth() > share.taken
                    && lacks(one.getKey(), share)) {
                return queue;
            }
        }
        return null;
    }

    private boolean lacks(Admission.Target target, Share share) {
        QueueState queue = admission.queue(target);
        return queue == null
                ? admission.capacity(target).exceeded(share.messages, share.bytes)
                : queue.room().lacks(share.messages, share.bytes, share.values.keySet());
    }
}
