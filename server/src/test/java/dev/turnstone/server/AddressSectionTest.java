package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Address;
import dev.turnstone.server.config.Configuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AddressSectionTest {
    @TempDir
    Path folder;

    private Configuration<Settings> configuration(String yaml) throws IOException {
        Path file = folder.resolve("turnstone.yaml");
        Files.writeString(file, yaml);
        return Configuration.read(Settings.class, new Configuration.Sources(file, Map.of(), Map.of(), Map.of()));
    }

    private Settings read(String yaml) throws IOException {
        return SettingsOptions.checked(configuration(yaml));
    }

    private String mistake(String yaml) throws IOException {
        return configuration(yaml).problems().get(0).message();
    }

    @Test
    void settingsStandBelowPatternsOfAddresses() throws IOException {
        Settings settings = read("""
            addresses:
              'queue:orders.*':
                memoryBytes: 2 MiB
              "queue:orders.eu": {memoryBytes: 4096}
              '>':
                memoryBytes: 1 MiB
            """);

        assertThat(settings.addresses()
                        .of(Address.queue("orders.us"))
                        .capacity()
                        .memoryBytes())
                .isEqualTo(2 << 20);
        assertThat(settings.addresses()
                        .of(Address.queue("orders.eu"))
                        .capacity()
                        .memoryBytes())
                .isEqualTo(4096);
        assertThat(settings.addresses()
                        .of(Address.topic("orders.eu"))
                        .capacity()
                        .memoryBytes())
                .isEqualTo(1 << 20);
    }

    @Test
    void aWrongNamePatternOrValueIsRefusedWithItsPlace() throws IOException {
        assertThat(mistake("addresses: {'queue:a': {memoryByte: 1}}"))
                .isEqualTo("unknown setting 'addresses.*.memoryByte'; did you mean 'addresses.*.memoryBytes'?");
        assertThat(mistake("addresses: {'a.>.b': {memoryBytes: 4096}}"))
                .startsWith("addresses.\"a.>.b\".memoryBytes: '4096': ")
                .contains("last level");
        assertThat(mistake("addresses: {'a': {memoryBytes: 4 XB}}"))
                .isEqualTo("addresses.\"a\".memoryBytes: '4 XB': not an amount of bytes, such as 1048576 or 1MiB");
        assertThat(mistake("addresses: {'a': {groupsMax: -1}}")).contains("not between");
        assertThat(mistake("addresses: {a: 5}"))
                .isEqualTo("addresses.* is a section: its settings stand below it, further to the right");
    }

    private static Configuration<Settings> options(String... pairs) {
        Map<String, Configuration.Option> options = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            options.put(pairs[i], new Configuration.Option(pairs[i + 1], "set(\"" + pairs[i] + "\")"));
        }
        return Configuration.read(Settings.class, new Configuration.Sources(null, Map.of(), Map.of(), options));
    }

    @Test
    void anOptionNeedsNoQuotesAroundAPattern() {
        Settings settings = SettingsOptions.checked(options(
                "addresses.queue:orders.eu.*.maxAttempts", "3",
                "addresses.>.maxMessages", "5",
                "addresses.\"topic:a.b\".maxMessages", "7",
                "addresses.max", "9",
                "log.levels.dev.turnstone.broker", "debug"));
        assertThat(settings.addresses()
                        .of(Address.queue("orders.eu.x"))
                        .redelivery()
                        .maxAttempts())
                .isEqualTo(3);
        assertThat(settings.addresses().of(Address.topic("a.b")).capacity().maxMessages())
                .isEqualTo(7);
        assertThat(settings.addresses().of(Address.topic("c")).capacity().maxMessages())
                .isEqualTo(5);
        assertThat(settings.log().levels()).containsKey("dev.turnstone.broker");
    }

    @Test
    void aPropertyOfTheJvmNeedsNoneEither() {
        Settings settings = SettingsOptions.checked(Configuration.read(
                Settings.class,
                new Configuration.Sources(
                        null, Map.of(), Map.of("turnstone.addresses.queue:a.b.maxMessages", "7"), Map.of())));
        assertThat(settings.addresses().of(Address.queue("a.b")).capacity().maxMessages())
                .isEqualTo(7);
    }

    @Test
    void aMistakeInAnOptionIsNamedWithTheNearest() {
        assertThat(options("addresses.queue:a.b.maxAttemps", "3")
                        .problems()
                        .get(0)
                        .message())
                .isEqualTo("unknown setting 'addresses.*.maxAttemps'; did you mean 'addresses.*.maxAttempts'?");
        assertThat(options("addresses.queue:a", "3").problems().get(0).message())
                .startsWith("addresses.* is a section");
    }
}
