package dev.turnstone.port;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MessageTest {
    private static Message full() {
        MessageBuilder builder = MessageBuilder.to(Address.topic("a.b"))
                .id("ID:1")
                .persistent(false)
                .priority(9)
                .timestampMs(1)
                .expiryMs(2)
                .deliveryTimeMs(3)
                .correlationBytes(new byte[] {0, -1})
                .replyTo(Address.queue("answers"))
                .type("t")
                .group("g", 7)
                .text("grüße \uD83D\uDE00");
        builder.property("boolean", true).property("byte", (byte) 1).property("short", (short) -2);
        builder.property("int", 3)
                .property("long", 1L << 53)
                .property("float", 1.5f)
                .property("double", -0.0);
        return builder.property("string", "").property("none", null).build();
    }

    private static byte[] encoded(Message message) {
        ByteBuffer target = ByteBuffer.allocate(message.encodedBytes());
        message.writeTo(target);
        return target.array();
    }

    private static void assertFull(Message message) {
        assertEquals(Address.topic("a.b"), message.address());
        assertEquals("ID:1", message.id());
        assertFalse(message.persistent());
        assertEquals(9, message.priority());
        assertEquals(1, message.timestampMs());
        assertEquals(2, message.expiryMs());
        assertEquals(3, message.deliveryTimeMs());
        assertNull(message.correlationId());
        assertArrayEquals(new byte[] {0, -1}, message.correlationBytes());
        assertEquals(Address.queue("answers"), message.replyTo());
        assertEquals("t", message.type());
        assertEquals("g", message.group());
        assertEquals(7, message.groupSequence());
        assertEquals(BodyKind.TEXT, message.bodyKind());
        assertEquals("grüße \uD83D\uDE00", message.text());
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("boolean", true);
        expected.put("byte", (byte) 1);
        expected.put("short", (short) -2);
        expected.put("int", 3);
        expected.put("long", 1L << 53);
        expected.put("float", 1.5f);
        expected.put("double", -0.0);
        expected.put("string", "");
        expected.put("none", null);
        assertEquals(expected, message.properties());
        expected.forEach((name, value) -> assertEquals(value, message.property(name), name));
        assertNull(message.property("absent"));
    }

    @Test
    void every_field_survives_encoding_and_decoding() {
        assertFull(full());
        byte[] bytes = encoded(full());
        assertFull(Message.decode(bytes, 0, bytes.length));
    }

    @Test
    void a_message_is_decoded_from_the_middle_of_a_larger_array() {
        byte[] bytes = encoded(full());
        byte[] larger = new byte[bytes.length + 20];
        System.arraycopy(bytes, 0, larger, 13, bytes.length);
        assertFull(Message.decode(larger, 13, bytes.length));
        assertArrayEquals(bytes, encoded(Message.decode(larger, 13, bytes.length)));
    }

    @Test
    void a_builder_made_from_a_message_builds_the_same_bytes() {
        assertArrayEquals(encoded(full()), encoded(full().toBuilder().build()));
    }

    @Test
    void an_absent_text_is_not_an_empty_text() {
        Message absent = MessageBuilder.to(Address.queue("q")).text(null).build();
        Message empty = MessageBuilder.to(Address.queue("q")).text("").build();
        assertNull(absent.text());
        assertFalse(absent.hasBody());
        assertEquals("", empty.text());
        assertTrue(empty.hasBody());
        assertNull(absent.type());
        assertEquals("", MessageBuilder.to(Address.queue("q")).type("").build().type());
    }

    @Test
    void the_body_is_copied_when_the_message_is_built() {
        byte[] body = {1, 2, 3};
        Message message = MessageBuilder.to(Address.queue("q")).bytes(body).build();
        body[0] = 9;
        assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), message.body());
        assertTrue(message.body().isReadOnly());
    }

    @Test
    void bytes_that_are_not_a_message_are_refused() {
        byte[] bytes = encoded(full());
        for (int length = 0; length < bytes.length; length++) {
            int cut = length;
            if (cut >= bytes.length - "grüße \uD83D\uDE00".getBytes(StandardCharsets.UTF_8).length) {
                continue; // The body's end is the record's end, which the record's checksum guards.
            }
            assertThrows(BrokerException.class, () -> Message.decode(bytes, 0, cut), "length " + cut);
        }
        bytes[0] = 2;
        assertThrows(BrokerException.class, () -> Message.decode(bytes, 0, bytes.length));
    }

    @Test
    void the_encoded_form_of_version_1_never_changes() {
        Message message = MessageBuilder.to(Address.queue("q"))
                .id("ID:a")
                .timestampMs(0x0102030405060708L)
                .correlationId("c")
                .property("n", 5)
                .text("hi")
                .build();
        assertEquals(
                "01030402" + "0102030405060708" + "0000000000000000" + "0000000000000000" + "00000000" + "0000003a"
                        + "00000046" + "000171" + "000449443a61" + "000163" + "ffff" + "ffff" + "ffff"
                        + "00000001" + "00016e" + "0400000005" + "6869",
                HexFormat.of().formatHex(encoded(message)));
    }

    @Test
    void a_field_or_property_that_cannot_be_encoded_is_refused() {
        MessageBuilder builder = MessageBuilder.to(Address.queue("q")).type("x".repeat(70_000));
        assertThrows(BrokerException.class, builder::build);
        MessageBuilder other = MessageBuilder.to(Address.queue("q")).property("p", new Object());
        assertThrows(BrokerException.class, other::build);
        MessageBuilder third = MessageBuilder.to(Address.queue("q"));
        assertThrows(BrokerException.class, () -> third.priority(10));
    }
}
