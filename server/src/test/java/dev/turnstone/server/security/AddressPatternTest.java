package dev.turnstone.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotBlank;
import net.jqwik.api.constraints.StringLength;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressPatternTest {
    @ParameterizedTest
    @CsvSource({
        "orders, orders, true",
        "orders, orders.new, false",
        "orders, order, false",
        "orders.*, orders.new, true",
        "orders.*, orders, false",
        "orders.*, orders.new.today, false",
        "*.new, orders.new, true",
        "orders.>, orders, true",
        "orders.>, orders.new.today, true",
        "orders.>, ordersx, false",
        ">, orders, true",
        "*.>, orders, true",
        "orders.*.>, orders, false",
        "queue:orders, orders, true",
        "topic:orders, orders, false",
        "inbox.%u, inbox.alice, true",
        "inbox.%u, inbox.bob, false",
        "inbox.box-%u-%c.>, inbox.box-alice-phone.x, true",
        "dev.%c, dev.phone, true",
        "dev.%c, dev.tablet, false",
        "a%2Eb, a%2Eb, true",
        "a.b, a%2Eb, false",
        "%25u, %u, true",
        "%25u, alice, false"
    })
    void matchesLevelByLevel(String pattern, String queue, boolean matches) {
        assertThat(matches(pattern, queue, "alice", "phone")).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({
        "orders.*, orders.*, true",
        "orders.>, orders.*, true",
        "orders.>, orders.>, true",
        "orders.>, orders.new.>, true",
        "orders.*.>, orders.*.>, true",
        "orders.*.>, orders.new.*, true",
        ">, >, true",
        ">, *, true",
        "*.*, *.new, true",
        "orders.*, orders.>, false",
        "orders.*, orders.new.>, false",
        "orders.*.>, orders.>, false",
        "*, >, false",
        "*.>, >, false",
        "orders.new, orders.*, false",
        "orders.new, orders.>, false",
        "inbox.%u, inbox.*, false",
        "inbox.%2A, inbox.*, false",
        "inbox.%3E, inbox.>, false",
        "inbox.%2A.>, inbox.%2A.>, true",
        "inbox.%u.>, inbox.*.>, false"
    })
    void ofAPatternItMatchesAllOrNothing(String permission, String topics, boolean matches) {
        Address asked = Address.pattern(AddressKind.TOPIC, topics);
        for (String user : List.of("alice", "*", ">")) {
            assertThat(AddressPattern.parse(permission).matches(asked, user, null))
                    .as(user)
                    .isEqualTo(matches);
        }
    }

    @Test
    void withoutAClientIdentifierNothingMatchesOne() {
        assertThat(matches("dev.%c", "dev.", "alice", null)).isFalse();
        assertThat(matches("dev.%c", "dev.null", "alice", null)).isFalse();
    }

    @Test
    void aUserWithAStrangeNameGetsNoMoreThanOneLevel() {
        assertThat(matches("inbox.%u", "inbox.bob", "*", null)).isFalse();
        assertThat(matches("inbox.%u", "inbox.bob.x", ">", null)).isFalse();
        assertThat(matches("inbox.%u", "inbox.a.b", "a.b", null)).isFalse();
        assertThat(matches("inbox.%u", "inbox.a%2Eb", "a.b", null)).isTrue();
        assertThat(matches("inbox.%u", "inbox.%2A", "*", null)).isTrue();
        assertThat(matches("inbox.%u.%c", "inbox.%c.phone", "%c", "phone")).isTrue();
        assertThat(matches("inbox.%u.%c", "inbox.phone.phone", "%c", "phone")).isFalse();
    }

    @Property
    void aNameMatchesItselfAndOnlyItself(
            @ForAll @NotBlank @StringLength(max = 20) String name,
            @ForAll @NotBlank @StringLength(max = 20) String other) {
        AddressPattern own = AddressPattern.parse("inbox.%u");
        if (name.chars().allMatch(c -> c >= ' ' && c != 0x7f)) {
            Address address = Address.of(AddressKind.QUEUE, List.of("inbox", name));
            assertThat(own.matches(address, name, null)).isTrue();
            assertThat(own.matches(address, other, null)).isEqualTo(name.equals(other));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "queue:", "a.>.b", "a*", "x>.y", "a.%x", "a.%", "100%"})
    void whatIsNoPatternIsRefused(String written) {
        assertThatThrownBy(() -> AddressPattern.parse(written)).isInstanceOf(IllegalArgumentException.class);
    }

    private static boolean matches(String pattern, String queue, String user, @Nullable String clientId) {
        return AddressPattern.parse(pattern).matches(Address.queue(queue), user, clientId);
    }
}
