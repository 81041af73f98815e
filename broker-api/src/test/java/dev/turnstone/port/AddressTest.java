package dev.turnstone.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressTest {
    @Test
    void levels_of_any_text_round_trip_without_collision() {
        List<List<String>> all = List.of(
                List.of("a", "b"),
                List.of("a.b"),
                List.of("a%2Eb"),
                List.of("a%b"),
                List.of("a%25b"),
                List.of("*", "b"),
                List.of("%2A", "b"),
                List.of(">"),
                List.of("a*b"),
                List.of("a", "", "b"),
                List.of("", "a"),
                List.of("a", ""),
                List.of("a::b"),
                List.of("a:b"),
                List.of("a,b"),
                List.of("a%2Cb"),
                List.of("grüße"));
        for (List<String> levels : all) {
            assertEquals(levels, Address.of(AddressKind.TOPIC, levels).levels());
        }
        assertEquals(
                all.size(),
                all.stream()
                        .map(l -> Address.of(AddressKind.TOPIC, l))
                        .distinct()
                        .count());
    }

    @Test
    void a_name_that_a_person_types_is_kept_as_typed() {
        assertEquals("orders.50%", Address.queue("orders.50%").name());
        assertEquals(List.of("orders", "50%"), Address.queue("orders.50%").levels());
    }

    @Test
    void kind_and_name_make_the_identity() {
        assertEquals(Address.queue("a"), Address.queue("a"));
        assertNotEquals(Address.queue("a"), Address.topic("a"));
        assertNotEquals(Address.queue("a"), Address.queue("b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "a\0", "*", "a.*", ">", "a.>", "*.a"})
    void a_name_that_is_none_is_refused(String name) {
        BrokerException refused = assertThrows(BrokerException.class, () -> Address.queue(name));
        assertEquals(ErrorCode.INVALID_ADDRESS, refused.code());
    }

    @Test
    void a_name_longer_than_the_limit_is_refused() {
        assertEquals(4096, Address.queue("x".repeat(4096)).name().length());
        assertThrows(BrokerException.class, () -> Address.queue("x".repeat(4097)));
        assertThrows(BrokerException.class, () -> Address.queue("\u00fc".repeat(2049)));
    }

    @Test
    void a_temporary_address_is_known_by_its_name() {
        assertTrue(Address.temporary(AddressKind.QUEUE, "c1", "1").isTemporary());
        assertFalse(Address.queue("$temporary").isTemporary());
    }

    @Test
    void equal_levels_are_equal_names_however_they_were_written() {
        assertEquals(Address.topic("a*b.c"), Address.topic("a%2Ab.c"));
        assertEquals(Address.topic("50%.c"), Address.topic("50%25.c"));
        assertEquals("%2A", Address.topic("%2A").name());
    }

    private static Address pattern(String name) {
        return Address.pattern(AddressKind.TOPIC, name);
    }

    @ParameterizedTest
    @CsvSource({
        "a.*, a.b",
        "a.*, a.",
        "*, a",
        "*.b, .b",
        "a.>, a",
        "a.>, a.b",
        "a.>, a.b.c",
        ">, a",
        ">, a.b.c",
        "*.>, a",
        "a.*.c, a.b.c",
        "a.*.>, a.b",
        "$sys.>, $sys.load",
        "$sys.*, $sys.load",
        "a.*, a.$b",
        "a, a",
        "%2A.*, %2A.b"
    })
    void a_pattern_matches(String pattern, String topic) {
        assertTrue(pattern(pattern).matches(Address.topic(topic)), pattern + " matches " + topic);
    }

    @ParameterizedTest
    @CsvSource({
        "a.*, a",
        "a.*, a.b.c",
        "*, a.b",
        "a.>, ab",
        "a.>, b",
        "*.>, $sys.load",
        ">, $sys",
        "*, $sys",
        "*.load, $sys.load",
        "a.*.>, a",
        "a.*.c, a.b.d",
        "a, a.b",
        "a.b, a",
        "%2A.*, a.b",
        "a.*, A.b"
    })
    void a_pattern_does_not_match(String pattern, String topic) {
        assertFalse(pattern(pattern).matches(Address.topic(topic)), pattern + " does not match " + topic);
    }

    @Test
    void a_pattern_is_of_one_kind_and_known_as_one() {
        assertFalse(pattern(">").matches(Address.queue("a")));
        assertTrue(pattern("a.*").isPattern());
        assertFalse(pattern("a.b*").isPattern());
        assertEquals(Address.topic("a.b"), pattern("a.b"));
        assertThrows(BrokerException.class, () -> pattern("a.>.b"));
        assertThrows(BrokerException.class, () -> MessageBuilder.to(pattern("a.*")));
        assertThrows(
                BrokerException.class,
                () -> MessageBuilder.to(Address.queue("q")).replyTo(pattern("a.*")));
    }

    @Test
    void a_pattern_of_another_protocol_has_the_same_canonical_text() {
        Address filter = Address.pattern(AddressKind.TOPIC, List.of("a.b", "+", "", "*", "#"), "+", "#");
        assertEquals("a%2Eb.*..%2A.>", filter.name());
        assertTrue(filter.matches(Address.of(AddressKind.TOPIC, List.of("a.b", "x", "", "*"))));
        assertFalse(filter.matches(Address.of(AddressKind.TOPIC, List.of("a.b", "x", "", "y"))));
        assertFalse(filter.matches(Address.of(AddressKind.TOPIC, List.of("a", "b", "x", "", "*"))));
    }
}
