package dev.turnstone.broker.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The scan beside asking every topic. */
final class RetainedScanPropertyTest {
    @Provide
    Arbitrary<String> patterns() {
        return Arbitraries.of("a", "b", "ab", "$c", "", "*", "%2A")
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .map(levels -> String.join(".", levels))
                .flatMap(name -> Arbitraries.of(name, name + ".>", ">"));
    }

    @Provide
    Arbitrary<String> topics() {
        return Arbitraries.of("a", "b", "ab", "$c", "", "%2A")
                .list()
                .ofMinSize(1)
                .ofMaxSize(5)
                .map(levels -> String.join(".", levels));
    }

    private static List<String> scan(Address pattern, TreeMap<String, Address> topics, int[] looks) {
        List<String> found = new ArrayList<>();
        RetainedScan scan = new RetainedScan(pattern);
        String next = scan.start();
        while (next != null) {
            Map.Entry<String, Address> entry = topics.ceilingEntry(next);
            if (entry == null) {
                break;
            }
            looks[0]++;
            String key = entry.getKey();
            next = scan.next(key);
            if (key.equals(next)) {
                found.add(entry.getValue().name());
                next = RetainedScan.after(key);
            } else {
                assertThat(next == null || next.compareTo(key) > 0)
                        .as("goes forward")
                        .isTrue();
            }
        }
        return found;
    }

    @Property(tries = 1000)
    void findsEachTopicThatMatchesOnce(@ForAll("patterns") String written, @ForAll List<@From("topics") String> names) {
        if (written.isEmpty()) {
            return;
        }
        Address pattern = Address.pattern(AddressKind.TOPIC, written);
        TreeMap<String, Address> topics = new TreeMap<>();
        for (String name : names) {
            if (!name.isEmpty()) {
                topics.put(RetainedScan.key(Address.topic(name)), Address.topic(name));
            }
        }
        assertThat(scan(pattern, topics, new int[1]))
                .containsExactlyInAnyOrderElementsOf(topics.values().stream()
                        .filter(pattern::matches)
                        .map(Address::name)
                        .toList());
    }

    @Test
    void whatCannotMatchIsPassedOverInRanges() {
        TreeMap<String, Address> topics = new TreeMap<>();
        IntStream.range(0, 100)
                .boxed()
                .flatMap(device -> IntStream.range(0, 100).mapToObj(n -> "site.d" + device + ".value" + n))
                .map(Address::topic)
                .forEach(topic -> topics.put(RetainedScan.key(topic), topic));
        int[] looks = new int[1];
        assertThat(scan(Address.pattern(AddressKind.TOPIC, "site.*.value7"), topics, looks))
                .hasSize(100);
        assertThat(looks[0]).as("looked at").isLessThan(400);
        looks[0] = 0;
        assertThat(scan(Address.pattern(AddressKind.TOPIC, "site.d5.>"), topics, looks))
                .hasSize(100);
        assertThat(looks[0]).isLessThan(102);
    }
}
