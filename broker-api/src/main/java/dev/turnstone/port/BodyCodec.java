package dev.turnstone.port;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The encoded form of map and stream bodies, which every edge reads and writes alike. A value is null, a Boolean, Byte,
 * Short, Character, Integer, Long, Float, Double, String or byte[]. A stream is values one after another; a map is
 * names, each an int length and UTF-8, before its value. Any thread.
 */
public final class BodyCodec {
    private BodyCodec() {}

    /**
     * Encodes a {@link BodyKind#MAP} in the order of iteration. Copies what it is given.
     *
     * @throws BrokerException INVALID_MESSAGE if a value is of another class
     */
    public static ByteBuffer encodeMap(Map<String, ? extends @Nullable Object> items) {
        int size = 0;
        for (Map.Entry<String, ? extends @Nullable Object> item : items.entrySet()) {
            size = Math.addExact(size, Integer.BYTES + Utf8.length(item.getKey()));
            int valueSize = ValueCodec.size(item.getValue());
            if (valueSize == 0) {
                throw ValueCodec.refused("item '" + item.getKey() + "'", item.getValue());
            }
            size = Math.addExact(size, valueSize);
        }
        ByteBuffer body = ByteBuffer.allocate(size);
        items.forEach((name, value) -> {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            body.putInt(bytes.length).put(bytes);
            ValueCodec.encode(value, body);
        });
        return body.flip();
    }

    /**
     * Decodes a {@link BodyKind#MAP} into a map that the caller owns, in the order of encoding.
     *
     * @throws BrokerException INVALID_MESSAGE if it is not one
     */
    public static Map<String, @Nullable Object> decodeMap(ByteBuffer body) {
        ByteBuffer source = body.duplicate();
        Map<String, @Nullable Object> items = new LinkedHashMap<>();
        try {
            while (source.hasRemaining()) {
                String name = new String(ValueCodec.bytes(source), StandardCharsets.UTF_8);
                items.put(name, ValueCodec.decode(source));
            }
        } catch (BufferUnderflowException e) {
            throw new BrokerException(ErrorCode.INVALID_MESSAGE, "a map body ends within an item", e);
        }
        return items;
    }

    /**
     * Encodes a {@link BodyKind#STREAM}. Copies what it is given.
     *
     * @throws BrokerException INVALID_MESSAGE if a value is of another class
     */
    public static ByteBuffer encodeStream(List<? extends @Nullable Object> values) {
        int size = 0;
        for (Object value : values) {
            int valueSize = ValueCodec.size(value);
            if (valueSize == 0) {
                throw ValueCodec.refused("a stream", value);
            }
            size = Math.addExact(size, valueSize);
        }
        ByteBuffer body = ByteBuffer.allocate(size);
        for (Object value : values) {
            ValueCodec.encode(value, body);
        }
        return body.flip();
    }

    /**
     * Decodes a {@link BodyKind#STREAM} into a list that the caller owns.
     *
     * @throws BrokerException INVALID_MESSAGE if it is not one
     */
    public static List<@Nullable Object> decodeStream(ByteBuffer body) {
        ByteBuffer source = body.duplicate();
        List<@Nullable Object> values = new ArrayList<>();
        try {
            while (source.hasRemaining()) {
                values.add(ValueCodec.decode(source));
            }
        } catch (BufferUnderflowException e) {
            throw new BrokerException(ErrorCode.INVALID_MESSAGE, "a stream body ends within a value", e);
        }
        return values;
    }
}
