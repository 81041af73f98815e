package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.MessageId;
import org.apache.activemq.command.ProducerId;
import org.jspecify.annotations.Nullable;

/** Turns deliveries into messages for clients; {@code docs/openwire.md} has the table. One for each connection. */
final class MessageWriter {
    /** From this version on a message can have an identifier that its producer did not give by OpenWire's rules. */
    private static final int TEXT_IDS = 10;
    /** So many neighbouring positions are one producer's to the client, as a power of two. */
    private static final int RUN_BITS = 11;

    private static final int RUN_MASK = (1 << RUN_BITS) - 1;
    private static final long HASH_START = 0xcbf29ce484222325L;
    private static final long HASH_FACTOR = 0x100000001b3L;
    /** A text that is written tightly has fewer bytes, in Java's modified UTF-8. */
    private static final int TEXT_BYTES_MAX = Short.MAX_VALUE;

    private static final int BYTES_A_CHARACTER = 3;
    /** What the command has fields for. */
    private static final Set<String> FIELDS = Set.of(Bodies.RAW, "JMSXGroupSeq", MessageReader.USER_ID);

    private final Destinations destinations;
    private final String brokerId;
    private ProducerId last = new ProducerId();
    private @Nullable Address lastSource;
    private int version;

    /**
     * For a client of a broker.
     *
     * @param brokerId the broker's identity, the same over restarts
     */
    MessageWriter(Destinations destinations, String brokerId) {
        this.destinations = destinations;
        this.brokerId = brokerId;
    }

    /** The version of the protocol that the client speaks. */
    void version(int agreed) {
        version = agreed;
    }

    /**
     * The message.
     *
     * @param source what it is consumed from
     * @param sequence by which the client's acknowledgement will name the delivery
     * @throws BrokerException INVALID_MESSAGE if no command of OpenWire holds it
     */
    ActiveMQMessage write(Delivery delivery, Address source, long sequence) {
        try {
            return written(delivery, source, sequence);
        } catch (BrokerException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new BrokerException(ErrorCode.INVALID_MESSAGE, "OpenWire cannot say it: " + e.getMessage(), e);
        }
    }

    private ActiveMQMessage written(Delivery delivery, Address source, long sequence) throws IOException {
        Message from = delivery.message();
        ActiveMQMessage to = Bodies.show(from);
        MessageId id = id(delivery, source);
        id.setBrokerSequenceId(sequence);
        to.setMessageId(id);
        to.setProducerId(id.getProducerId());
        to.setDestination(destinations.show(from.address()));
        to.setPersistent(from.persistent());
        to.setPriority((byte) from.priority());
        to.setTimestamp(from.timestampMs());
        to.setExpiration(from.expiryMs());
        to.setCorrelationId(fitting("correlation identifier", correlation(from)));
        to.setType(fitting("type", from.type()));
        Address replyTo = from.replyTo();
        if (replyTo != null) {
            to.setReplyTo(destinations.show(replyTo));
        }
        group(delivery, to);
        to.setRedeliveryCounter(delivery.redelivered() ? Math.max(1, delivery.deliveryCount() - 1) : 0);
        properties(from, to);
        return to;
    }

    /**
     * The client recognises by a message's identifier what it has had before, so it is made of what names a message
     * once and for all: the broker, the queue and the position. One that was moved is another one to the client, so are
     * the copies that several queues have, and two that a careless sender gave one identifier are two. The application
     * sees the sender's identifier.
     */
    private MessageId id(Delivery delivery, Address source) {
        Message from = delivery.message();
        String given = from.id();
        if (version < TEXT_IDS && given != null && source.matches(from.address())) {
            MessageId parsed = parsed(given);
            if (parsed != null) {
                return parsed;
            }
        }
        MessageId id = new MessageId(producer(source, delivery.position()), delivery.position() & RUN_MASK);
        id.setTextView(fitting("identifier", given));
        return id;
    }

    /**
     * Of one producer the client's library remembers a window of 2 112 numbers, and takes what lies below it for new:
     * so a producer ends before its window could move, however far apart the positions of a queue are.
     */
    private ProducerId producer(Address source, long position) {
        long run = 1 + (position >>> RUN_BITS);
        if (last.getValue() != run || !source.equals(lastSource)) {
            ProducerId made = new ProducerId();
            made.setConnectionId(brokerId);
            made.setSessionId(source.equals(lastSource) ? last.getSessionId() : hash(source));
            made.setValue(run);
            last = made;
            lastSource = source;
        }
        return last;
    }

    /** The same for an address at all times: FNV-1a of its text. */
    private static long hash(Address address) {
        String text = address.toString();
        long hash = HASH_START;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * HASH_FACTOR;
        }
        return hash;
    }

    private static @Nullable MessageId parsed(String given) {
        try {
            MessageId id = new MessageId(given);
            MessageId plain = new MessageId(id.getProducerId(), id.getProducerSequenceId());
            return plain.toString().equals(given) ? plain : null;
        } catch (NumberFormatException e) {
            // Not made by an OpenWire client.
            return null;
        }
    }

    /** The text, if its encoding is short enough. */
    private static @Nullable String fitting(String what, @Nullable String text) {
        if (text == null || text.length() < TEXT_BYTES_MAX / BYTES_A_CHARACTER) {
            return text;
        }
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c > 0 && c < 0x80 ? 1 : c < 0x800 ? 2 : BYTES_A_CHARACTER;
        }
        if (bytes >= TEXT_BYTES_MAX) {
            throw new BrokerException(
                    ErrorCode.INVALID_MESSAGE,
                    "its " + what + " of " + bytes + " bytes is longer than OpenWire's texts, which have less than "
                            + TEXT_BYTES_MAX);
        }
        return text;
    }

    private static @Nullable String correlation(Message message) {
        byte[] bytes = message.correlationBytes();
        if (bytes == null) {
            return message.correlationId();
        }
        try {
            // As the library itself makes text of bytes.
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return HexFormat.of().formatHex(bytes);
        }
    }

    private static void group(Delivery delivery, ActiveMQMessage to) {
        Message from = delivery.message();
        if (from.group() != null) {
            to.setGroupID(fitting("group", from.group()));
            to.setJMSXGroupFirstForConsumer(delivery.groupFirst());
        }
        Integer sequence = from.givenSequence();
        if (sequence != null) {
            to.setGroupSequence(sequence);
        }
    }

    private static void properties(Message from, ActiveMQMessage to) throws IOException {
        Map<String, @Nullable Object> properties = from.properties();
        if (from.retained() || !Collections.disjoint(properties.keySet(), FIELDS)) {
            properties = new LinkedHashMap<>(properties);
            Object user = properties.get(MessageReader.USER_ID);
            to.setUserID(user == null ? null : fitting("user", user.toString()));
            properties.keySet().removeAll(FIELDS);
            Retaining.mark(from, properties);
        }
        if (properties.isEmpty()) {
            return;
        }
        to.setMarshalledProperties(Primitives.encode(properties));
    }
}
