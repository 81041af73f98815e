package dev.turnstone.broker.store;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How the records' parts are written: big-endian, a version byte first, texts with an int length (-1: absent). Any
 * thread.
 */
final class Form {
    private static final byte[] NONE = {};

    private Form() {}

    static byte @Nullable [] utf8(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    static int size(byte @Nullable [] text) {
        return Integer.BYTES + (text == null ? 0 : text.length);
    }

    static void put(ByteBuffer target, byte @Nullable [] text) {
        target.putInt(text == null ? -1 : text.length).put(text == null ? NONE : text);
    }

    static @Nullable String optionalText(ByteBuffer source) {
        int length = source.getInt();
        if (length < 0) {
            return null;
        }
        byte[] bytes = new byte[length];
        source.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static String text(ByteBuffer source) {
        String text = optionalText(source);
        if (text == null) {
            throw new BrokerException(ErrorCode.DATA_UNUSABLE, "a record lacks a text that it must have");
        }
        return text;
    }

    /** The version of a record, of which all up to this one are known. */
    static int versionUpTo(ByteBuffer source, int latest, RecordType type) {
        byte found = source.get();
        if (found < 1 || found > latest) {
            throw new BrokerException(
                    ErrorCode.DATA_UNUSABLE,
                    "a record of type " + type + " has version " + found + ", this program knows 1 to " + latest);
        }
        return found;
    }

    static void expectVersion(ByteBuffer source, int version, RecordType type) {
        byte found = source.get();
        if (found != version) {
            throw new BrokerException(
                    ErrorCode.DATA_UNUSABLE,
                    "a record of type " + type + " has version " + found + ", this program knows " + version);
        }
    }
}
