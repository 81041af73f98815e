package dev.turnstone.transport.mqtt.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow, and the values of which packets consist (MQTT 5 §1.5). One thread. */
final class Output {
    private static final int SMALLEST = 64;
    private static final int REMEMBERED_MAX = 64 * 1024;
    private static final int KEPT_MAX = 1_024;
    private static final int TEXT_MAX = 0xffff;

    private static final byte[] NOTHING = {};

    private byte[] bytes = NOTHING;
    private int size;
    private int hint = SMALLEST;

    int size() {
        return size;
    }

    /** Forgets what was written since it had this size. */
    void back(int to) {
        size = to;
        if (to == 0 && bytes.length > KEPT_MAX) {
            bytes = NOTHING;
        }
    }

    /** So many bytes it keeps. */
    int keptBytes() {
        return bytes.length;
    }

    /** What was written; it is the caller's, and nothing is left. */
    ByteBuffer take() {
        ByteBuffer taken = ByteBuffer.wrap(bytes, 0, size);
        hint = Math.max(SMALLEST, Math.min(size, REMEMBERED_MAX));
        bytes = NOTHING;
        size = 0;
        return taken;
    }

    void oneByte(int value) {
        room(1);
        bytes[size++] = (byte) value;
    }

    void twoBytes(int value) {
        room(2);
        bytes[size++] = (byte) (value >>> 8);
        bytes[size++] = (byte) value;
    }

    void fourBytes(long value) {
        twoBytes((int) (value >>> 16));
        twoBytes((int) value);
    }

    /** A Variable Byte Integer (MQTT 5 §1.5.5). */
    void variable(int value) {
        int rest = value;
        while (rest >= 0x80) {
            oneByte(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        oneByte(rest);
    }

    /** How many bytes {@link #variable} writes. */
    static int variableBytes(int value) {
        if (value < 0x80) {
            return 1;
        }
        return value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : 4;
    }

    /** Two bytes of length, and the text in UTF-8; what does not fit into that is cut off. */
    void text(String text) {
        binary(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Two bytes of length, and the bytes. */
    void binary(byte[] value) {
        int length = Math.min(value.length, TEXT_MAX);
        twoBytes(length);
        raw(value, 0, length);
    }

    void raw(byte[] value, int from, int length) {
        room(length);
        System.arraycopy(value, from, bytes, size, length);
        size += length;
    }

    void raw(ByteBuffer value) {
        int length = value.remaining();
        room(length);
        value.duplicate().get(bytes, size, length);
        size += length;
    }

    void raw(Output other) {
        raw(other.bytes, 0, other.size);
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.max(hint, size + more), 2 * bytes.length));
        }
    }
}
