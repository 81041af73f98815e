package dev.turnstone.port;

/**
 * Moves unsettled deliveries of one consumer to another session of the same connection, which then settles them, in its
 * transactions if it wants, as if they had been delivered to it. They come to it as deliveries of a consumer that has
 * no address and gets nothing else, numbered from 1, and that ends when all of them are settled. What is not unsettled
 * in the range is skipped.
 *
 * @param consumer the consumer's number in the session that hands over
 * @param first the first {@link Delivery#number}
 * @param last the last {@link Delivery#number}, at least {@code first}
 * @param to the session that gets them
 * @param inlet the number that their consumer has in that session; not in use there
 */
public record HandOver(int consumer, long first, long last, Session to, int inlet) {
    /** Checks the range. */
    public HandOver {
        if (first < 1 || last < first) {
            throw new IllegalArgumentException("not a range of deliveries: " + first + ".." + last);
        }
    }
}
