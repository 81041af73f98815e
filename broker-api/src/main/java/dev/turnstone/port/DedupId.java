package dev.turnstone.port;

/**
 * The identity by which the broker recognises that a message was sent before: the second copy is confirmed, once the
 * first one is durable, and not stored, also if the first was consumed meanwhile. It counts for the address to which
 * the message is sent, for at least {@code dedup.horizonMs}, over restarts of the broker for persistent messages, and
 * whatever the protocol. A rollback or a refusal forgets it.
 */
public sealed interface DedupId {
    /** The property, a string, by which Jakarta Messaging and OpenWire clients give a message an identity. */
    String PROPERTY = "JMS_TURNSTONE_DEDUP_ID";

    /** What STOMP and MQTT clients give it by: a header, or a user property, which stays a property of the message. */
    String HEADER = "dedup-id";

    /** An identity that the application gives. */
    static DedupId of(String id) {
        return new Application(id);
    }

    /**
     * An identity that the application gives, unique among all that sends to the address.
     *
     * @param id any text but the empty one
     */
    record Application(String id) implements DedupId {
        /** Checks that there is one. */
        public Application {
            if (id.isEmpty()) {
                throw new IllegalArgumentException("an empty text identifies no message");
            }
        }
    }

    /**
     * A number that grows with each message of a producer; what is not above the highest so far was sent before. In XA
     * branches it does not count.
     *
     * @param producer the producer's identity, the same after a reconnect, unique among all producers
     * @param sequence 0 or more
     */
    record Sequence(String producer, long sequence) implements DedupId {
        /** Checks that there is a producer and the number is not negative. */
        public Sequence {
            if (producer.isEmpty() || sequence < 0) {
                throw new IllegalArgumentException("not a producer's sequence: '" + producer + "' " + sequence);
            }
        }
    }
}
