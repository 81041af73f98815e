package dev.turnstone.port;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settles the unsettled deliveries of one consumer whose numbers lie in a range. A range of one number that is unknown
 * or settled is refused with NO_SUCH_DELIVERY; in a longer range such numbers are skipped. In a transaction the outcome
 * takes effect at commit, and only {@link Outcome#ACCEPTED} and {@link Outcome#REJECTED} are allowed.
 *
 * @param consumer the consumer's number in the session
 * @param first the first {@link Delivery#number}
 * @param last the last {@link Delivery#number}, at least {@code first}
 * @param outcome what becomes of them
 * @param transaction the number given to {@link Session#begin}, or {@link Session#NO_TRANSACTION}
 * @param reason for {@link Outcome#MODIFIED} and {@link Outcome#REJECTED}: what went wrong, such as an exception's
 *     text, which a message that becomes a dead letter carries ({@link DeadLetter#EXCEPTION}; of a longer one the first
 *     1 024 characters); null for nothing
 * @param state changes of protocol state that take effect, and are durable, together with the outcome
 */
public record Settle(
        int consumer,
        long first,
        long last,
        Outcome outcome,
        long transaction,
        @Nullable String reason,
        List<StateChange> state) {
    /** So much of a reason is kept, in characters. */
    private static final int REASON_MAX = 1024;

    /** Checks the range and takes a copy of the list. */
    public Settle {
        state = List.copyOf(state);
        reason = reason == null || reason.length() <= REASON_MAX ? reason : reason.substring(0, REASON_MAX);
        if (first < 1 || last < first) {
            throw new IllegalArgumentException("not a range of deliveries: " + first + ".." + last);
        }
    }

    /** A settle without protocol state. */
    public Settle(int consumer, long first, long last, Outcome outcome, long transaction) {
        this(consumer, first, last, outcome, transaction, null, List.of());
    }

    /** The same with these changes of protocol state. */
    public Settle with(List<StateChange> changes) {
        return new Settle(consumer, first, last, outcome, transaction, reason, changes);
    }

    /** The same with this reason. */
    public Settle because(@Nullable String text) {
        return new Settle(consumer, first, last, outcome, transaction, text, state);
    }

    /** One delivery, outside of any transaction. */
    public static Settle one(Delivery delivery, Outcome outcome) {
        return new Settle(delivery.consumer(), delivery.number(), delivery.number(), outcome, Session.NO_TRANSACTION);
    }
}
