package dev.turnstone.port;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes typed properties: an int count, then for each an unsigned short length and the name in UTF-8, a type byte and
 * the value (a string with an int length). Any thread.
 */
final class PropertyCodec {
    private static final byte NULL = 0;
    private static final byte BOOLEAN = 1;
    private static final byte BYTE = 2;
    private static final byte SHORT = 3;
    private static final byte INT = 4;
    private static final byte LONG = 5;
    private static final byte FLOAT = 6;
    private static final byte DOUBLE = 7;
    private static final byte STRING = 8;

    private PropertyCodec() {}

    /** The number of bytes that {@link #encode} will write. */
    static int size(Map<String, @Nullable Object> properties) {
        int size = Integer.BYTES;
        for (Map.Entry<String, @Nullable Object> entry : properties.entrySet()) {
            int nameBytes = Utf8.length(entry.getKey());
            if (nameBytes >= Message.ABSENT) {
                throw new BrokerException(ErrorCode.INVALID_MESSAGE, "a property's name of " + nameBytes + " bytes");
            }
            size += Short.BYTES + nameBytes + 1 + valueSize(entry.getKey(), entry.getValue());
        }
        return size;
    }

    private static int valueSize(String name, @Nullable Object value) {
        if (value == null) {
            return 0;
        } else if (value instanceof String text) {
            return Integer.BYTES + Utf8.length(text);
        } else if (value instanceof Boolean || value instanceof Byte) {
            return 1;
        } else if (value instanceof Short) {
            return Short.BYTES;
        } else if (value instanceof Integer || value instanceof Float) {
            return Integer.BYTES;
        } else if (value instanceof Long || value instanceof Double) {
            return Long.BYTES;
        }
        throw new BrokerException(
                ErrorCode.INVALID_MESSAGE, "property '" + name + "' has a value of " + value.getClass());
    }

    static void encode(Map<String, @Nullable Object> properties, ByteBuffer target) {
        target.putInt(properties.size());
        for (Map.Entry<String, @Nullable Object> entry : properties.entrySet()) {
            byte[] name = entry.getKey().getBytes(StandardCharsets.UTF_8);
            target.putShort((short) name.length).put(name);
            encodeValue(entry.getValue(), target);
        }
    }

    private static void encodeValue(@Nullable Object value, ByteBuffer target) {
        if (value == null) {
            target.put(NULL);
        } else if (value instanceof String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            target.put(STRING).putInt(bytes.length).put(bytes);
        } else if (value instanceof Boolean flag) {
            target.put(BOOLEAN).put((byte) (flag ? 1 : 0));
        } else if (value instanceof Integer number) {
            target.put(INT).putInt(number);
        } else if (value instanceof Long number) {
            target.put(LONG).putLong(number);
        } else if (value instanceof Double number) {
            target.put(DOUBLE).putDouble(number);
        } else if (value instanceof Float number) {
            target.put(FLOAT).putFloat(number);
        } else if (value instanceof Short number) {
            target.put(SHORT).putShort(number);
        } else {
            target.put(BYTE).put((Byte) value);
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
            properties.put(new String(name, StandardCharsets.UTF_8), value(source));
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
                return value(source);
            }
            skip(source);
        }
        return null;
    }

    private static @Nullable Object value(ByteBuffer source) {
        byte type = source.get();
        return switch (type) {
            case NULL -> null;
            case BOOLEAN -> source.get() != 0;
            case BYTE -> source.get();
            case SHORT -> source.getShort();
            case INT -> source.getInt();
            case LONG -> source.getLong();
            case FLOAT -> source.getFloat();
            case DOUBLE -> source.getDouble();
            case STRING -> string(source);
            default -> throw new BrokerException(ErrorCode.INVALID_MESSAGE, "unknown property type " + type);
        };
    }

    private static String string(ByteBuffer source) {
        byte[] bytes = new byte[source.getInt()];
        source.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void skip(ByteBuffer source) {
        byte type = source.get();
        int length = switch (type) {
            case NULL -> 0;
            case BOOLEAN, BYTE -> 1;
            case SHORT -> Short.BYTES;
            case INT, FLOAT -> Integer.BYTES;
            case LONG, DOUBLE -> Long.BYTES;
            case STRING -> source.getInt();
            default -> throw new BrokerException(ErrorCode.INVALID_MESSAGE, "unknown property type " + type);
        };
        source.position(source.position() + length);
    }
}
