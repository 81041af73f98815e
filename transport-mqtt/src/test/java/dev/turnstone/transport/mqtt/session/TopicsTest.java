package dev.turnstone.transport.mqtt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.transport.mqtt.codec.MqttException;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The case M20: names of topics, in MQTT and elsewhere. */
class TopicsTest {
    private final Topics topics = new Topics();

    @ParameterizedTest
    @CsvSource({
        "a/b,        a.b",
        "a//b,       a..b",
        "/,          .",
        "a.b/c,      a%2Eb.c",
        "*,          %2A",
        ">/a*b,      %3E.a*b",
        "$data/x,    $data.x",
        "a%2Fb,      a/b",
        "a%252Fb,    a%2Fb",
        "50%,        50%",
        "%2E,        %252E",
        "é/\uD83D\uDE00, é.\uD83D\uDE00"
    })
    void aNameIsOneTopicThereAndBack(String mqtt, String elsewhere) {
        Address address = Address.topic(elsewhere);
        assertThat(topics.address(mqtt)).isEqualTo(address);
        assertThat(topics.name(address)).isEqualTo(mqtt);
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings()
                .withChars('a', '/', '.', '*', '>', '%', '2', '5', 'F', 'B', '3', 'E', 'A', ':', '$', '\u00e9')
                .ofMinLength(1)
                .ofMaxLength(12);
    }

    @Property(tries = 2000)
    void everyNameOfMqttComesBack(@ForAll("names") String name) {
        assertThat(topics.name(topics.address(name))).isEqualTo(name);
        assertThat(Topics.filter(name)).isEqualTo(topics.address(name));
    }

    @Property(tries = 2000)
    void everyLevelOfOthersComesBack(@ForAll("names") String level, @ForAll("names") String other) {
        Address address = Address.of(AddressKind.TOPIC, List.of(level, other + "+#"));
        assertThat(topics.address(topics.name(address))).isEqualTo(address);
    }

    @ParameterizedTest
    @CsvSource({"a/+/c, a.*.c", "#, >", "+, *", "a/#, a.>", "+/+, *.*", "a/%2B, a.+", "*/>, %2A.%3E"})
    void aFilterIsAPattern(String filter, String pattern) {
        Topics.check(filter);
        assertThat(Topics.filter(filter)).isEqualTo(Address.pattern(AddressKind.TOPIC, pattern));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a+", "+a/b", "#/a", "a/#b", "a/b#", "a/#/#"})
    void whatIsNoFilterIsRefused(String filter) {
        assertThatThrownBy(() -> Topics.check(filter)).isInstanceOf(MqttException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/+", "#"})
    void noMessageIsSentToManyTopics(String name) {
        assertThatThrownBy(() -> topics.address(name)).isInstanceOf(MqttException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"$SYS/a", "$share/a/b", "a\u0007"})
    void someTopicsAreNotTaken(String name) {
        assertThatThrownBy(() -> topics.address(name)).isInstanceOf(BrokerException.class);
    }
}
