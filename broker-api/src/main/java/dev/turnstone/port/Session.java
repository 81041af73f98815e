package dev.turnstone.port;

import java.util.List;
import java.util.function.Consumer;

/**
 * A sequence of commands and what they bring back. One owner thread at a time uses a session (the owner may change if
 * memory visibility is ensured by the edge). Commands are collected and do nothing until {@link #flush} posts them
 * together; they take effect in order. A command that is refused fails its completion and the session goes on. Nothing
 * here blocks.
 *
 * <p>Confirmations leave in command order: an earlier durable command is never overtaken by a later one.
 */
public interface Session {
    /** In place of a transaction's number: the command stands alone. */
    long NO_TRANSACTION = 0;

    /** From so many bytes on {@link #taken} must have said of a consumer's deliveries that they are taken. */
    int UNTOLD_BYTES_MAX = 64 << 10;

    /**
     * Routes a message. Confirmed when it is durable, if persistent and kept by any journaled queue; in a transaction,
     * when it has been taken into that.
     */
    void send(Send send, Completion completion);

    /** Creates a consumer, without credit. */
    void subscribe(Subscribe subscribe, Completion completion);

    /**
     * Allows that many more deliveries to a consumer. Ignored for an unknown consumer, which may have just been closed.
     */
    void credit(int consumer, int messages);

    /**
     * From now on the edge says by {@link #taken} what it has taken of its deliveries; without this, what
     * {@link #drain} has handed out counts as taken. For an edge that keeps deliveries in memory after that; before the
     * first consumer.
     */
    void keepsDeliveries();

    /**
     * Says that an edge which {@link #keepsDeliveries} no longer keeps so many bytes ({@link Message#encodedBytes}) of
     * a consumer's deliveries for later, settled or not. Posted at once. While a consumer has {@code consumer.bytesMax}
     * that are not taken it gets no more, whatever credit it has; but always one. The edge may say it late, as long as
     * it keeps back less than {@link #UNTOLD_BYTES_MAX}. Ignored for an unknown consumer.
     */
    void taken(int consumer, long bytes);

    /** Settles deliveries. Confirmed when durable, or, in a transaction, when locked to it. */
    void settle(Settle settle, Completion completion);

    /**
     * Gives deliveries to another session of this connection. Completes when that will see them before the completion
     * of whatever it asks for from then on. Refused, without effect, if that session is closed.
     */
    void handOver(HandOver handOver, Completion completion);

    /**
     * Sets the consumer's credit to zero and returns every delivery that is unsettled and numbered above
     * {@code lastSeen}, unflagged and in its place. Deliveries of this consumer that {@link #drain} hands out before
     * this command's completion, with such a number, are void.
     */
    void recall(int consumer, long lastSeen, Completion completion);

    /**
     * Ends a consumer: as {@link #recall}, and it is gone. Deliveries up to {@code lastSeen} stay with the session
     * until they are settled or the session ends.
     */
    void unsubscribe(int consumer, long lastSeen, Completion completion);

    /**
     * Tells {@link SessionListener#queueFound} of each queue of this pattern that the connection may consume from:
     * those that there are, before the completion, and those that come later, until {@link #endWatch}. Temporary queues
     * are never found.
     *
     * @param watch its number, chosen by the edge, unique among the watches of the session
     * @throws BrokerException UNSUPPORTED if there are none on this way to the broker
     */
    default void watchQueues(int watch, Address pattern, Completion completion) {
        throw new BrokerException(ErrorCode.UNSUPPORTED, "queues are not watched over this connection");
    }

    /** Ends a watch; what it still tells before the next command's completion is void. Ignored if there is none. */
    default void endWatch(int watch) {}

    /** Makes or changes a queue that subscribes by filters. Confirmed when it survives a crash, if it is durable. */
    void changeQueue(QueueChange change, Completion completion);

    /**
     * Deletes a durable subscription, or a {@link SubscriptionQueue}, with its messages; refused while a consumer is
     * active or a delivery unsettled.
     */
    void deleteSubscription(SubscriptionName subscription, Completion completion);

    /**
     * Makes a temporary destination of this connection ({@link Address#temporary}), which lives until
     * {@link #deleteTemporary} or the end of the connection. Nobody can send to one that is not declared; only its
     * connection may consume from it (Jakarta Messaging 3.1 §6.2.2).
     */
    void declareTemporary(Address temporary, Completion completion);

    /** Ends a temporary destination with its messages; refused with SUBSCRIPTION_IN_USE while it has a consumer. */
    void deleteTemporary(Address temporary, Completion completion);

    /**
     * Deletes a queue with its messages; its next use makes it anew. Refused with INVALID_ADDRESS if there is none,
     * with SUBSCRIPTION_IN_USE while it has a consumer or a delivery is unsettled. Temporary ones end by
     * {@link #deleteTemporary}.
     */
    void deleteQueue(Address queue, Completion completion);

    /**
     * Changes protocol state by itself, all of the list or nothing; in a transaction, with its commit. Confirmed when
     * durable, or, in a transaction, when taken into that.
     *
     * @param transaction the number given to {@link #begin}, or {@link #NO_TRANSACTION}
     */
    void changeState(List<StateChange> changes, long transaction, Completion completion);

    /**
     * Lists protocol state as it is after the earlier commands of this session, without what open transactions would
     * change. The page comes from within {@link #drain}, right before the completion, and not before what it shows is
     * durable. A listing of several pages sees changes that are made meanwhile, or not.
     */
    void listState(StateQuery query, Consumer<StatePage> page, Completion completion);

    /** Starts a transaction under a number that the edge chose and never uses again in this session. */
    void begin(long transaction, Completion completion);

    /**
     * Makes the transaction's sends and settles durable and effective as one unit. If any of them was refused, or the
     * unit cannot be made, the commit fails and the transaction has been undone as {@link #rollback} does: nobody
     * commits half of what was asked for.
     */
    void commit(long transaction, Completion completion);

    /**
     * As {@link #commit(long, Completion)}, and remembers durably, in the same unit and for {@code dedup.horizonMs},
     * that it did: whoever loses the answer may ask with {@link #outcome}. Refused with COMMIT_FENCED, and rolled back,
     * if somebody has asked already; with DUPLICATE_TRANSACTION if the identifier was used for another commit.
     *
     * @param commitId unique among all commits, and not to be guessed
     */
    void commit(long transaction, String commitId, Completion completion);

    /**
     * Says what became of a commit whose answer was lost. First the connection that committed ends, if it is still
     * there; a commit that has not taken effect then has durably rolled back, and can never take effect. The answer
     * comes right before the completion. Refused with FORBIDDEN if the connection is another user's, with
     * OUTCOME_UNKNOWN if the commit is older than what is remembered.
     */
    void outcome(OutcomeQuery query, Consumer<CommitOutcome> answer, Completion completion);

    /**
     * Undoes the transaction: its sends are dropped, its settled deliveries return to their place, flagged, with one
     * more attempt counted.
     */
    void rollback(long transaction, Completion completion);

    /** The commands of this session that concern branches of global transactions. */
    Branches branches();

    /**
     * The commands of this session for bodies that are stored apart.
     *
     * @throws BrokerException UNSUPPORTED if there are none on this way to the broker
     */
    default StoredBodies bodies() {
        throw new BrokerException(
                ErrorCode.UNSUPPORTED, "bodies larger than message.bytesMax do not go over this connection");
    }

    /** Completes when every earlier command of this session has taken effect and is durable. */
    void sync(Completion completion);

    /**
     * Ends the session: open transactions are rolled back without counting an attempt, consumers end, and every
     * delivery that is still unsettled returns flagged. An edge that knows what its application has seen calls
     * {@link #unsubscribe} first. Flushes.
     */
    void close(Completion completion);

    /** Posts the collected commands. What does not fit stays collected, and {@link #writable} turns false. */
    void flush();

    /**
     * False while the broker takes no more from this session: the edge stops reading its socket, or parks its caller,
     * until the wake-up. Commands given meanwhile are still collected, so an edge that ignores this costs memory.
     * Closing, settling and credit go on.
     */
    boolean writable();

    /**
     * Hands at most {@code eventsMax} due events (deliveries to the listener, outcomes to their completions) to the
     * owner on the calling thread. Returns how many; fewer than {@code eventsMax} means that there are no more now and
     * the wake-up will be called for the next.
     */
    int drain(SessionListener listener, int eventsMax);
}
