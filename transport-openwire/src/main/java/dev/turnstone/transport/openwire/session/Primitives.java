package dev.turnstone.transport.openwire.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.activemq.util.ByteSequence;
import org.apache.activemq.util.MarshallingSupport;
import org.fusesource.hawtbuf.UTF8Buffer;
import org.jspecify.annotations.Nullable;

/**
 * Maps of named values, as properties and bodies are. The library writes their texts in Java's modified UTF-8 and reads
 * them as plain UTF-8, so that characters beyond the first 65 536 do not come through it; here both are read, and what
 * it reads is written. Any thread.
 */
final class Primitives {
    private static final int SHORT_TEXT_MAX = 0xffff;

    private Primitives() {}

    static DataInputStream input(ByteSequence bytes) {
        return new DataInputStream(new ByteArrayInputStream(bytes.getData(), bytes.getOffset(), bytes.getLength()));
    }

    /** The names and values; empty if there is no map. */
    static Map<String, @Nullable Object> map(ByteSequence encoded) throws IOException {
        Map<String, @Nullable Object> plain = new LinkedHashMap<>();
        DataInputStream in = input(encoded);
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            byte[] name = new byte[in.readUnsignedShort()];
            in.readFully(name);
            plain.put(text(name, 0, name.length), plain(MarshallingSupport.unmarshalPrimitive(in)));
        }
        return plain;
    }

    /** A value as the port has it: a text is a String. */
    static @Nullable Object plain(@Nullable Object value) {
        return value instanceof UTF8Buffer text ? text(text.data, text.offset, text.length) : value;
    }

    private static String text(byte[] bytes, int offset, int length) {
        try {
            return MarshallingSupport.convertUTF8WithBuf(bytes, new char[length], offset, length);
        } catch (UTFDataFormatException e) {
            // Not modified: four bytes for one character.
            return new String(bytes, offset, length, StandardCharsets.UTF_8);
        }
    }

    static ByteSequence encode(Map<String, @Nullable Object> items) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(items.size());
        for (Map.Entry<String, @Nullable Object> item : items.entrySet()) {
            byte[] name = item.getKey().getBytes(StandardCharsets.UTF_8);
            if (name.length > SHORT_TEXT_MAX) {
                throw new IOException("a name of " + name.length + " bytes");
            }
            out.writeShort(name.length);
            out.write(name);
            if (item.getValue() instanceof String text) {
                encode(text.getBytes(StandardCharsets.UTF_8), out);
            } else {
                MarshallingSupport.marshalPrimitive(out, item.getValue());
            }
        }
        return new ByteSequence(bytes.toByteArray());
    }

    private static void encode(byte[] text, DataOutputStream out) throws IOException {
        if (text.length <= SHORT_TEXT_MAX) {
            out.writeByte(MarshallingSupport.STRING_TYPE);
            out.writeShort(text.length);
        } else {
            out.writeByte(MarshallingSupport.BIG_STRING_TYPE);
            out.writeInt(text.length);
        }
        out.write(text);
    }
}
