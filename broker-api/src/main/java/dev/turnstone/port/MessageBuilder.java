package dev.turnstone.port;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Message}. One thread. Defaults: persistent, priority 4, no timestamp, no expiry, no body.
 * {@link #build} copies the body once; the builder may be used again afterwards.
 */
public final class MessageBuilder {
    private static final byte[] EMPTY = {};
    /** Beyond the flags that are encoded: the version says it. */
    private static final int STORED = 1 << 8;

    private final Address address;
    private final @Nullable String[] fields = new @Nullable String[Message.FIELDS];
    private Map<String, @Nullable Object> properties = Map.of();
    private byte @Nullable [] correlationBytes;
    private int flags = Message.PERSISTENT;
    private int priority = 4;
    private long timestampMs;
    private long expiryMs;
    private long deliveryTimeMs;
    private int groupSequence;
    private BodyKind bodyKind = BodyKind.NONE;
    private ByteBuffer body = ByteBuffer.wrap(EMPTY);

    private MessageBuilder(Address address) {
        this.address = address;
        fields[Message.ADDRESS] = address.name();
    }

    MessageBuilder(Message message, Address address) {
        this(address);
        id(message.id()).type(message.type()).group(message.group(), message.groupSequence());
        replyTo(message.replyTo()).correlationId(message.correlationId());
        if (message.correlationBytes() != null) {
            correlationBytes(message.correlationBytes());
        }
        retain(message.retain())
                .persistent(message.persistent())
                .priority(message.priority())
                .timestampMs(message.timestampMs());
        expiryMs(message.expiryMs()).deliveryTimeMs(message.deliveryTimeMs());
        message.properties().forEach(this::property);
        bodyKind = message.bodyKind();
        if (message.hasBody()) {
            body(bodyKind, message.inPlace());
        }
        flags |= message.hasStoredBody() ? STORED : 0;
    }

    /**
     * A message for this address.
     *
     * @throws BrokerException INVALID_ADDRESS if it is a pattern
     */
    public static MessageBuilder to(Address address) {
        checkIsOne(address);
        return new MessageBuilder(address);
    }

    private static void checkIsOne(Address address) {
        if (address.isPattern()) {
            throw new BrokerException(
                    ErrorCode.INVALID_ADDRESS,
                    "a message is sent to one destination, and '" + address.name() + "' is a pattern of many");
        }
        if (address.isSubscription()) {
            throw new BrokerException(
                    ErrorCode.INVALID_ADDRESS,
                    "'" + address.name() + "' is a subscription's queue; messages are sent to the topic");
        }
    }

    /** The identifier, at most 65 534 bytes in UTF-8, as every text here; null for none. */
    public MessageBuilder id(@Nullable String id) {
        fields[Message.ID] = id;
        return this;
    }

    /**
     * True asks the broker to refuse it with NO_ROUTE, without effect, if no queue and no subscription would get it at
     * that moment. The standard is false: what is sent to a topic without subscribers is gone.
     */
    public MessageBuilder mandatory(boolean mandatory) {
        flags = mandatory ? flags | Message.MANDATORY : flags & ~Message.MANDATORY;
        return this;
    }

    /**
     * True asks the topic to retain it: in place of the message that it retains, if any, and durably if it is
     * persistent. Without a body (or with an empty one) it only ends what is retained. The standard is false.
     */
    public MessageBuilder retain(boolean retain) {
        flags = retain ? flags | Message.RETAIN : flags & ~Message.RETAIN;
        return this;
    }

    /** Whether it must survive a restart. */
    public MessageBuilder persistent(boolean persistent) {
        flags = persistent ? flags | Message.PERSISTENT : flags & ~Message.PERSISTENT;
        return this;
    }

    /** 0 to 9. */
    public MessageBuilder priority(int priority) {
        if (priority < 0 || priority > 9) {
            throw new BrokerException(ErrorCode.INVALID_MESSAGE, "priority " + priority + " is not 0 to 9");
        }
        this.priority = priority;
        return this;
    }

    /** When it was sent, milliseconds since the epoch. */
    public MessageBuilder timestampMs(long timestampMs) {
        this.timestampMs = timestampMs;
        return this;
    }

    /** When it expires, milliseconds since the epoch; 0 for never. */
    public MessageBuilder expiryMs(long expiryMs) {
        this.expiryMs = expiryMs;
        return this;
    }

    /** The earliest moment of delivery, milliseconds since the epoch; 0 for at once. */
    public MessageBuilder deliveryTimeMs(long deliveryTimeMs) {
        this.deliveryTimeMs = deliveryTimeMs;
        return this;
    }

    /** A correlation id of text; null for none. */
    public MessageBuilder correlationId(@Nullable String correlationId) {
        fields[Message.CORRELATION] = correlationId;
        correlationBytes = null;
        return this;
    }

    /** A correlation id of bytes, not changed by the caller again; null for none. */
    public MessageBuilder correlationBytes(byte @Nullable [] correlationBytes) {
        fields[Message.CORRELATION] = null;
        this.correlationBytes = correlationBytes;
        return this;
    }

    /** Where an answer should go; null for nowhere. */
    public MessageBuilder replyTo(@Nullable Address replyTo) {
        if (replyTo != null) {
            checkIsOne(replyTo);
        }
        fields[Message.REPLY_TO] =
                replyTo == null ? null : (replyTo.kind() == AddressKind.TOPIC ? "t" : "q") + replyTo.name();
        return this;
    }

    /** The application's message type; null for none. */
    public MessageBuilder type(@Nullable String type) {
        fields[Message.TYPE] = type;
        return this;
    }

    /** The message group and the place within it; null for none. */
    public MessageBuilder group(@Nullable String group, int sequence) {
        fields[Message.GROUP] = group;
        groupSequence = sequence;
        return this;
    }

    /** The message group and the place within it as a client has given them; either may be missing. */
    public MessageBuilder grouped(@Nullable String group, @Nullable Integer sequence) {
        group(group, group == null || sequence == null ? 0 : sequence);
        boolean apart = sequence != null && (group == null || sequence == 0);
        return apart ? property(Message.SEQUENCE, sequence) : this;
    }

    /** A property: Boolean, Byte, Short, Integer, Long, Float, Double, String or null. */
    public MessageBuilder property(String name, @Nullable Object value) {
        if (properties.isEmpty()) {
            properties = new LinkedHashMap<>();
        }
        properties.put(name, value);
        return this;
    }

    /** Without this property. */
    public MessageBuilder without(String name) {
        if (!properties.isEmpty()) {
            properties.remove(name);
        }
        return this;
    }

    /** The kind without a body (a text message whose text is null). */
    public MessageBuilder noBody(BodyKind kind) {
        flags &= ~(Message.HAS_BODY | STORED);
        bodyKind = kind;
        body = ByteBuffer.wrap(EMPTY);
        return this;
    }

    /** A body between the buffer's position and limit; read by {@link #build}, which leaves the position alone. */
    public MessageBuilder body(BodyKind kind, ByteBuffer bytes) {
        flags = flags & ~STORED | Message.HAS_BODY;
        bodyKind = kind;
        body = bytes;
        return this;
    }

    /** A body that {@link StoredBodies} keeps; {@link Send#body} says which. */
    public MessageBuilder storedBody(BodyKind kind) {
        body(kind, ByteBuffer.allocate(Message.STORED_BYTES));
        flags |= STORED;
        return this;
    }

    /** What it has as a body, without what tells of one that is stored apart. */
    public ByteBuffer body() {
        return (flags & STORED) != 0 ? ByteBuffer.wrap(EMPTY) : body.duplicate();
    }

    /** A body of bytes. */
    public MessageBuilder bytes(byte[] bytes) {
        return body(BodyKind.BYTES, ByteBuffer.wrap(bytes));
    }

    /** A body of text, or a text message without one. */
    public MessageBuilder text(@Nullable String text) {
        return text == null
                ? noBody(BodyKind.TEXT)
                : body(BodyKind.TEXT, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * The message.
     *
     * @throws BrokerException INVALID_MESSAGE if a field is longer than its encoding allows or a property has another
     *     type
     */
    public Message build() {
        byte[][] encodedFields = new byte[Message.FIELDS][];
        int propertiesAt = Message.FIELDS_AT;
        for (int i = 0; i < Message.FIELDS; i++) {
            encodedFields[i] = encodedField(i);
            propertiesAt += Short.BYTES + encodedFields[i].length;
        }
        int bodyAt = propertiesAt + PropertyCodec.size(properties);
        ByteBuffer target = ByteBuffer.allocate(bodyAt + body.remaining());
        int shape = flags
                | (address.kind() == AddressKind.TOPIC ? Message.TOPIC : 0)
                | (correlationBytes != null ? Message.CORRELATION_IS_BYTES : 0);
        byte version = (flags & STORED) != 0 ? Message.VERSION_STORED : Message.VERSION;
        target.put(version).put((byte) shape).put((byte) priority).put(bodyKind.code());
        target.putLong(timestampMs).putLong(expiryMs).putLong(deliveryTimeMs);
        target.putInt(groupSequence).putInt(propertiesAt).putInt(bodyAt);
        for (int i = 0; i < Message.FIELDS; i++) {
            boolean absent = encodedFields[i].length == 0 && fieldAbsent(i);
            target.putShort((short) (absent ? Message.ABSENT : encodedFields[i].length))
                    .put(encodedFields[i]);
        }
        PropertyCodec.encode(properties, target);
        target.put(body.duplicate());
        return new Message(target.array(), address);
    }

    private boolean fieldAbsent(int field) {
        return fields[field] == null && !(field == Message.CORRELATION && correlationBytes != null);
    }

    private byte[] encodedField(int field) {
        if (field == Message.CORRELATION && correlationBytes != null) {
            return checked(correlationBytes);
        }
        String text = fields[field];
        return text == null ? EMPTY : checked(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] checked(byte[] field) {
        if (field.length >= Message.ABSENT) {
            throw new BrokerException(ErrorCode.INVALID_MESSAGE, "a message field of " + field.length + " bytes");
        }
        return field;
    }
}
