package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.server.config.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The manual's page of settings is the one that the program prints. */
final class SettingsManualTest {
    private static final Path MANUAL = Path.of(System.getProperty("project.root"), "docs", "settings.md");

    @Test
    void isCurrent() throws IOException {
        assertThat(Files.readString(MANUAL))
                .as("docs/settings.md is not what './turnstone config docs' prints")
                .isEqualTo(Reference.page(Settings.class));
    }
}
