package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.server.config.Configuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BindingSectionTest {
    @TempDir
    Path folder;

    private Configuration<Settings> configuration(String yaml) throws IOException {
        Path file = folder.resolve("turnstone.yaml");
        Files.writeString(file, yaml);
        return Configuration.read(Settings.class, new Configuration.Sources(file, Map.of(), Map.of(), Map.of()));
    }

    @Test
    void bindingsAndVirtualTopicsAreWrittenAsLists() throws IOException {
        Settings settings = SettingsOptions.checked(configuration("""
                bindings:
                  - {source: 'queue:old.orders', target: 'queue:orders', mode: move}
                  - {source: 'topic:log.>', selector: "size > 1000", target: 'queue:large'}
                virtualTopics:
                  - {topics: 'VirtualTopic.>'}
                """));

        assertThat(settings.bindings())
                .extracting(BindingSettings::target)
                .containsExactly("queue:orders", "queue:large");
        assertThat(settings.virtualTopics())
                .extracting(VirtualTopicSettings::queues)
                .containsExactly("Consumer.*");
    }

    @Test
    void aCircleAPlaceWithoutKindAndABadSelectorAreRefused() throws IOException {
        assertThat(configuration("""
                bindings:
                  - {source: 'queue:a', target: 'queue:b'}
                  - {source: 'queue:b', target: 'queue:a'}
                """).problems().toString()).contains("circle");
        assertThat(configuration("bindings: [{source: 'orders', target: 'queue:b'}]")
                        .problems()
                        .toString())
                .contains("'orders' begins neither with queue: nor with topic:");
        assertThat(configuration("bindings: [{source: 'queue:a', target: 'queue:b', selector: 'n ='}]")
                        .problems()
                        .toString())
                .contains("n =");
        assertThat(configuration("bindings: [{sorce: 'queue:a', target: 'queue:b'}]")
                        .problems()
                        .toString())
                .contains("did you mean");
    }
}
