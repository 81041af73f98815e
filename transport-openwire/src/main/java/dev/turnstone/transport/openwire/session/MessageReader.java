package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.DedupId;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import java.io.IOException;
import java.util.Map;
import org.apache.activemq.command.MessageId;
import org.apache.activemq.util.ByteSequence;
import org.jspecify.annotations.Nullable;

/** Turns what a client sends into messages; {@code docs/openwire.md} has the table. One for each connection. */
final class MessageReader {
    private static final String MANDATORY = "JMS_TURNSTONE_MANDATORY";
    /** Before a producer's name, so that it is nobody else's. */
    private static final String PRODUCER = "openwire:";

    /** Who has sent it; OpenWire has a field for it. */
    static final String USER_ID = "JMSXUserID";

    private static final int PRIORITY_MAX = 9;

    private final Destinations destinations;
    private final @Nullable String user;

    /**
     * For one client.
     *
     * @param user whom its messages say that they are of, or null if that is what the client says
     */
    MessageReader(Destinations destinations, @Nullable String user) {
        this.destinations = destinations;
        this.user = user;
    }

    /**
     * The canonical message.
     *
     * @throws BrokerException INVALID_ADDRESS, INVALID_MESSAGE or UNSUPPORTED
     */
    Message read(org.apache.activemq.command.Message from) {
        MessageId id = from.getMessageId();
        MessageBuilder to = MessageBuilder.to(destinations.read(from.getDestination()))
                .id(id == null ? null : id.toString())
                .persistent(from.isPersistent())
                .priority(Math.max(0, Math.min(PRIORITY_MAX, from.getPriority())))
                .timestampMs(from.getTimestamp())
                .expiryMs(from.getExpiration())
                .correlationId(from.getCorrelationId())
                .type(from.getType());
        if (from.getReplyTo() != null) {
            to.replyTo(destinations.replyTo(from.getReplyTo()));
        }
        // A sequence of 0 is one that was not given.
        to.grouped(from.getGroupID(), from.getGroupSequence() == 0 ? null : from.getGroupSequence());
        Bodies.read(from, to);
        properties(from.getMarshalledProperties(), to);
        String sender = user == null ? from.getUserID() : user;
        if (sender != null) {
            to.property(USER_ID, sender);
        }
        return to.build();
    }

    private static void properties(@Nullable ByteSequence encoded, MessageBuilder to) {
        if (encoded == null) {
            return;
        }
        try {
            for (Map.Entry<String, @Nullable Object> property :
                    Primitives.map(encoded).entrySet()) {
                String name = property.getKey();
                Object value = value(name, property.getValue());
                if (!name.equals(Bodies.RAW) && !Retaining.isMark(name)) {
                    to.property(name, value);
                }
                if (Retaining.asks(name)) {
                    to.retain(flag(name, value));
                } else if (name.equals(MANDATORY)) {
                    to.mandatory(flag(name, value));
                }
            }
        } catch (BrokerException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new BrokerException(ErrorCode.INVALID_MESSAGE, "the properties cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean flag(String name, @Nullable Object value) {
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw new BrokerException(ErrorCode.INVALID_MESSAGE, "the property " + name + " must be true or false");
    }

    private static @Nullable Object value(String name, @Nullable Object value) {
        if (value instanceof Character) {
            return value.toString();
        }
        if (value instanceof Map || value instanceof Iterable) {
            throw new BrokerException(
                    ErrorCode.INVALID_MESSAGE,
                    "the property '" + name + "' is a map or a list, which Jakarta Messaging does not have");
        }
        return value;
    }

    /**
     * By which a second copy is recognised: the application's own identity, else, from a client that sends again after
     * it has lost its connection, the producer's count; for a branch of a global transaction, where counts do not
     * count, the message's identifier.
     */
    static @Nullable DedupId dedupId(Message message, org.apache.activemq.command.Message from, boolean sendsAgain) {
        Object own = message.property(DedupId.PROPERTY);
        if (own != null) {
            if (own instanceof String text && !text.isEmpty()) {
                return DedupId.of(text);
            }
            throw new BrokerException(
                    ErrorCode.INVALID_MESSAGE,
                    "the property " + DedupId.PROPERTY + " must be a string that is not empty, not '" + own + "'");
        }
        MessageId id = from.getMessageId();
        if (!sendsAgain || id == null || id.getProducerSequenceId() < 0) {
            return null;
        }
        return from.getTransactionId() != null && from.getTransactionId().isXATransaction()
                ? DedupId.of(PRODUCER + id)
                : new DedupId.Sequence(PRODUCER + id.getProducerId(), id.getProducerSequenceId());
    }
}
