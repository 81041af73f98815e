package dev.turnstone.testkit.model;

import dev.turnstone.port.Delivery;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One consumer from its subscribe to its end, and what it may be given. */
public final class Stream {
    /** A recall that is not yet confirmed, and the credit that there was before it. */
    private static final class Recall {
        private final long lastSeen;
        private int creditBefore;

        private Recall(long lastSeen, int creditBefore) {
            this.lastSeen = lastSeen;
            this.creditBefore = creditBefore;
        }
    }

    final Box box;
    final Producer session;
    final @Nullable String kind;
    /** Confirmed and not asked to end. */
    boolean live;
    /** Its end was asked for. */
    boolean ending;
    /** Its end was confirmed. */
    boolean ended;
    /** Its session is ending. */
    boolean losing;

    private final int consumer;
    private final long askedAtMs;
    private final Deque<Recall> recalls = new ArrayDeque<>();
    private final long[] lastPosition = positions();
    private final Map<Object, long[]> lastPositionByCause = new IdentityHashMap<>();
    private long lastNumber;
    private int credit;

    Stream(Box box, Producer session, int consumer, @Nullable String kind, long askedAtMs) {
        this.box = box;
        this.session = session;
        this.consumer = consumer;
        this.kind = kind;
        this.askedAtMs = askedAtMs;
    }

    private static long[] positions() {
        long[] none = new long[10];
        Arrays.fill(none, -1);
        return none;
    }

    /** The broker's time when it was asked for. */
    long askedAtMs() {
        return askedAtMs;
    }

    int recallsOpen() {
        return recalls.size();
    }

    /** Its queue or subscription. */
    public Box box() {
        return box;
    }

    /** True when its end is certain. */
    public boolean isOver() {
        return ended;
    }

    /** Credit that the broker has and the consumer has not seen used. */
    public int credit() {
        return credit;
    }

    void addCredit(int messages) {
        credit += messages;
    }

    /** All the credit that deliveries may still use, also that of recalls that are not confirmed. */
    int creditAtMost() {
        int all = credit;
        for (Recall recall : recalls) {
            all += recall.creditBefore;
        }
        return all;
    }

    void recall(long lastSeen) {
        recalls.add(new Recall(lastSeen, credit));
        credit = 0;
    }

    void recalled() {
        recalls.remove();
    }

    boolean takes(Sent sent) {
        return kind == null || kind.equals(sent.content.kind());
    }

    /** Uses credit; says whether the delivery is void because a recall has overtaken it. */
    boolean use(Delivery delivery) {
        Violation.check(
                delivery.number() == lastNumber + 1,
                Violation.Promise.CREDIT,
                this + " had number " + lastNumber + " and gets " + delivery.number());
        lastNumber = delivery.number();
        Recall recall = recalls.peek();
        if (recall == null) {
            credit--;
            Violation.check(credit >= 0, Violation.Promise.CREDIT, this + " gets more than its credit");
            return false;
        }
        recall.creditBefore--;
        Violation.check(
                recall.creditBefore >= 0,
                Violation.Promise.CREDIT,
                this + " gets more than its credit before a recall");
        return delivery.number() > recall.lastSeen;
    }

    /** Checks that a delivery stands behind all earlier ones of its priority that were there before it was. */
    void inOrder(Entry entry, Delivery delivery) {
        if (box.unseenReturns > 0) {
            return;
        }
        Object cause = entry.cause;
        if (!entry.returned) {
            behind(lastPosition, entry, delivery);
        } else if (cause != null) {
            behind(lastPositionByCause.computeIfAbsent(cause, key -> positions()), entry, delivery);
        }
    }

    private void behind(long[] last, Entry entry, Delivery delivery) {
        int priority = entry.sent.content.priority();
        Violation.check(
                delivery.position() > last[priority],
                Violation.Promise.ORDER,
                entry + " at " + delivery.position() + " comes after " + last[priority] + " to " + this);
        last[priority] = delivery.position();
    }

    @Override
    public String toString() {
        return "consumer " + consumer + " of session " + session.session() + " on " + box;
    }
}
