package dev.turnstone.testkit.model;

import dev.turnstone.port.Delivery;
import java.util.Arrays;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** One consumer from its subscribe to its end, and what it may be given. */
public final class Stream {
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
    final Credit credit = new Credit(this);
    private final long[] lastPosition = positions();
    private final IdentityHashMap<Object, long[]> lastPositionByCause = new IdentityHashMap<>();

    Stream(Box box, Producer session, int consumer, @Nullable String kind, long askedAtMs) {
        this.box = box;
        this.session = session;
        this.consumer = consumer;
        this.kind = kind;
        this.askedAtMs = askedAtMs;
    }

    static long[] positions() {
        long[] none = new long[10];
        Arrays.fill(none, -1);
        return none;
    }

    /** Those of a higher one are served first. */
    public void rank(int priority) {
        box.sharing.ranks.rank(this, priority);
    }

    /** True if it takes everything and has this priority. */
    public boolean isOf(int priority) {
        return kind == null && box.sharing.ranks.rank(this) == priority;
    }

    /** It gives its credit back. */
    void recall(long lastSeen) {
        credit.recall(lastSeen);
        box.sharing.ranks.recalled(this);
    }

    /** Its session is ending. */
    void lose() {
        losing = true;
        box.sharing.ranks.recalled(this);
    }

    /** True if the entry had expired before it was there; what such a queue has handed out once comes again. */
    boolean isTooLate(Entry entry) {
        boolean again = entry.returned && box.address.isSubscription();
        return entry.sent.expiredAt(askedAtMs) && !again;
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
        return credit.left();
    }

    boolean takes(Sent sent) {
        return kind == null || kind.equals(sent.content.kind());
    }

    /** Checks that a delivery stands behind all earlier ones of its priority that were there before it was. */
    void inOrder(Entry entry, Delivery delivery) {
        Sent.Content content = entry.sent.content;
        if (box.unseenReturns > 0 || content.group() != null || content.dueMs() > 0 || box.traits.retryDelayMs() > 0) {
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
