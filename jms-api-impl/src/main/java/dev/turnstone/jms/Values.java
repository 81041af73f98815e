package dev.turnstone.jms;

import jakarta.jms.MessageFormatException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The conversion table of typed values (Jakarta Messaging 3.1 §3.5.4 for properties, §3.11.3 for map and stream
 * bodies): what was written as one type can be read as which. A null value is read as the type's own
 * {@code valueOf(null)} does, whatever it throws.
 */
final class Values {
    private Values() {}

    /** Refuses what is neither null, an objectified primitive other than a character, nor a string. */
    static void checkProperty(String name, @Nullable Object value) throws MessageFormatException {
        if (!isPropertyValue(value)) {
            throw new MessageFormatException(
                    "a property's value must not be of " + value.getClass() + ": '" + name + "'");
        }
    }

    /** Refuses what is neither null, an objectified primitive, a string nor an array of bytes. */
    static void checkBodyValue(@Nullable Object value) throws MessageFormatException {
        if (!isPropertyValue(value) && !(value instanceof Character) && !(value instanceof byte[])) {
            throw new MessageFormatException("a map or stream cannot hold a value of " + value.getClass());
        }
    }

    private static boolean isPropertyValue(@Nullable Object value) {
        return value == null
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Byte
                || value instanceof Short
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Float
                || value instanceof Double;
    }

    /**
     * A copy of a part of an array; null of none.
     *
     * @throws IndexOutOfBoundsException if the array has no such part
     */
    static byte @Nullable [] part(byte @Nullable [] array, int offset, int length) {
        if (array == null) {
            return null;
        }
        Objects.checkFromIndexSize(offset, length, array.length);
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    static boolean toBoolean(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Boolean flag) {
            return flag;
        } else if (value == null || value instanceof String) {
            return Boolean.parseBoolean((String) value);
        }
        throw refused(value, "boolean");
    }

    static byte toByte(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Byte number) {
            return number;
        } else if (value == null || value instanceof String) {
            return Byte.parseByte((String) value);
        }
        throw refused(value, "byte");
    }

    static short toShort(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Short || value instanceof Byte) {
            return ((Number) value).shortValue();
        } else if (value == null || value instanceof String) {
            return Short.parseShort((String) value);
        }
        throw refused(value, "short");
    }

    static int toInt(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).intValue();
        } else if (value == null || value instanceof String) {
            return Integer.parseInt((String) value);
        }
        throw refused(value, "int");
    }

    static long toLong(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        } else if (value == null || value instanceof String) {
            return Long.parseLong((String) value);
        }
        throw refused(value, "long");
    }

    static float toFloat(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Float number) {
            return number;
        } else if (value == null || value instanceof String) {
            return Float.parseFloat((String) value);
        }
        throw refused(value, "float");
    }

    static double toDouble(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Double || value instanceof Float) {
            return ((Number) value).doubleValue();
        } else if (value == null || value instanceof String) {
            return Double.parseDouble((String) value);
        }
        throw refused(value, "double");
    }

    static char toChar(@Nullable Object value) throws MessageFormatException {
        if (value instanceof Character character) {
            return character;
        } else if (value == null) {
            throw new NullPointerException("a null value cannot be read as a char");
        }
        throw refused(value, "char");
    }

    static byte @Nullable [] toBytes(@Nullable Object value) throws MessageFormatException {
        if (value == null || value instanceof byte[]) {
            return (byte[]) value;
        }
        throw refused(value, "byte[]");
    }

    static @Nullable String toText(@Nullable Object value) throws MessageFormatException {
        if (value instanceof byte[]) {
            throw refused(value, "String");
        }
        return value == null ? null : value.toString();
    }

    private static MessageFormatException refused(Object value, String wanted) {
        return new MessageFormatException("a " + value.getClass().getSimpleName() + " cannot be read as " + wanted);
    }
}
