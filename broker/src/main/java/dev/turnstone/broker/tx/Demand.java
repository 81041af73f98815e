package dev.turnstone.broker.tx;

import dev.turnstone.broker.dedup.Duplicates;
import dev.turnstone.broker.dedup.SentId;
import dev.turnstone.broker.queue.QueueState;
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
        private long messages;
        private long bytes;
        private long taken;
    }

    private final Map<QueueState, Share> shares = new HashMap<>();
    private final Set<SentId> copies = new HashSet<>(0);

    /** What was sent before is confirmed without effect, and needs no room. */
    Demand(Transaction transaction, Admission admission, Duplicates sent) {
        for (Pending send : transaction.sends()) {
            SentId id = send.id();
            if (id != null && sent.contains(id)) {
                copies.add(id);
                continue;
            }
            Message message = send.message();
            admission.reached(message, send.from(), queue -> {
                Share share = shares.computeIfAbsent(queue, of -> new Share());
                share.messages++;
                share.bytes += send.bytes();
            });
        }
        for (Transaction.Settling settling : transaction.settles()) {
            Share share = shares.get(settling.entry().queue());
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
        for (Map.Entry<QueueState, Share> one : shares.entrySet()) {
            QueueState queue = one.getKey();
            if (queue.settings().capacity().whenFull() == WhenFull.REJECT && lacks(queue, one.getValue())) {
                return Admission.full(queue);
            }
        }
        return null;
    }

    /** A queue that the commit has to wait for; null if there is none. What would never fit does not wait. */
    @Nullable
    QueueState mustWaitFor() {
        for (Map.Entry<QueueState, Share> one : shares.entrySet()) {
            QueueState queue = one.getKey();
            Share share = one.getValue();
            if (queue.settings().capacity().whenFull() == WhenFull.BLOCK
                    && !queue.ended()
                    && queue.depth() > share.taken
                    && lacks(queue, share)) {
                return queue;
            }
        }
        return null;
    }

    private static boolean lacks(QueueState queue, Share share) {
        return share.messages + share.taken > 0 && queue.room().lacks(share.messages, share.bytes);
    }
}
