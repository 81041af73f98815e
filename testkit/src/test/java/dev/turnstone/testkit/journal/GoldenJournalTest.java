package dev.turnstone.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every format ever written can be read. */
final class GoldenJournalTest {
    @TempDir
    private Path root;

    @ParameterizedTest
    @ValueSource(strings = {"format-1", "format-2"})
    void aFolderOfThisFormatLoadsAndTakesAppends(String format) throws IOException, URISyntaxException {
        Path golden = Path.of(
                GoldenJournalTest.class.getResource("/golden/journal/" + format).toURI());
        Path folder = root.resolve(format);
        copy(golden, folder);
        NavigableMap<Long, String> expected = expected(golden);

        try (Journal journal =
                new ArtemisJournalProvider().open(folder, GoldenJournal.LIMITS, new RecordingListener())) {
            assertThat(Survivors.of(journal)).isEqualTo(expected);
            // An older one is of this format from here on, so that no program of that time takes it for its own.
            assertThat(folder.resolve("turnstone.format")).content().contains("format=2");
            Batch batch = new Batch();
            batch.add(1_000_000, (byte) 9, Payload.of(new byte[] {1}));
            batch.delete(expected.firstKey());
            journal.append(batch);
        }
        expected.remove(expected.firstKey());
        expected.put(1_000_000L, Survivors.form((byte) 9, new byte[] {1}));
        try (Journal journal =
                new ArtemisJournalProvider().open(folder, GoldenJournal.LIMITS, new RecordingListener())) {
            assertThat(Survivors.of(journal)).isEqualTo(expected);
        }
    }

    static NavigableMap<Long, String> expected(Path golden) throws IOException {
        NavigableMap<Long, String> expected = new TreeMap<>();
        for (String line : Files.readAllLines(golden.resolve(GoldenJournal.EXPECTED))) {
            int space = line.indexOf(' ');
            expected.put(Long.parseLong(line.substring(0, space)), line.substring(space + 1));
        }
        assertThat(expected).hasSizeGreaterThan(5);
        return expected;
    }

    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (!file.endsWith(GoldenJournal.EXPECTED)) {
                    Files.copy(file, to.resolve(from.relativize(file).toString()));
                }
            }
        }
    }
}
