package dev.turnstone.testkit.model;

/** A promise that was broken. */
public final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    /** Which promise. */
    public enum Promise {
        /** What was confirmed, or shown, is there. */
        NOT_LOST,
        /** A message has one owner, and none after it was settled. */
        NOT_DOUBLED,
        /** A transaction takes effect as a whole or not at all. */
        NOT_HALF_DONE,
        /** Messages of one producer, priority and destination stay in order. */
        ORDER,
        /** The redelivered flag tells whether an application may have seen the message. */
        FLAG,
        /** The delivery count tells the counted attempts. */
        COUNT,
        /** No consumer gets more than its credit, and its deliveries are numbered without a gap. */
        CREDIT,
        /** Outcomes come in the order of the commands, one each. */
        CONFIRMATION,
        /** A position belongs to one message for ever, and a message has one. */
        POSITION,
        /** Only what was sent there, matches and is still valid is delivered. */
        ROUTING,
        /** A ready message goes to a consumer that waits, and a command has an outcome. */
        PROGRESS,
        /** A command is refused only for a reason. */
        REFUSAL,
        /** Nothing persistent is taken while the disk is full. */
        ROOM,
        /**
         * A group's messages go to one consumer, an exclusive queue's to one at a time, and higher priorities come
         * first.
         */
        SHARING,
        /**
         * A ring, a queue of last values and one with a maximum keep no more than they may, and a broker without
         * messages keeps nothing.
         */
        KEPT,
        /** A message is a dead letter when it has failed as often as it may, and not before. */
        DEAD_LETTER,
        /** Nothing comes before its time. */
        TIME,
        /** What comes is what was sent. */
        CONTENT
    }

    private final Promise promise;

    /** A broken promise and what shows it. */
    public Violation(Promise promise, String evidence) {
        super(promise + ": " + evidence);
        this.promise = promise;
    }

    /** Which promise was broken. */
    public Promise promise() {
        return promise;
    }

    static void check(boolean kept, Promise promise, String evidence) {
        if (!kept) {
            throw new Violation(promise, evidence);
        }
    }
}
