package dev.turnstone.testkit.model;

import dev.turnstone.port.Delivery;
import java.util.ArrayDeque;
import java.util.Deque;

/** What one consumer may still be given, and the numbers of what it was given. */
final class Credit {
    /** A recall that is not yet confirmed, and the credit that there was before it. */
    private static final class Recall {
        private final long lastSeen;
        private int creditBefore;

        private Recall(long lastSeen, int creditBefore) {
            this.lastSeen = lastSeen;
            this.creditBefore = creditBefore;
        }
    }

    private final Stream stream;
    private final Deque<Recall> recalls = new ArrayDeque<>();
    private long lastNumber;
    private int left;

    Credit(Stream stream) {
        this.stream = stream;
    }

    int left() {
        return left;
    }

    void add(int messages) {
        left += messages;
    }

    /** All that deliveries may still use, also what recalls will take that are not confirmed. */
    int atMost() {
        return left + recalls.stream().mapToInt(recall -> recall.creditBefore).sum();
    }

    int recallsOpen() {
        return recalls.size();
    }

    void recall(long lastSeen) {
        recalls.add(new Recall(lastSeen, left));
        left = 0;
    }

    void recalled() {
        recalls.remove();
    }

    /** A delivery uses credit; says whether it is void because a recall has overtaken it. */
    boolean use(Delivery delivery) {
        Violation.check(
                delivery.number() == lastNumber + 1,
                Violation.Promise.CREDIT,
                stream + " had number " + lastNumber + " and gets " + delivery.number());
        lastNumber = delivery.number();
        Recall recall = recalls.peek();
        if (recall == null) {
            left--;
            Violation.check(left >= 0, Violation.Promise.CREDIT, stream + " gets more than its credit");
            return false;
        }
        recall.creditBefore--;
        Violation.check(
                recall.creditBefore >= 0,
                Violation.Promise.CREDIT,
                stream + " gets more than its credit before a recall");
        return delivery.number() > recall.lastSeen;
    }
}
