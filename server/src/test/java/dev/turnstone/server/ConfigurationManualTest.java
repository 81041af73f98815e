package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The manual names every setting, and none that is not there. */
final class ConfigurationManualTest {
    private static final Path MANUAL = Path.of(System.getProperty("project.root"), "docs", "configuration.md");
    private static final Pattern SETTING_ROW = Pattern.compile("(?m)^\\| `([\\w.]+)` \\| ");

    @Test
    void namesExactlyTheSettingsThatThereAre() throws IOException {
        Set<String> documented = new TreeSet<>();
        SETTING_ROW.matcher(Files.readString(MANUAL)).results().forEach(row -> documented.add(row.group(1)));
        assertThat(documented).isEqualTo(SettingsFile.known());
    }
}
