package dev.turnstone.port;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One message in the canonical form, kept encoded: what the journal stores and the page files keep is this object's
 * bytes, and fields are decoded only when somebody looks. Immutable; any thread. Made by {@link MessageBuilder}.
 *
 * <p>The encoded form, version 1, big-endian: version, flags, priority, body kind (a byte each); timestamp, expiry,
 * delivery time (longs); group sequence, offset of the properties, offset of the body (ints); then address, id,
 * correlation id, reply-to, type and group, each an unsigned short length (65535: absent) and its bytes; then the
 * properties (see {@link PropertyCodec}) and the body. Version 2 is the same for a message whose body is stored apart:
 * in the body's place stand what the broker calls it and its length (longs) and the length of its chunks (int).
 */
public final class Message {
    static final byte VERSION = 1;
    static final byte VERSION_STORED = 2;
    static final int STORED_BYTES = 2 * Long.BYTES + Integer.BYTES;
    static final int PERSISTENT = 1;
    static final int HAS_BODY = 1 << 1;
    static final int TOPIC = 1 << 2;
    static final int CORRELATION_IS_BYTES = 1 << 3;
    static final int RETAIN = 1 << 4;
    static final int RETAINED = 1 << 5;
    static final int MANDATORY = 1 << 6;
    static final int OWN = 1 << 7;

    static final int FLAGS_AT = 1;
    static final int PRIORITY_AT = 2;
    static final int KIND_AT = 3;
    static final int TIMESTAMP_AT = 4;
    static final int EXPIRY_AT = 12;
    static final int DELIVERY_TIME_AT = 20;
    static final int GROUP_SEQUENCE_AT = 28;
    /** The property that holds what {@link #GROUP_SEQUENCE_AT} cannot: a place without a group, or 0. */
    static final String SEQUENCE = "JMSXGroupSeq";

    static final int PROPERTIES_OFFSET_AT = 32;
    static final int BODY_OFFSET_AT = 36;
    static final int FIELDS_AT = 40;

    static final int ADDRESS = 0;
    static final int ID = 1;
    static final int CORRELATION = 2;
    static final int REPLY_TO = 3;
    static final int TYPE = 4;
    static final int GROUP = 5;
    static final int FIELDS = 6;
    static final int ABSENT = 0xffff;

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] encoded;
    private final int start;
    private final int size;
    private @Nullable Address address;

    Message(byte[] encoded, Address address) {
        this.encoded = encoded;
        this.start = 0;
        this.size = encoded.length;
        this.address = address;
    }

    private Message(byte[] bytes, int start, int size) {
        this.encoded = bytes;
        this.start = start;
        this.size = size;
    }

    /**
     * The message whose encoded form is these bytes, which the caller no longer changes.
     *
     * @throws BrokerException INVALID_MESSAGE if they are not one
     */
    public static Message decode(byte[] bytes, int offset, int length) {
        if (length < FIELDS_AT || (bytes[offset] != VERSION && bytes[offset] != VERSION_STORED)) {
            throw new BrokerException(
                    ErrorCode.INVALID_MESSAGE,
                    "not an encoded message of version " + VERSION + " or " + VERSION_STORED);
        }
        Message message = new Message(bytes, offset, length);
        message.check();
        return message;
    }

    private void check() {
        int at = FIELDS_AT;
        int propertiesAt = intAt(PROPERTIES_OFFSET_AT);
        int bodyAt = intAt(BODY_OFFSET_AT);
        for (int field = 0; field < FIELDS && at + 2 <= size; field++) {
            int length = shortAt(at);
            at += 2 + (length == ABSENT ? 0 : length);
        }
        if (hasStoredBody() && size - bodyAt != STORED_BYTES) {
            throw new BrokerException(ErrorCode.INVALID_MESSAGE, "what tells of a stored body is too short");
        }
        if (at != propertiesAt || bodyAt < propertiesAt + Integer.BYTES || bodyAt > size) {
            throw new BrokerException(ErrorCode.INVALID_MESSAGE, "an encoded message's offsets contradict each other");
        }
        BodyKind.of(encoded[start + KIND_AT]);
    }

    /** Where it was sent to. */
    public Address address() {
        Address known = address;
        if (known == null) {
            AddressKind kind = (flags() & TOPIC) != 0 ? AddressKind.TOPIC : AddressKind.QUEUE;
            String name = field(ADDRESS);
            if (name == null) {
                throw new BrokerException(ErrorCode.INVALID_MESSAGE, "a message without address");
            }
            known = Address.parse(kind, name);
            address = known;
        }
        return known;
    }

    /** The identifier that the producer's edge gave it ({@code ID:…}), or null. */
    public @Nullable String id() {
        return field(ID);
    }

    /** True if it must survive a restart. */
    public boolean persistent() {
        return (flags() & PERSISTENT) != 0;
    }

    /** True if the topic was asked to retain it when it was sent. */
    public boolean retain() {
        return (flags() & RETAIN) != 0;
    }

    /** True if it was to be refused if nobody got it. */
    public boolean mandatory() {
        return (flags() & MANDATORY) != 0;
    }

    /** True if it is delivered because its topic had retained it, rather than because it was sent. */
    public boolean retained() {
        return (flags() & RETAINED) != 0;
    }

    /** A copy that is {@link #retained}; for the engine. */
    public Message asRetained() {
        return with(RETAIN | RETAINED);
    }

    private Message with(int flags) {
        byte[] copy = Arrays.copyOfRange(encoded, start, start + size);
        copy[FLAGS_AT] |= (byte) flags;
        return new Message(copy, address());
    }

    /** True if it is for its own sender, by no filter that leaves out what is; for the engine. */
    public boolean own() {
        return (flags() & OWN) != 0;
    }

    /** A copy that is its sender's {@link #own}; for the engine. */
    public Message asOwn() {
        return with(OWN);
    }

    /** 0 (lowest) to 9. */
    public int priority() {
        return encoded[start + PRIORITY_AT];
    }

    /** When it was sent, in milliseconds since the epoch, by the producer's clock; 0 if unknown. */
    public long timestampMs() {
        return longAt(TIMESTAMP_AT);
    }

    /** When it expires, in milliseconds since the epoch; 0 for never. */
    public long expiryMs() {
        return longAt(EXPIRY_AT);
    }

    /** The earliest moment of delivery, in milliseconds since the epoch; 0 for at once. */
    public long deliveryTimeMs() {
        return longAt(DELIVERY_TIME_AT);
    }

    /** The correlation id as text, or null if it has none or one of bytes. */
    public @Nullable String correlationId() {
        return (flags() & CORRELATION_IS_BYTES) != 0 ? null : field(CORRELATION);
    }

    /** The correlation id as bytes, or null if it has none or one of text. */
    public byte @Nullable [] correlationBytes() {
        return (flags() & CORRELATION_IS_BYTES) == 0 ? null : fieldBytes(CORRELATION);
    }

    /** Where an answer should go, or null. */
    public @Nullable Address replyTo() {
        String text = field(REPLY_TO);
        if (text == null) {
            return null;
        }
        return Address.parse(text.charAt(0) == 't' ? AddressKind.TOPIC : AddressKind.QUEUE, text.substring(1));
    }

    /** The application's message type (JMSType), or null. */
    public @Nullable String type() {
        return field(TYPE);
    }

    /** The message group (JMSXGroupID), or null. */
    public @Nullable String group() {
        return field(GROUP);
    }

    /** The place within the group (JMSXGroupSeq); 0 if not given. */
    public int groupSequence() {
        return intAt(GROUP_SEQUENCE_AT);
    }

    /** The place within the group as its sender gave it, which may be 0 or without a group; null if it gave none. */
    public @Nullable Integer givenSequence() {
        int sequence = groupSequence();
        if (sequence != 0) {
            return sequence;
        }
        return property(SEQUENCE) instanceof Integer given ? given : null;
    }

    /**
     * A property's value (Boolean, Byte, Short, Integer, Long, Float, Double, String or null), without decoding the
     * others; null if absent.
     */
    public @Nullable Object property(String name) {
        return PropertyCodec.find(encodedProperties(), name);
    }

    /** All properties in the order in which they were set; unmodifiable. */
    public Map<String, @Nullable Object> properties() {
        return PropertyCodec.decode(encodedProperties());
    }

    /** What the body is. */
    public BodyKind bodyKind() {
        return BodyKind.of(encoded[start + KIND_AT]);
    }

    /** False if there is no body at all, as in a text message whose text is null. */
    public boolean hasBody() {
        return (flags() & HAS_BODY) != 0;
    }

    /** The length in bytes of what stands in the encoded form as the body: the body, or what tells of a stored one. */
    public int bodyBytes() {
        return size - intAt(BODY_OFFSET_AT);
    }

    /**
     * True if the body is stored apart, since it is too large for one piece: {@link StoredBodies} has it, and
     * {@link #body} and {@link #text} have not.
     */
    public boolean hasStoredBody() {
        return encoded[start] == VERSION_STORED;
    }

    /** The body's length in bytes, wherever it is. */
    public long bodyLength() {
        return hasStoredBody() ? longAt(intAt(BODY_OFFSET_AT) + Long.BYTES) : bodyBytes();
    }

    /** What the broker calls the stored body; for the engine. */
    public long storedBodyId() {
        mustBeStored(true);
        return longAt(intAt(BODY_OFFSET_AT));
    }

    /** The length of each chunk of the stored body but the last, in bytes. */
    public int storedChunkBytes() {
        mustBeStored(true);
        return intAt(intAt(BODY_OFFSET_AT) + 2 * Long.BYTES);
    }

    /** A copy whose stored body is this one; for the engine. */
    public Message withStoredBody(long id, long length, int chunkBytes) {
        mustBeStored(true);
        byte[] copy = Arrays.copyOfRange(encoded, start, start + size);
        int at = intAt(BODY_OFFSET_AT);
        LONG.set(copy, at, id);
        LONG.set(copy, at + Long.BYTES, length);
        INT.set(copy, at + 2 * Long.BYTES, chunkBytes);
        return new Message(copy, address());
    }

    /** A copy without its body, which is not stored apart; for the engine. */
    public Message withoutBody() {
        mustBeStored(false);
        byte[] copy = Arrays.copyOfRange(encoded, start, start + intAt(BODY_OFFSET_AT));
        copy[FLAGS_AT] &= ~HAS_BODY;
        Message head = new Message(copy, 0, copy.length);
        head.address = address;
        return head;
    }

    private void mustBeStored(boolean expected) {
        if (hasStoredBody() != expected) {
            throw new IllegalStateException(expected ? "the body is not stored apart" : "the body is stored apart");
        }
    }

    /** A read-only view of the body, which is not stored apart. */
    public ByteBuffer body() {
        mustBeStored(false);
        return inPlace();
    }

    ByteBuffer inPlace() {
        int at = intAt(BODY_OFFSET_AT);
        return ByteBuffer.wrap(encoded, start + at, size - at).slice().asReadOnlyBuffer();
    }

    /** The body, which is not stored apart, as UTF-8 text, or null if there is none. */
    public @Nullable String text() {
        mustBeStored(false);
        if (!hasBody()) {
            return null;
        }
        int at = intAt(BODY_OFFSET_AT);
        return new String(encoded, start + at, size - at, StandardCharsets.UTF_8);
    }

    /** The size of the encoded form, in bytes. */
    public int encodedBytes() {
        return size;
    }

    /** Writes the encoded form at the target's position. */
    public void writeTo(ByteBuffer target) {
        target.put(encoded, start, size);
    }

    /** A builder that starts with everything that this message has. */
    public MessageBuilder toBuilder() {
        return new MessageBuilder(this, address());
    }

    /** A builder that starts with everything that this message has, but for another address. */
    public MessageBuilder toBuilder(Address other) {
        return new MessageBuilder(this, other);
    }

    private int flags() {
        return encoded[start + FLAGS_AT];
    }

    private int intAt(int at) {
        return (int) INT.get(encoded, start + at);
    }

    private long longAt(int at) {
        return (long) LONG.get(encoded, start + at);
    }

    private int shortAt(int at) {
        return (short) SHORT.get(encoded, start + at) & 0xffff;
    }

    private ByteBuffer encodedProperties() {
        int at = intAt(PROPERTIES_OFFSET_AT);
        return ByteBuffer.wrap(encoded, start + at, intAt(BODY_OFFSET_AT) - at);
    }

    private @Nullable String field(int field) {
        int at = fieldAt(field);
        int length = shortAt(at);
        return length == ABSENT ? null : new String(encoded, start + at + 2, length, StandardCharsets.UTF_8);
    }

    private byte @Nullable [] fieldBytes(int field) {
        int at = fieldAt(field);
        int length = shortAt(at);
        if (length == ABSENT) {
            return null;
        }
        byte[] copy = new byte[length];
        System.arraycopy(encoded, start + at + 2, copy, 0, length);
        return copy;
    }

    private int fieldAt(int field) {
        int at = FIELDS_AT;
        for (int i = 0; i < field; i++) {
            int length = shortAt(at);
            at += 2 + (length == ABSENT ? 0 : length);
        }
        return at;
    }

    @Override
    public String toString() {
        return "Message[" + id() + " to " + address() + ", " + bodyKind() + " of " + bodyLength() + " bytes]";
    }
}
