package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import java.util.List;
import org.apache.activemq.command.MessageAck;
import org.apache.activemq.command.MessageId;
import org.jspecify.annotations.Nullable;

/**
 * Acknowledgements. An acknowledgement names deliveries by the numbers that this connection gave them, so that one that
 * a client sends late, over a new connection, never meets another message; it may meet the same message, if that has
 * come again. On the event loop only.
 */
final class Acks {
    /** What the client's library says of a message that it had before, and that its application has consumed. */
    private static final String SUPPRESSED = "Suppressing duplicate delivery on connection";

    private final Session session;
    private final Consumers consumers;
    private final Settling settling;
    private final Transactions transactions;
    private final Outgoing outgoing;
    private final Answers answers;

    Acks(
            Session session,
            Consumers consumers,
            Settling settling,
            Transactions transactions,
            Outgoing outgoing,
            Answers answers) {
        this.session = session;
        this.consumers = consumers;
        this.settling = settling;
        this.transactions = transactions;
        this.outgoing = outgoing;
        this.answers = answers;
    }

    void accept(MessageAck ack) {
        try {
            OpenWireConsumer consumer = consumers.named(ack.getConsumerId());
            if (consumer == null) {
                throw new BrokerException(
                        ErrorCode.NO_SUCH_CONSUMER, "the connection has no consumer " + ack.getConsumerId());
            }
            if (ack.getLastMessageId() == null) {
                throw new BrokerException(ErrorCode.NO_SUCH_DELIVERY, "an acknowledgement names no message");
            }
            accept(ack, consumer);
        } catch (BrokerException e) {
            transactions.fail(ack.getTransactionId(), e);
            throw e;
        }
    }

    private void accept(MessageAck ack, OpenWireConsumer consumer) {
        switch (ack.getAckType()) {
            case MessageAck.DELIVERED_ACK_TYPE -> delivered(ack, consumer);
            case MessageAck.REDELIVERED_ACK_TYPE -> {
                checkDelivered(ack);
                consumers
                        .kept()
                        .goOn(consumer, first(ack), ack.getLastMessageId().getBrokerSequenceId());
                range(ack, consumer).forEach(Held::fail);
                answers.done(ack);
            }
            case MessageAck.STANDARD_ACK_TYPE, MessageAck.UNMATCHED_ACK_TYPE -> {
                settle(ack, consumer, range(ack, consumer), Outcome.ACCEPTED);
                settleSuppressed(consumer);
            }
            case MessageAck.INDIVIDUAL_ACK_TYPE -> {
                settle(ack, consumer, range(ack.getLastMessageId(), ack, consumer), Outcome.ACCEPTED);
                if (ack.getTransactionId() == null) {
                    consumer.suppressed().oneByOne();
                } else {
                    settleSuppressed(consumer);
                }
            }
            case MessageAck.POISON_ACK_TYPE -> poison(ack, consumer, range(ack, consumer));
            case MessageAck.EXPIRED_ACK_TYPE -> expired(ack, consumer);
            default ->
                throw new BrokerException(
                        ErrorCode.UNSUPPORTED, "an acknowledgement of the unknown type " + ack.getAckType());
        }
    }

    private static List<Held> range(MessageAck ack, OpenWireConsumer consumer) {
        return range(ack.getFirstMessageId(), ack, consumer);
    }

    private static List<Held> range(@Nullable MessageId first, MessageAck ack, OpenWireConsumer consumer) {
        MessageId last = ack.getLastMessageId();
        List<Held> open = consumer.window()
                .open(first == null ? Long.MIN_VALUE : first.getBrokerSequenceId(), last.getBrokerSequenceId());
        return open.isEmpty()
                ? consumer.window().openAgain(first == null ? last : first, last, ack.getMessageCount())
                : open;
    }

    /**
     * What settles nothing may come late, for what is settled by now or was delivered over a connection that is lost: a
     * client that comes back says so within its transaction, which must not fail of it. But numbers that no delivery
     * has had yet are refused.
     */
    private void checkDelivered(MessageAck ack) {
        long last = ack.getLastMessageId().getBrokerSequenceId();
        if (last <= 0 || last > outgoing.sequence()) {
            throw noDelivery(ack);
        }
    }

    private static BrokerException noDelivery(MessageAck ack) {
        return new BrokerException(
                ErrorCode.NO_SUCH_DELIVERY,
                "no delivery of " + ack.getLastMessageId() + " to " + ack.getConsumerId()
                        + " waits for an acknowledgement");
    }

    /** The number of the first delivery that is named; an acknowledgement may name the last alone. */
    private static long first(MessageAck ack) {
        MessageId first = ack.getFirstMessageId() == null ? ack.getLastMessageId() : ack.getFirstMessageId();
        return first.getBrokerSequenceId();
    }

    /** The application has them and may acknowledge them much later; others may come meanwhile. */
    private void delivered(MessageAck ack, OpenWireConsumer consumer) {
        checkDelivered(ack);
        long last = ack.getLastMessageId().getBrokerSequenceId();
        letFollow(consumer, consumer.window().open(last, last), ack.getMessageCount());
        answers.done(ack);
    }

    private void letFollow(OpenWireConsumer consumer, List<Held> held, int count) {
        int more = consumer.extend(count);
        if (more > 0 && !held.isEmpty()) {
            session.credit(held.get(0).port(), more);
        } else if (more > 0) {
            consumer.ports().keySet().stream().findFirst().ifPresent(port -> session.credit(port, more));
        }
    }

    /** What was never delivered before, nobody has consumed, whatever the library takes it for. */
    private void poison(MessageAck ack, OpenWireConsumer consumer, List<Held> held) {
        String reason = reason(ack);
        boolean suppressed =
                reason != null && reason.startsWith(SUPPRESSED) && held.stream().allMatch(Held::hasComeAgain);
        if (!suppressed) {
            settle(ack, consumer, held, Outcome.REJECTED);
        } else if (held.isEmpty()
                || ack.getTransactionId() != null
                || consumer.suppressed().areConsumed(held)) {
            settle(ack, consumer, held, Outcome.ACCEPTED);
        } else {
            letFollow(consumer, held, held.size());
            answers.done(ack);
        }
    }

    private void settleSuppressed(OpenWireConsumer consumer) {
        List<Held> consumed = consumer.suppressed().inOrder();
        if (!consumed.isEmpty()) {
            settling.settle(consumer, consumed, Outcome.ACCEPTED);
        }
    }

    private static @Nullable String reason(MessageAck ack) {
        Throwable cause = ack.getPoisonCause();
        return cause == null ? null : cause.getMessage();
    }

    /** The broker ends what has expired when it comes to it; by its own clock. */
    private void expired(MessageAck ack, OpenWireConsumer consumer) {
        List<Held> held = range(ack, consumer);
        long nowMs = System.currentTimeMillis();
        boolean agreed = held.stream().allMatch(one -> one.isExpired(nowMs));
        settle(ack, consumer, held, agreed ? Outcome.RELEASED : Outcome.REJECTED);
    }

    private void settle(MessageAck ack, OpenWireConsumer consumer, List<Held> held, Outcome outcome) {
        long first = first(ack);
        long last = ack.getLastMessageId().getBrokerSequenceId();
        boolean alone = ack.getTransactionId() == null;
        if (held.isEmpty() && alone && consumers.kept().settle(consumer, first, last, outcome)) {
            answers.done(ack);
            return;
        }
        if (held.isEmpty() || !alone && consumers.kept().anyAway(consumer, first, last)) {
            // In a transaction it would be consumed by halves.
            throw noDelivery(ack);
        }
        if (!alone && !consumer.isBrowser()) {
            transactions.enlist(ack, consumer, held, outcome);
            return;
        }
        settling.settle(consumer, held, outcome, reason(ack), answers.to(ack));
    }
}
