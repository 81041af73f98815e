package dev.turnstone.transport.mqtt.codec;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Reads the values of which packets consist (MQTT 5 §1.5). One thread. */
final class Input {
    private final byte[] bytes;
    private final int end;
    private int at;

    /** Reads these. */
    Input(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.at = from;
        this.end = to;
    }

    int remaining() {
        return end - at;
    }

    int position() {
        return at;
    }

    int oneByte() {
        need(1);
        return bytes[at++] & 0xff;
    }

    int twoBytes() {
        return oneByte() << 8 | oneByte();
    }

    long fourBytes() {
        return (long) twoBytes() << 16 | twoBytes();
    }

    /** A Variable Byte Integer, in the fewest bytes that hold it (MQTT 5 §1.5.5). */
    int variable() {
        int value = 0;
        for (int shift = 0; shift < 28; shift += 7) {
            int next = oneByte();
            value |= (next & 0x7f) << shift;
            if (next < 0x80) {
                if (next == 0 && shift > 0) {
                    throw MqttException.malformed("a number in more bytes than it needs");
                }
                return value;
            }
        }
        throw MqttException.malformed("a number of more than four bytes");
    }

    /** A UTF-8 Encoded String: well formed and without U+0000 (MQTT 5 §1.5.4). */
    String text() {
        int length = twoBytes();
        need(length);
        int from = at;
        at += length;
        boolean ascii = true;
        for (int i = from; i < at; i++) {
            if (bytes[i] == 0) {
                throw MqttException.malformed("a text with the character U+0000");
            }
            ascii &= bytes[i] > 0;
        }
        if (ascii) {
            return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
        }
        try {
            CharBuffer text = utf8().decode(ByteBuffer.wrap(bytes, from, length));
            return text.toString();
        } catch (CharacterCodingException e) {
            throw MqttException.malformed("a text that is not UTF-8");
        }
    }

    private static CharsetDecoder utf8() {
        return StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
    }

    /** Binary Data: two bytes of length and so many bytes. */
    byte[] binary() {
        int length = twoBytes();
        need(length);
        byte[] copy = new byte[length];
        System.arraycopy(bytes, at, copy, 0, length);
        at += length;
        return copy;
    }

    /** All that is left, without a copy. */
    ByteBuffer rest() {
        ByteBuffer rest = ByteBuffer.wrap(bytes, at, end - at);
        at = end;
        return rest;
    }

    /** The next bytes are no more than so many: the end of the part that is being read. */
    int part(int length) {
        need(length);
        return at + length;
    }

    /** The packet, or its part, ends here. */
    void end() {
        if (at != end) {
            throw MqttException.malformed((end - at) + " bytes too many");
        }
    }

    private void need(int count) {
        if (count > end - at) {
            throw MqttException.malformed("the packet ends within a value");
        }
    }
}
