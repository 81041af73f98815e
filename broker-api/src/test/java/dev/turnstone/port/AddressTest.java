package dev.turnstone.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
}
