package dev.turnstone.testkit.sim;

import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.testkit.model.Violation;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * What the messages of one seed consist of: each has a body of its own, and whoever gets it gets that, with the fields
 * and properties that it was sent with. One thread.
 */
final class Contents {
    private final Map<String, Message> sent = new HashMap<>();
    private final boolean reads;

    /**
     * Nothing sent.
     *
     * @param reads true if bodies that are stored apart are read
     */
    Contents(boolean reads) {
        this.reads = reads;
    }

    /** A body for the message of this id: the same each time, and not that of another one. */
    static byte[] body(String id, int length) {
        byte[] body = new byte[length];
        new SplittableRandom(id.hashCode()).nextBytes(body);
        return body;
    }

    /** The message is given to the broker. */
    void add(Message message) {
        sent.put(String.valueOf(message.id()), message);
    }

    /**
     * Checks that the message is what was sent under its id. Of a body that is stored apart, its length; each of its
     * chunks when it has been read.
     */
    void check(Delivery delivery) {
        Message message = delivery.message();
        Message original = sent.get(String.valueOf(message.id()));
        if (original != null && !same(message, original)) {
            throw new Violation(
                    Violation.Promise.CONTENT, delivery + " is not what was sent: " + original.properties());
        }
    }

    /** True if the message's body is stored apart and is to be read. */
    boolean isRead(Message message) {
        return reads && message.hasStoredBody();
    }

    /** Checks a chunk of the body of a message that is what was sent. */
    void check(Message message, long chunk, ByteBuffer content) {
        Message original = sent.get(String.valueOf(message.id()));
        if (original != null) {
            ByteBuffer body = original.body();
            int from = (int) (chunk * message.storedChunkBytes());
            int length = Math.min(message.storedChunkBytes(), body.remaining() - from);
            if (!content.equals(body.slice(from, length))) {
                throw new Violation(
                        Violation.Promise.CONTENT, "chunk " + chunk + " of " + message.id() + " is not what was sent");
            }
        }
    }

    private static boolean same(Message message, Message original) {
        return message.persistent() == original.persistent()
                && message.priority() == original.priority()
                && Objects.equals(message.group(), original.group())
                && message.bodyKind() == original.bodyKind()
                // Bindings, dead letters and the like have more.
                && message.properties()
                        .entrySet()
                        .containsAll(original.properties().entrySet())
                && message.bodyLength() == original.bodyLength()
                && (message.hasStoredBody() || message.body().equals(original.body()));
    }
}
