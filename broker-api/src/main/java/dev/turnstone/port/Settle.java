package dev.turnstone.port;

import java.util.List;

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
 * @param state changes of protocol state that take effect, and are durable, together with the outcome
 */
public record Settle(int consumer, long first, long last, Outcome outcome, long transaction, List<StateChange> state) {
    /** Checks the range and takes a copy of the list. */
    public Settle {
        state = List.copyOf(state);
        if (first < 1 || last < first) {
            throw new IllegalArgumentException("not a range of deliveries: " + first + ".." + last);
        }
    }

    /** A settle without protocol state. */
    public Settle(int consumer, long first, long last, Outcome outcome, long transaction) {
        this(consumer, first, last, outcome, transaction, List.of());
    }

    /** The same with these changes of protocol state. */
    public Settle with(List<StateChange> changes) {
        return new Settle(consumer, first, last, outcome, transaction, changes);
    }

    /** One delivery, outside of any transaction. */
    public static Settle one(Delivery delivery, Outcome outcome) {
        return new Settle(delivery.consumer(), delivery.number(), delivery.number(), outcome, Session.NO_TRANSACTION);
    }
}
