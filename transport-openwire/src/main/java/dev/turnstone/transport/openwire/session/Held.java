package dev.turnstone.transport.openwire.session;

import java.util.Objects;
import org.apache.activemq.command.MessageId;
import org.jspecify.annotations.Nullable;

/** One delivery that a client has and has not settled. On the event loop only. */
final class Held {
    private final long sequence;
    private final int port;
    private final long number;
    private final Object queue;
    private final long position;
    private final long expiryMs;
    private boolean settled;
    private boolean failed;
    private @Nullable Object transaction;
    private @Nullable MessageId message;

    /**
     * A delivery.
     *
     * @param sequence counts the connection's deliveries; the client names it by this
     * @param port the number of the port's consumer
     * @param number the port's number of the delivery
     * @param queue the message's queue, the same for all who consume from that
     * @param position the message's place in its queue
     * @param expiryMs when the message expires; 0 for never
     */
    Held(long sequence, int port, long number, Object queue, long position, long expiryMs) {
        this.sequence = sequence;
        this.port = port;
        this.number = number;
        this.queue = queue;
        this.position = position;
        this.expiryMs = expiryMs;
    }

    /** It has been delivered before, perhaps over another connection: an acknowledgement may mean it by its message. */
    void comesAgain(MessageId of) {
        message = of;
    }

    /** Whether it has been delivered before. */
    boolean hasComeAgain() {
        return message != null;
    }

    /** Whether it is this message, and comes again. */
    boolean isAgain(MessageId other) {
        return message != null && message.equals(other) && Objects.equals(message.getTextView(), other.getTextView());
    }

    long sequence() {
        return sequence;
    }

    int port() {
        return port;
    }

    long number() {
        return number;
    }

    Object queue() {
        return queue;
    }

    long position() {
        return position;
    }

    boolean isExpired(long nowMs) {
        return expiryMs != 0 && expiryMs <= nowMs;
    }

    /** True while nobody has said what becomes of it. */
    boolean isOpen() {
        return !settled && transaction == null;
    }

    boolean isSettled() {
        return settled;
    }

    void settle() {
        settled = true;
    }

    /** It was settled in a transaction that the broker has not taken it into: the client has it as before. */
    void unsettle() {
        settled = false;
        transaction = null;
    }

    /** Acknowledged in a transaction, which decides. */
    void enlist(Object in) {
        transaction = in;
    }

    /** The transaction rolled back: the client still has it. */
    void delist() {
        transaction = null;
    }

    /** The client's application has tried and failed, and the client tries again by itself. */
    void fail() {
        failed = true;
    }

    boolean hasFailed() {
        return failed;
    }
}
