package dev.turnstone.port;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Encodes one typed value: a type byte and the value, strings (in UTF-8) and bytes with an int length. The numbers of
 * the types are stored and never change. Any thread.
 */
final class ValueCodec {
    private static final byte NULL = 0;
    private static final byte BOOLEAN = 1;
    private static final byte BYTE = 2;
    private static final byte SHORT = 3;
    private static final byte INT = 4;
    private static final byte LONG = 5;
    private static final byte FLOAT = 6;
    private static final byte DOUBLE = 7;
    private static final byte STRING = 8;
    private static final byte CHAR = 9;
    private static final byte BYTES = 10;

    private ValueCodec() {}

    /** The number of bytes that {@link #encode} will write, its type included; 0 if the value's class has no type. */
    static int size(@Nullable Object value) {
        if (value == null) {
            return 1;
        } else if (value instanceof String text) {
            return 1 + Integer.BYTES + Utf8.length(text);
        } else if (value instanceof byte[] bytes) {
            return 1 + Integer.BYTES + bytes.length;
        } else if (value instanceof Boolean || value instanceof Byte) {
            return 1 + 1;
        } else if (value instanceof Short || value instanceof Character) {
            return 1 + Short.BYTES;
        } else if (value instanceof Integer || value instanceof Float) {
            return 1 + Integer.BYTES;
        } else if (value instanceof Long || value instanceof Double) {
            return 1 + Long.BYTES;
        }
        return 0;
    }

    /** For a value whose {@link #size} is 0 or that is not allowed where it is. */
    static BrokerException refused(String whose, @Nullable Object value) {
        String type = value == null ? "null" : value.getClass().toString();
        return new BrokerException(ErrorCode.INVALID_MESSAGE, whose + " has a value of " + type);
    }

    /** Writes a value that {@link #size} has taken. */
    static void encode(@Nullable Object value, ByteBuffer target) {
        if (value == null) {
            target.put(NULL);
        } else if (value instanceof String text) {
            putBytes(STRING, text.getBytes(StandardCharsets.UTF_8), target);
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
        } else if (value instanceof Character character) {
            target.put(CHAR).putChar(character);
        } else if (value instanceof byte[] bytes) {
            putBytes(BYTES, bytes, target);
        } else {
            target.put(BYTE).put((Byte) value);
        }
    }

    private static void putBytes(byte type, byte[] bytes, ByteBuffer target) {
        target.put(type).putInt(bytes.length).put(bytes);
    }

    /**
     * Reads a value.
     *
     * @throws BrokerException INVALID_MESSAGE if there is none
     */
    static @Nullable Object decode(ByteBuffer source) {
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
            case STRING -> new String(bytes(source), StandardCharsets.UTF_8);
            case CHAR -> source.getChar();
            case BYTES -> bytes(source);
            default -> throw unknown(type);
        };
    }

    /** Reads bytes after their int length, which is checked before memory is taken for them. */
    static byte[] bytes(ByteBuffer source) {
        int length = source.getInt();
        if (length < 0 || length > source.remaining()) {
            throw new BrokerException(
                    ErrorCode.INVALID_MESSAGE, "a length of " + length + " with " + source.remaining() + " bytes left");
        }
        byte[] bytes = new byte[length];
        source.get(bytes);
        return bytes;
    }

    static void skip(ByteBuffer source) {
        byte type = source.get();
        int length = switch (type) {
            case NULL -> 0;
            case BOOLEAN, BYTE -> 1;
            case SHORT, CHAR -> Short.BYTES;
            case INT, FLOAT -> Integer.BYTES;
            case LONG, DOUBLE -> Long.BYTES;
            case STRING, BYTES -> source.getInt();
            default -> throw unknown(type);
        };
        source.position(source.position() + length);
    }

    private static BrokerException unknown(byte type) {
        return new BrokerException(ErrorCode.INVALID_MESSAGE, "unknown type of a value: " + type);
    }
}
