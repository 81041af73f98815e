package dev.turnstone.broker.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {
    private static final AddressSetting SETTING = AddressSetting.MEMORY_BYTES;

    private static long of(AddressRules rules, Address address) {
        return rules.of(address).capacity().memoryBytes();
    }

    @ParameterizedTest
    @CsvSource({
        "a.b, a.b, true",
        "a.b, a.b.c, false",
        "a.*, a.b, true",
        "a.*, a, false",
        "a.*, a.b.c, false",
        "a.>, a, true",
        "a.>, a.b.c, true",
        "*.b, a.b, true",
        ">, a, true",
        "queue:a, a, true",
        "topic:a, a, false",
        "a%2Eb, a%2Eb, true",
        "a%2Eb, a.b, false",
        "*, a%2Eb, true",
    })
    void aPatternMatchesLevelByLevel(String pattern, String queue, boolean expected) {
        assertThat(AddressPattern.parse(pattern).matches(Address.queue(queue))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "a.b, a.*",
        "a.*, a.>",
        "a.*, *.b",
        "*.b, >",
        "queue:a, a",
        "queue:a.>, a.>",
        "a.b.>, a.>",
        "a, >",
    })
    void theMoreSpecificPatternWins(String specific, String general) {
        Address both = Address.queue(AddressPattern.parse(specific).matches(Address.queue("a.b")) ? "a.b" : "a");
        AddressRules rules = AddressRules.DEFAULTS.with(general, SETTING, 2048).with(specific, SETTING, 4096);

        assertThat(AddressPattern.parse(specific)).isLessThan(AddressPattern.parse(general));
        assertThat(of(rules, both)).isEqualTo(4096);
    }

    @Test
    void whatMatchesNoPatternHasTheDefaults() {
        AddressRules rules = AddressRules.DEFAULTS.with("queue:a.>", SETTING, 2048);

        assertThat(rules.of(Address.topic("a"))).isEqualTo(AddressSettings.DEFAULTS);
        assertThat(rules.of(Address.queue("b"))).isEqualTo(AddressSettings.DEFAULTS);
    }

    @Test
    void aPatternGivenTwiceKeepsTheLastValue() {
        AddressRules rules = AddressRules.DEFAULTS.with("a", SETTING, 2048).with("a", SETTING, "4096");

        assertThat(of(rules, Address.queue("a"))).isEqualTo(4096);
    }

    @Test
    void onlyAPatternWithoutWildcardsNamesAnAddress() {
        AddressRules rules =
                AddressRules.DEFAULTS.with("queue:a.*", SETTING, 2048).with("queue:a.b", SETTING, 2048);

        assertThat(rules.names(Address.queue("a.b"))).isTrue();
        assertThat(rules.names(Address.queue("a.c"))).isFalse();
        assertThat(rules.names(Address.topic("a.b"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "queue:", "a.>.b", "a*", "a.b>", "a.\u0001"})
    void whatIsNoPatternIsRefused(String pattern) {
        assertThatThrownBy(() -> AddressRules.DEFAULTS.with(pattern, SETTING, 2048))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("the address pattern '" + pattern + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "99999999999999999999"})
    void aWrongValueIsRefusedWithItsName(String value) {
        assertThatThrownBy(() -> AddressRules.DEFAULTS.with("a", SETTING, value))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("a: memoryBytes='" + value + "'");
    }

    @Test
    void anUnknownSettingIsRefusedWithThoseThatAreKnown() {
        assertThatThrownBy(() -> AddressSetting.named("depth")).hasMessageContaining("memoryBytes");
    }
}
