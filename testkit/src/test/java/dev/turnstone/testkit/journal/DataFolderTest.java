package dev.turnstone.testkit.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import dev.turnstone.journal.file.FileLayer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the journal makes of a folder that is used, foreign, from the future or no folder at all. */
final class DataFolderTest {
    private static final JournalLimits LIMITS = JournalContract.LIMITS;

    @TempDir
    private Path root;

    @Test
    void aFolderIsMadeWithItsParents() {
        open(root.resolve("a/b/c")).close();
        assertThat(root.resolve("a/b/c/turnstone.format")).isRegularFile();
    }

    @Test
    void aSecondJournalInThisProcessIsRefusedByAnyNameOfTheFolderAndTouchesNothing() throws IOException {
        Path link = Files.createSymbolicLink(root.resolve("link"), Files.createDirectory(root.resolve("data")));
        try (Journal journal = open(root.resolve("data"))) {
            Survivors.of(journal);
            Map<String, String> before = content(root.resolve("data"));
            refused(link, Kind.LOCKED, "in use by another broker in this process");
            refused(root.resolve("data/../data"), Kind.LOCKED, "in use");
            assertThat(content(root.resolve("data"))).isEqualTo(before);
        }
        open(link).close();
    }

    @Test
    void aSecondProcessIsRefusedAndTouchesNothing() throws IOException, InterruptedException {
        Path folder = root.resolve("data");
        try (Journal journal = open(folder)) {
            Survivors.of(journal);
            // Refusals within this process must not drop the lock that the other process meets.
            refused(folder, Kind.LOCKED, "in use");
            Map<String, String> before = content(folder);
            Process other = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            SecondProcess.class.getName(),
                            folder.toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(other.getInputStream().readAllBytes(), UTF_8);
            assertThat(other.waitFor()).as(said).isEqualTo(42);
            assertThat(said).contains("LOCKED").contains(folder.toString()).contains("in use by another process");
            assertThat(content(folder)).isEqualTo(before);
        }
    }

    /** Opens a journal and exits with 42 if it is locked. */
    static final class SecondProcess {
        private SecondProcess() {}

        public static void main(String[] args) {
            try {
                open(Path.of(args[0]));
            } catch (JournalException e) {
                System.out.println(e.kind() + " " + e.getMessage());
                System.exit(e.kind() == Kind.LOCKED ? 42 : 1);
            }
        }
    }

    @Test
    void aFolderOfSomethingElseIsRefusedUntouched() throws IOException {
        Files.writeString(root.resolve("holiday.jpg"), "sea");
        Map<String, String> before = content(root);
        refused(root, Kind.FOREIGN, "holiday.jpg");
        assertThat(content(root)).isEqualTo(before);
    }

    @Test
    void aMarkerThatIsNotOursIsForeign() throws IOException {
        Files.writeString(root.resolve("turnstone.format"), "something else\n");
        refused(root, Kind.FOREIGN, "not written by Turnstone");
    }

    @Test
    void aFolderOfANewerFormatIsRefused() throws IOException {
        open(root).close();
        Path marker = root.resolve("turnstone.format");
        Files.writeString(marker, Files.readString(marker).replace("format=2", "format=3"));
        refused(root, Kind.NEWER_FORMAT, "format 3");
    }

    @Test
    void aDamagedMarkerIsReported() throws IOException {
        open(root).close();
        Path marker = root.resolve("turnstone.format");
        Files.writeString(marker, Files.readString(marker).replace("format=2", "format=two"));
        refused(root, Kind.CORRUPT, "turnstone.format");
    }

    @Test
    void aFolderWhoseMakingWasCutShortIsMadeAgain() throws IOException {
        Files.writeString(root.resolve("turnstone.lock"), "");
        Files.writeString(root.resolve("turnstone.format.tmp"), "turns");
        open(root).close();
        assertThat(root.resolve("turnstone.format")).content().contains("format=2");
    }

    @Test
    void aFileInPlaceOfAFolderIsUnusable() throws IOException {
        Path file = Files.writeString(root.resolve("file"), "x");
        refused(file, Kind.UNUSABLE, file.toString());
        refused(file.resolve("below"), Kind.UNUSABLE, file.toString());
    }

    @Test
    void aFolderThatCannotBeWrittenIsUnusable() {
        FaultyFiles full = new FaultyFiles(FileLayer.system());
        full.fail(FaultyFiles.Operation.WRITE, 1);
        assertThatThrownBy(() -> new ArtemisJournalProvider("full", full).open(root, LIMITS, new RecordingListener()))
                .isInstanceOfSatisfying(
                        JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNUSABLE))
                .hasMessageContaining("No space left");
        open(root).close();
    }

    @Test
    void theFileSizeIsFixedWhenTheFolderIsMade() {
        open(root).close();
        JournalLimits larger = new JournalLimits(1 << 20, 200 << 10, 1 << 20);
        assertThatThrownBy(() -> new ArtemisJournalProvider().open(root, larger, new RecordingListener()))
                .isInstanceOfSatisfying(
                        JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNUSABLE))
                .hasMessageContaining(Integer.toString(LIMITS.fileBytes()));
        JournalLimits otherSize = new JournalLimits(1 << 20, 64 << 10, 1 << 20);
        try (Journal journal = new ArtemisJournalProvider().open(root, otherSize, new RecordingListener())) {
            Survivors.of(journal);
        }
        assertThat(root.resolve("journal")).isDirectoryNotContaining(file -> sizeOf(file) > LIMITS.fileBytes());
    }

    @Test
    void noThreadIsLeftAfterCloseAndAllAreDaemons() {
        try (Journal journal = open(root)) {
            Survivors.of(journal);
            assertThat(journalThreads()).isNotEmpty().allMatch(Thread::isDaemon);
        }
        await().until(() -> journalThreads().isEmpty());
    }

    private static List<Thread> journalThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("turnstone-journal"))
                .toList();
    }

    private static long sizeOf(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Journal open(Path folder) {
        return new ArtemisJournalProvider().open(folder, LIMITS, new RecordingListener());
    }

    private static void refused(Path folder, Kind kind, String words) {
        assertThatThrownBy(() -> open(folder))
                .isInstanceOfSatisfying(
                        JournalException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(words);
    }

    /** Names, sizes and times of everything in a folder. */
    private static Map<String, String> content(Path folder) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                FileTime time = Files.getLastModifiedTime(file);
                content.put(folder.relativize(file).toString(), Files.size(file) + " " + time);
            }
        }
        return content;
    }
}
