package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
    void chunksOfLargeBodiesAreCountedAndChecked() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(data))) {
            broker.share();
            try (JMSContext context = new TurnstoneConnectionFactory("vm://?data=" + data).createContext()) {
                context.createProducer().send(context.createQueue("q"), new byte[3 << 20]);
            }
        }
        assertThat(run("journal", "verify", "--data", data.toString())).isZero();
        assertThat(out.toString()).contains("6 chunks of large bodies, 6 page files, sound");
        assertThat(run("journal", "stat", "--data", data.toString())).isZero();
        assertThat(out.toString().lines())
                .anyMatch(line -> line.endsWith("0 of them left over, 6 chunks of large bodies"));
        Path chunk;
        try (Stream<Path> files = Files.list(data.resolve("pages"))) {
            chunk = files.min(Comparator.naturalOrder()).orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(chunk);
        bytes[bytes.length / 2] ^= 1;
        Files.write(chunk, bytes);
        assertThat(run("journal", "verify", "--data", data.toString())).isEqualTo(Main.FAILED);
        assertThat(out.toString())
                .contains(chunk.getFileName().toString())
                .contains("damaged content")
                .contains("1 damaged");
        Files.write(chunk, Arrays.copyOf(bytes, bytes.length / 2));
        assertThat(run("journal", "verify", "--data", data.toString())).isEqualTo(Main.FAILED);
        assertThat(out.toString()).contains(chunk.getFileName().toString()).contains("1 damaged");
        Files.delete(chunk);
        assertThat(run("journal", "verify", "--data", data.toString())).isEqualTo(Main.FAILED);
        assertThat(out.toString()).contains(chunk.getFileName() + " is missing").contains("1 damaged");
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

    /** Persistent messages of a queue that may keep next to nothing in memory. */
    private Path pageFile() throws IOException {
        Path paged = folder.resolve("paged");
        try (Turnstone broker = Turnstone.builder()
                        .data(paged)
                        .set("address.memoryMax", "1")
                        .set("page.bytes", "1000")
                        .start();
                JMSContext context = broker.connectionFactory().createContext()) {
            for (int i = 0; i < 100; i++) {
                context.createProducer().send(context.createQueue("q"), "x".repeat(500));
            }
        }
        data = paged;
        try (Stream<Path> files = Files.list(paged.resolve("pages"))) {
            return files.min(Comparator.naturalOrder()).orElseThrow();
        }
    }

    @Test
    void pageFilesAreCountedAndVerifiedAndAStartWithoutOneIsRefused() throws IOException {
        Path page = pageFile();
        assertThat(run("journal", "verify", "--data", data.toString())).isZero();
        assertThat(out.toString()).contains("page files, sound");
        assertThat(run("journal", "stat", "--data", data.toString())).isZero();
        assertThat(out.toString().lines())
                .anyMatch(line -> line.matches("pages [1-9]\\d* bytes in [1-9]\\d* files, .*"));
        assertThat(run("journal", "stat", "--data", data.toString(), "--json")).isZero();
        assertThat(out.toString()).contains("\"pages\":{\"files\":");

        byte[] bytes = Files.readAllBytes(page);
        bytes[bytes.length - 1] ^= 1;
        Files.write(page, bytes);
        assertThat(run("journal", "verify", "--data", data.toString())).isEqualTo(Main.FAILED);
        assertThat(out.toString()).contains(page.toString()).contains("damaged content between positions");

        Files.delete(page);
        assertThat(run("journal", "verify", "--data", data.toString(), "--json"))
                .isEqualTo(Main.FAILED);
        assertThat(out.toString()).contains("\"sound\":false").contains("is missing");
        assertThatThrownBy(() -> Turnstone.builder().data(data).start())
                .hasMessageContaining(page.toString())
                .hasMessageContaining("is missing")
                .hasMessageContaining("turnstone journal verify");
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
