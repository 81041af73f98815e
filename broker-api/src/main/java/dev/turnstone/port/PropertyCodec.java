package dev.turnstone.port;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes typed properties: an int count, then for each an unsigned short length and the name in UTF-8, and the value
 * as {@link ValueCodec} has it. Any thread.
 */
final class PropertyCodec {
    private PropertyCodec() {}

    /** The number of bytes that {@link #encode} will write. */
    static int size(Map<String, @Nullable Object> properties) {
        int size = Integer.BYTES;
        for (Map.Entry<String, @Nullable Object> entry : properties.entrySet()) {
            int nameBytes = Utf8.length(entry.getKey());
            if (nameBytes >= Message.ABSENT) {
                throw new BrokerException(ErrorCode.INVALID_MESSAGE, "a property's name of " + nameBytes + " bytes");
            }
            size += Short.BYTES + nameBytes + valueSize(entry.getKey(), entry.getValue());
        }
        return size;
    }

    private static int valueSize(String name, @Nullable Object value) {
        int size = ValueCodec.size(value);
        // Characters and bytes may be in bodies, not in properties (Jakarta Messaging 3.1 §3.5.2).
        if (size == 0 || value instanceof Character || value instanceof byte[]) {
            throw ValueCodec.refused("property '" + name + "'", value);
        }
        return size;
    }

    static void encode(Map<String, @Nullable Object> properties, ByteBuffer target) {
        target.putInt(properties.size());
        for (Map.Entry<String, @Nullable Object> entry : properties.entrySet()) {
            byte[] name = entry.getKey().getBytes(StandardCharsets.UTF_8);
            target.putShort((short) name.length).put(name);
            ValueCodec.encode(entry.getValue(), target);
        }
    }

    static Map<String, @Nullable Object> decode(ByteBuffer source) {
        int count = source.getInt();
        if (count == 0) {
            return Map.of();
        }
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            byte[] name = new byte[source.getShort() & 0xffff];
            source.get(name);
            properties.put(new String(name, StandardCharsets.UTF_8), ValueCodec.decode(source));
        }
        return Collections.unmodifiableMap(properties);
    }

    static @Nullable Object find(ByteBuffer source, String wanted) {
        int count = source.getInt();
        if (count == 0) {
            return null;
        }
        byte[] name = wanted.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < count; i++) {
            int length = source.getShort() & 0xffff;
            int at = source.arrayOffset() + source.position();
            source.position(source.position() + length);
            if (Arrays.equals(name, 0, name.length, source.array(), at, at + length)) {
                return ValueCodec.decode(source);
            }
            ValueCodec.skip(source);
        }
        return null;
    }
}
