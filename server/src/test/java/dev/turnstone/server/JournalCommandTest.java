package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalCommandTest {
    @TempDir
    Path folder;

    private Path data;
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @BeforeEach
    void makeAFolder() {
        data = folder.resolve("data");
        EmbeddedBroker.start(BrokerSettings.in(data)).close();
    }

    private int run(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    /** The file that the broker wrote to. */
    private Path journalFile() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("journal"))) {
            return files.min(Comparator.naturalOrder()).orElseThrow();
        }
    }

    private void damage() throws IOException {
        byte[] bytes = Files.readAllBytes(journalFile());
        bytes[60] ^= 1;
        Files.write(journalFile(), bytes);
    }

    @Test
    void verifySaysThatAJournalIsSound() {
        assertThat(run("journal", "verify", "--data", data.toString())).isZero();
        assertThat(out.toString()).contains(data.toString()).contains("sound");
        assertThat(run("journal", "verify", "--data", data.toString(), "--json"))
                .isZero();
        assertThat(out.toString()).contains("\"sound\":true").contains("\"problems\":[]");
    }

    @Test
    void verifyNamesWhatIsDamagedAndFails() throws IOException {
        damage();
        assertThat(run("journal", "verify", "--data", data.toString())).isEqualTo(Main.FAILED);
        assertThat(out.toString())
                .contains(journalFile().getFileName().toString())
                .contains("damaged at position 16");
        assertThat(run("journal", "verify", "--data", data.toString(), "--json"))
                .isEqualTo(Main.FAILED);
        assertThat(out.toString()).contains("\"sound\":false").contains("damaged at position 16");
    }

    @Test
    void statCountsWhatLives() throws IOException {
        Path config = Files.writeString(folder.resolve("turnstone.yaml"), "data: " + data + "\n");
        assertThat(run("journal", "stat", "--config", config.toString())).isZero();
        assertThat(out.toString().lines())
                .contains("format 2")
                .anyMatch(line -> line.matches("living [1-9]\\d* records, \\d+ bytes, 0 moved by compactions"))
                .anyMatch(line -> line.matches("space \\d+ bytes in \\d+ files"));
        assertThat(run("journal", "stat", "--data", data.toString(), "--json")).isZero();
        assertThat(out.toString()).contains("\"living\":{\"records\":").contains("\"state\":\"open\"");
    }

    @Test
    void aFolderThatIsInUseOrNoneOfOursIsRefusedInOneLine() {
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(data))) {
            assertThat(broker.listeners()).isEmpty();
            assertThat(run("journal", "verify", "--data", data.toString())).isEqualTo(Main.FAILED);
            assertThat(err.toString())
                    .startsWith("turnstone: ")
                    .contains("in use")
                    .hasLineCount(1);
        }
        assertThat(run("journal", "stat", "--data", folder.toString())).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("not a Turnstone data folder").hasLineCount(1);
    }
}
