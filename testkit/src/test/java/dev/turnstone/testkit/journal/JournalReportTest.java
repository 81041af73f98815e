package dev.turnstone.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import dev.turnstone.journal.JournalFileReport;
import dev.turnstone.journal.JournalFileReport.State;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalReport;
import dev.turnstone.journal.NamedFiles;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import dev.turnstone.journal.page.PageStore;
import dev.turnstone.testkit.page.RecordingPages;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a look at a journal that nobody uses tells, and that it changes nothing. */
final class JournalReportTest {
    private static final JournalLimits SMALL = new JournalLimits(1 << 20, 4 << 10, 16 << 10);

    private static final byte PAGES = 40;
    /** Records of one type stand for page files of their own identifiers. */
    private static final NamedFiles OWN = (id, type, payload) -> type == PAGES ? new long[] {id} : new long[0];

    @TempDir
    private Path root;

    private NavigableMap<Long, String> fill() {
        RandomHistory history = new RandomHistory(new Random(4), 1_000, new TreeMap<>(), 1);
        try (Journal journal = open()) {
            Survivors.of(journal);
            for (int i = 0; i < 200; i++) {
                journal.append(history.nextBatch());
            }
        }
        return history.states().get(history.states().size() - 1);
    }

    @Test
    void aSoundJournalIsCountedAndNotTouched() throws IOException {
        NavigableMap<Long, String> living = fill();
        Map<String, String> before = content();
        JournalReport report = ArtemisJournalProvider.inspect(root, OWN, id -> false);
        assertThat(report.problems()).isEmpty();
        assertThat(report.format()).isEqualTo(2);
        assertThat(report.fileBytes()).isEqualTo(SMALL.fileBytes());
        JournalReport.Living counted = Objects.requireNonNull(report.living());
        assertThat(counted.records()).isEqualTo(living.size());
        assertThat(counted.types().values().stream()
                        .mapToLong(JournalReport.OfType::records)
                        .sum())
                .isEqualTo(living.size());
        assertThat(report.files()).extracting(JournalFileReport::state).contains(State.COMPLETE, State.OPEN);
        assertThat(content()).isEqualTo(before);
    }

    @Test
    void everyDamagedFileIsNamedWithItsPosition() throws IOException {
        fill();
        JournalReport sound = ArtemisJournalProvider.inspect(root, OWN, id -> false);
        List<JournalFileReport> complete = sound.files().stream()
                .filter(file -> file.state() == State.COMPLETE)
                .toList();
        JournalFileReport first = complete.get(0);
        JournalFileReport second = complete.get(1);
        flip(first, 16 + 40);
        flip(second, 16 + 50);
        JournalReport damaged = ArtemisJournalProvider.inspect(root, OWN, id -> false);
        assertThat(damaged.problems())
                .hasSize(2)
                .allMatch(problem -> problem.endsWith("is damaged at position 16"))
                .anyMatch(problem -> problem.contains(first.name()))
                .anyMatch(problem -> problem.contains(second.name()));
        assertThat(damaged.living()).isNull();
        assertThat(damaged.files())
                .filteredOn(file -> file.state() == State.DAMAGED)
                .hasSize(2);
        // And a start refuses, naming who tells more.
        try (Journal journal = open()) {
            assertThatThrownBy(() -> Survivors.of(journal))
                    .isInstanceOfSatisfying(
                            JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT))
                    .hasMessageContaining("position 16")
                    .hasMessageContaining("turnstone journal verify");
        }
    }

    @Test
    void aFolderInUseIsRefusedAndAFolderOfSomethingElseIsNotMadeOne() throws IOException {
        try (Journal journal = open()) {
            Survivors.of(journal);
            assertThatThrownBy(() -> ArtemisJournalProvider.inspect(root, OWN, id -> false))
                    .isInstanceOfSatisfying(
                            JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LOCKED));
        }
        Path other = Files.createDirectory(root.resolve("other"));
        assertThatThrownBy(() -> ArtemisJournalProvider.inspect(other, NamedFiles.NONE, id -> false))
                .isInstanceOfSatisfying(
                        JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.FOREIGN));
        assertThat(other).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"format-1", "format-2"})
    void foldersOfOlderFormatsAreReadAsTheyAre(String format) throws IOException, URISyntaxException {
        Path golden = Path.of(
                JournalReportTest.class.getResource("/golden/journal/" + format).toURI());
        GoldenJournalTest.copy(golden, root.resolve(format));
        JournalReport report = ArtemisJournalProvider.inspect(root.resolve(format), NamedFiles.NONE, id -> false);
        assertThat(report.problems()).isEmpty();
        assertThat(format).endsWith(Integer.toString(report.format()));
        JournalReport.Living living = Objects.requireNonNull(report.living());
        assertThat(living.records())
                .isEqualTo(GoldenJournalTest.expected(golden).size());
        assertThat(living.moved() > 0).isEqualTo(report.format() > 1);
    }

    @Test
    void pageFilesAreCheckedAgainstTheRecordsThatNameThem() throws IOException {
        ArtemisJournalProvider provider = new ArtemisJournalProvider("report", new UnsyncedFiles());
        RecordingPages written = new RecordingPages();
        try (Journal journal = open()) {
            Survivors.of(journal);
            try (PageStore pages = provider.openPages(root, written)) {
                for (long id = 1; id <= 4; id++) {
                    pages.write(id, Payload.of(new byte[500]), true);
                }
                pages.await();
                assertThat(written.written()).containsExactly(1L, 2L, 3L, 4L);
            }
            Batch batch = new Batch();
            for (long id : new long[] {1, 2, 3, 5}) {
                batch.add(id, PAGES, Payload.of(new byte[1]));
            }
            journal.append(batch);
        }
        Path third = page(3);
        byte[] bytes = Files.readAllBytes(third);
        bytes[bytes.length - 1] ^= 1;
        Files.write(third, bytes);
        Files.write(page(4), new byte[3]);
        Map<String, String> before = content();

        JournalReport report = ArtemisJournalProvider.inspect(root, OWN, id -> false);
        assertThat(report.pages().files()).isEqualTo(4);
        assertThat(report.pages().leftOver()).as("which a start deletes").isEqualTo(1);
        assertThat(report.pages().bytes()).isGreaterThan(1_500);
        assertThat(report.problems())
                .hasSize(2)
                .anyMatch(problem -> problem.contains(third.toString()) && problem.contains("between positions 28 and"))
                .anyMatch(problem -> problem.contains(page(5).toString()) && problem.contains("is missing"));
        assertThat(content()).isEqualTo(before);
    }

    private Path page(long id) {
        return root.resolve("pages").resolve(String.format("%016x.page", id));
    }

    @Test
    void anEmptyJournalIsSound() {
        open().close();
        try (Journal journal = open()) {
            Survivors.of(journal);
            Batch batch = new Batch();
            batch.add(1, (byte) 3, Payload.of(new byte[7]));
            batch.delete(1);
            journal.append(batch);
        }
        JournalReport report = ArtemisJournalProvider.inspect(root, OWN, id -> false);
        assertThat(report.problems()).isEmpty();
        assertThat(Objects.requireNonNull(report.living()).records()).isZero();
    }

    private void flip(JournalFileReport file, int at) throws IOException {
        Path path = root.resolve("journal").resolve(file.name());
        byte[] bytes = Files.readAllBytes(path);
        bytes[at] ^= 4;
        Files.write(path, bytes);
    }

    private Journal open() {
        return new ArtemisJournalProvider("report", new UnsyncedFiles()).open(root, SMALL, new RecordingListener());
    }

    /** Names, sizes and times of everything but the lock. */
    private Map<String, String> content() throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                if (!file.endsWith("turnstone.lock")) {
                    content.put(
                            root.relativize(file).toString(), Files.size(file) + " " + Files.getLastModifiedTime(file));
                }
            }
        }
        return content;
    }
}
