package dev.turnstone.transport.openwire.session;

import dev.turnstone.port.BodyCodec;
import dev.turnstone.port.BodyKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import jakarta.jms.JMSException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.activemq.command.ActiveMQBytesMessage;
import org.apache.activemq.command.ActiveMQMapMessage;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQObjectMessage;
import org.apache.activemq.command.ActiveMQStreamMessage;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.CommandTypes;
import org.apache.activemq.util.ByteSequence;
import org.apache.activemq.util.MarshallingSupport;
import org.jspecify.annotations.Nullable;

/**
 * Bodies of OpenWire's messages to and from the canonical ones; {@code docs/openwire.md} has the table. Serialised
 * objects are bytes here. What only OpenWire can say, a compressed body or a map within a map, passes through as bytes
 * with a property that says what they are. Any thread.
 */
final class Bodies {
    /** On a message of bytes: the kind of body that they are in OpenWire's own encoding. */
    static final String RAW = "JMS_TURNSTONE_OPENWIRE_BODY";

    private static final String COMPRESSED = "compressed ";
    private static final int LENGTH = Integer.BYTES;

    private Bodies() {}

    /**
     * Gives a message its body.
     *
     * @throws BrokerException INVALID_MESSAGE if it is not what its type promises
     */
    static void read(org.apache.activemq.command.Message from, MessageBuilder to) {
        BodyKind kind = kind(from);
        ByteSequence content = from.getContent();
        if (from.isCompressed() && content != null) {
            raw(COMPRESSED + kind.name(), content, to);
            return;
        }
        try {
            switch (kind) {
                case NONE -> to.noBody(kind);
                case TEXT -> readText((ActiveMQTextMessage) from, content, to);
                case MAP -> readMap(content, to);
                case STREAM -> to.body(kind, BodyCodec.encodeStream(values(content)));
                case BYTES -> to.body(kind, content == null ? ByteBuffer.allocate(0) : view(content));
                case OBJECT -> {
                    if (content == null) {
                        to.noBody(kind);
                    } else {
                        to.body(kind, view(content));
                    }
                }
            }
        } catch (BrokerException e) {
            throw e;
        } catch (IOException | JMSException | RuntimeException e) {
            throw new BrokerException(
                    ErrorCode.INVALID_MESSAGE, "the body is not that of a " + kind + " message: " + e.getMessage(), e);
        }
    }

    private static BodyKind kind(org.apache.activemq.command.Message from) {
        return switch (from.getDataStructureType()) {
            case CommandTypes.ACTIVEMQ_MESSAGE -> BodyKind.NONE;
            case CommandTypes.ACTIVEMQ_TEXT_MESSAGE -> BodyKind.TEXT;
            case CommandTypes.ACTIVEMQ_BYTES_MESSAGE -> BodyKind.BYTES;
            case CommandTypes.ACTIVEMQ_MAP_MESSAGE -> BodyKind.MAP;
            case CommandTypes.ACTIVEMQ_STREAM_MESSAGE -> BodyKind.STREAM;
            case CommandTypes.ACTIVEMQ_OBJECT_MESSAGE -> BodyKind.OBJECT;
            default ->
                throw new BrokerException(
                        ErrorCode.UNSUPPORTED,
                        "messages whose body is in another place (BlobMessage) are not kept here");
        };
    }

    private static void raw(String what, ByteSequence content, MessageBuilder to) {
        to.body(BodyKind.BYTES, view(content)).property(RAW, what);
    }

    private static ByteBuffer view(ByteSequence bytes) {
        return ByteBuffer.wrap(bytes.getData(), bytes.getOffset(), bytes.getLength());
    }

    /** ASCII is the same in both encodings; anything else goes through characters. */
    private static void readText(ActiveMQTextMessage from, @Nullable ByteSequence content, MessageBuilder to)
            throws JMSException {
        if (content == null) {
            to.text(null);
            return;
        }
        ByteBuffer bytes = view(content);
        if (bytes.remaining() >= LENGTH && bytes.getInt() == bytes.remaining() && isAscii(bytes)) {
            to.body(BodyKind.TEXT, bytes);
        } else {
            to.text(from.getText());
        }
    }

    private static boolean isAscii(ByteBuffer bytes) {
        for (int at = bytes.position(); at < bytes.limit(); at++) {
            // Zero is written as two bytes in OpenWire.
            if (bytes.get(at) <= 0) {
                return false;
            }
        }
        return true;
    }

    private static void readMap(@Nullable ByteSequence content, MessageBuilder to) throws IOException {
        Map<String, @Nullable Object> items = content == null ? Map.of() : Primitives.map(content);
        boolean plain = true;
        for (Map.Entry<String, @Nullable Object> item : items.entrySet()) {
            Object value = item.getValue();
            plain &= !(value instanceof Map || value instanceof List);
        }
        if (plain) {
            to.body(BodyKind.MAP, BodyCodec.encodeMap(items));
        } else {
            raw(BodyKind.MAP.name(), content, to);
        }
    }

    private static List<@Nullable Object> values(@Nullable ByteSequence content) throws IOException {
        List<@Nullable Object> values = new ArrayList<>();
        if (content != null) {
            DataInputStream in = Primitives.input(content);
            while (in.available() > 0) {
                values.add(Primitives.plain(MarshallingSupport.unmarshalPrimitive(in)));
            }
        }
        return values;
    }

    /**
     * The message of the right type with the body.
     *
     * @throws IOException if there is none, as its names are too long
     */
    static ActiveMQMessage show(Message from) throws IOException {
        if (from.bodyKind() == BodyKind.BYTES && from.property(RAW) instanceof String what) {
            ActiveMQMessage shown = showRaw(from, what);
            if (shown != null) {
                return shown;
            }
        }
        ActiveMQMessage to = empty(from.bodyKind());
        if (!from.hasBody()) {
            return to;
        }
        to.setContent(
                switch (from.bodyKind()) {
                    case TEXT -> text(from);
                    case MAP -> Primitives.encode(BodyCodec.decodeMap(from.body()));
                    case STREAM -> encodedStream(BodyCodec.decodeStream(from.body()));
                    default -> bytes(from.body(), 0);
                });
        return to;
    }

    private static @Nullable ActiveMQMessage showRaw(Message from, String what) {
        boolean compressed = what.startsWith(COMPRESSED);
        String name = compressed ? what.substring(COMPRESSED.length()) : what;
        for (BodyKind kind : BodyKind.values()) {
            if (kind.name().equals(name)) {
                ActiveMQMessage to = empty(kind);
                to.setContent(bytes(from.body(), 0));
                to.setCompressed(compressed);
                return to;
            }
        }
        // Somebody else's property, or a kind of a later version: it stays bytes.
        return null;
    }

    private static ActiveMQMessage empty(BodyKind kind) {
        return switch (kind) {
            case NONE -> new ActiveMQMessage();
            case TEXT -> new ActiveMQTextMessage();
            case BYTES -> new ActiveMQBytesMessage();
            case MAP -> new ActiveMQMapMessage();
            case STREAM -> new ActiveMQStreamMessage();
            case OBJECT -> new ActiveMQObjectMessage();
        };
    }

    private static ByteSequence text(Message from) throws IOException {
        ByteBuffer body = from.body();
        if (isAscii(body)) {
            ByteSequence content = bytes(body, LENGTH);
            ByteBuffer.wrap(content.getData()).putInt(body.remaining());
            return content;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(LENGTH + 2 * body.remaining());
        MarshallingSupport.writeUTF8(new DataOutputStream(out), from.text());
        return new ByteSequence(out.toByteArray());
    }

    private static ByteSequence bytes(ByteBuffer body, int before) {
        byte[] bytes = new byte[before + body.remaining()];
        body.duplicate().get(bytes, before, body.remaining());
        return new ByteSequence(bytes);
    }

    private static ByteSequence encodedStream(List<@Nullable Object> values) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(out);
        for (Object value : values) {
            MarshallingSupport.marshalPrimitive(data, value);
        }
        return new ByteSequence(out.toByteArray());
    }
}
