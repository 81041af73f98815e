package dev.turnstone.port;

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
 */
public record Settle(int consumer, long first, long last, Outcome outcome, long transaction) {
    /** Checks the range. */
    public Settle {
        if (first < 1 || last < first) {
            throw new IllegalArgumentException("not a range of deliveries: " + first + ".." + last);
        }
    }

    /** One delivery, outside of any transaction. */
    public static Settle one(Delivery delivery, Outcome outcome) {
        return new Settle(delivery.consumer(), delivery.number(), delivery.number(), outcome, Session.NO_TRANSACTION);
    }
}
