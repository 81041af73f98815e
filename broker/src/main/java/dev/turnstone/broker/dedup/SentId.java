package dev.turnstone.broker.dedup;

/**
 * The identity of a sent message.
 *
 * @param of of the address and the application's identity, or of the address and the producer
 * @param sequence the producer's number, or {@link #APPLICATION}
 */
public record SentId(Fingerprint of, long sequence) {
    /** In place of a sequence: the fingerprint is the message's. */
    public static final long APPLICATION = -1;

    /** True if a producer's number identifies it. */
    public boolean isSequence() {
        return sequence != APPLICATION;
    }
}
