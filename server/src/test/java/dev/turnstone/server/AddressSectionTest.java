package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AddressSectionTest {
    @TempDir
    Path folder;

    private Settings read(String yaml) throws IOException {
        Path file = folder.resolve("turnstone.yaml");
        Files.writeString(file, yaml);
        return SettingsFile.read(file);
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

        assertThat(settings.addresses().of(Address.queue("orders.us")).memoryBytes())
                .isEqualTo(2 << 20);
        assertThat(settings.addresses().of(Address.queue("orders.eu")).memoryBytes())
                .isEqualTo(4096);
        assertThat(settings.addresses().of(Address.topic("orders.eu")).memoryBytes())
                .isEqualTo(1 << 20);
    }

    @Test
    void aWrongNamePatternOrValueIsRefusedWithItsPlace() {
        assertThatThrownBy(() -> read("addresses: {'queue:a': {memoryByte: 1}}"))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("addresses.queue:a.memoryByte")
                .hasMessageContaining("did you mean 'memoryBytes'?");
        assertThatThrownBy(() -> read("addresses: {'a.>.b': {memoryBytes: 4096}}"))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("'a.>.b'")
                .hasMessageContaining("last level");
        assertThatThrownBy(() -> read("addresses: {'a': {memoryBytes: 4 XB}}"))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("addresses.a.memoryBytes");
        assertThatThrownBy(() -> read("addresses: {'a': {memoryBytes: 1}}"))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("not between");
        assertThatThrownBy(() -> read("addresses: {a: 5}"))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("needs settings below it");
    }
}
