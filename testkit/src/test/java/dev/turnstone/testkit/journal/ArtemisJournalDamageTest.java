package dev.turnstone.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a start makes of files that a crash tore or that rotted: a torn end is cut, damage is reported, nothing is
 * guessed.
 */
final class ArtemisJournalDamageTest {
    private static final JournalLimits SMALL = new JournalLimits(1 << 20, 4 << 10, 16 << 10);

    private static final ArtemisJournalProvider FILES = new ArtemisJournalProvider("unsynced", new UnsyncedFiles());

    @TempDir
    private Path root;

    private Path original;

    /** The states after each batch, in a journal of one file whose last batches were written by a run that crashed. */
    private final List<NavigableMap<Long, String>> states = new ArrayList<>();

    @BeforeEach
    void writeASmallJournal() throws IOException {
        original = root.resolve("original");
        WithholdingFiles files = WithholdingFiles.overPageCache();
        RecordingListener listener = new RecordingListener();
        Journal journal = new ArtemisJournalProvider("test", files).open(original, SMALL, listener);
        Survivors.of(journal);
        RandomHistory history = new RandomHistory(new Random(11), 60, new TreeMap<>(), 1);
        states.add(new TreeMap<>());
        for (int i = 0; i < 8; i++) {
            listener.awaitDurable(journal.append(history.nextBatch()));
            states.add(history.states().get(history.states().size() - 1));
        }
        files.crashLosingAll();
        journal.close();
    }

    @Test
    void truncationAtAnyByteKeepsAPrefix() throws IOException {
        Path file = tail(original);
        int end = dataEnd(file);
        int shortest = states.size();
        // Every byte of the last chunks, then steps that meet each field of a frame sooner or later.
        for (int length = end; length >= 16; length -= length > end - 300 ? 1 : 7) {
            Path copy = copy();
            try (FileChannel channel = FileChannel.open(tail(copy), StandardOpenOption.WRITE)) {
                channel.truncate(length);
            }
            int kept = states.lastIndexOf(load(copy));
            assertThat(kept).as("cut to %s bytes", length).isBetween(0, shortest);
            shortest = kept;
            if (length % 5 == 0) {
                assertThat(states.lastIndexOf(load(copy))).as("loaded again").isEqualTo(kept);
            }
        }
        assertThat(shortest).isLessThan(2);
    }

    @Test
    void truncationLosesNoMoreThanTheBatchThatIsCut() throws IOException {
        Path file = tail(original);
        Path copy = copy();
        byte[] bytes = Files.readAllBytes(file);
        Files.write(tail(copy), Arrays.copyOf(bytes, dataEnd(file) - 1));
        assertThat(load(copy)).isEqualTo(states.get(states.size() - 2));
        assertThat(load(original)).isEqualTo(states.get(states.size() - 1));
    }

    @Test
    void garbageAtTheTailIsIgnoredAndAppendsGoOn() throws IOException {
        Random random = new Random(3);
        int end = dataEnd(tail(original));
        for (int round = 0; round < 20; round++) {
            Path copy = copy();
            byte[] bytes = Files.readAllBytes(tail(copy));
            byte[] garbage = new byte[1 + random.nextInt(2_000)];
            random.nextBytes(garbage);
            if (round % 2 == 0) {
                // Looks like what a former use of the file, or a record of this one, left there.
                System.arraycopy(bytes, 16 + random.nextInt(end / 2), garbage, 0, Math.min(garbage.length, end / 2));
            }
            System.arraycopy(garbage, 0, bytes, end, garbage.length);
            Files.write(tail(copy), bytes);
            assertThat(load(copy)).isEqualTo(states.get(states.size() - 1));
            appendOne(copy, 5_000);
            NavigableMap<Long, String> expected = new TreeMap<>(states.get(states.size() - 1));
            expected.put(5_000L, Survivors.form((byte) 1, new byte[10]));
            assertThat(load(copy)).isEqualTo(expected);
        }
    }

    @Test
    void aFlippedBitInWhatWasSyncedIsReportedWithItsFileAndNothingIsChanged() throws IOException {
        Path file = tail(original);
        byte[] bytes = Files.readAllBytes(file);
        int lastChunk = lastChunkStart(bytes, dataEnd(file));
        Random random = new Random(9);
        for (int i = 0; i < 60; i++) {
            Path copy = copy();
            byte[] damaged = bytes.clone();
            int at = 16 + random.nextInt(lastChunk - 16);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(tail(copy), damaged);
            assertThatThrownBy(() -> load(copy))
                    .as("bit flipped at %s", at)
                    .isInstanceOfSatisfying(
                            JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT))
                    .hasMessageContaining(file.getFileName().toString());
            assertThat(tail(copy)).hasBinaryContent(damaged);
        }
    }

    @Test
    void aDamagedHeaderIsReported() throws IOException {
        for (int at = 0; at < 8; at++) {
            Path copy = copy();
            byte[] bytes = Files.readAllBytes(tail(copy));
            bytes[at] ^= 0x10;
            Files.write(tail(copy), bytes);
            corrupt(copy, "no valid header");
        }
        Path copy = copy();
        byte[] bytes = Files.readAllBytes(tail(copy));
        bytes[15] = 0;
        Files.write(tail(copy), bytes);
        corrupt(copy, "damaged at position 16");
    }

    @Test
    void afterACleanCloseDamageOfTheVeryLastChunkIsReportedToo() throws IOException {
        load(original);
        appendOne(original, 6_000);
        byte[] bytes = Files.readAllBytes(tail(original));
        int end = dataEnd(tail(original));
        // The mark of the close, then the last chunk before it.
        int lastChunk = lastChunkStart(bytes, end - 37);
        bytes[lastChunk + 60] ^= 1;
        Files.write(tail(original), bytes);
        corrupt(original, "damaged at position " + lastChunk);
    }

    @Test
    void anEarlierFileThatIsCutOrDamagedIsReported() throws IOException {
        fillSeveralFiles(original);
        List<Path> files = segments(original);
        assertThat(files.size()).isGreaterThan(3);
        Path first = files.get(0);
        byte[] bytes = Files.readAllBytes(first);
        int end = dataEnd(first);

        Files.write(first, Arrays.copyOf(bytes, bytes.length / 2));
        corrupt(original, first.getFileName().toString());

        byte[] withoutEnd = bytes.clone();
        Arrays.fill(withoutEnd, end - 20, end, (byte) 0);
        Files.write(first, withoutEnd);
        corrupt(original, first.getFileName() + " ends at position");

        Files.write(first, bytes);
        load(original);
    }

    /** A file that holds one chunk alone has no later mark that would tell of its damage. */
    @Test
    void aFlippedBitInAnEarlierFileOfOneChunkIsReported() throws IOException {
        Path folder = root.resolve("one-chunk");
        try (Journal journal = FILES.open(folder, SMALL, new RecordingListener())) {
            Survivors.of(journal);
            Batch batch = new Batch();
            for (long id = 1; id <= 40; id++) {
                batch.add(id, (byte) 1, Payload.of(new byte[1_000]));
            }
            journal.append(batch);
        }
        Path first = segments(folder).get(0);
        byte[] bytes = Files.readAllBytes(first);
        assertThat(ByteBuffer.wrap(bytes).getInt(16 + 25)).as("one chunk").isGreaterThan(10_000);
        for (int bit = 16 * 8; bit < (16 + 37 + 30) * 8; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(first, damaged);
            corrupt(folder, first.getFileName() + " is damaged at position 16");
        }
    }

    private void fillSeveralFiles(Path folder) {
        try (Journal journal = FILES.open(folder, SMALL, new RecordingListener())) {
            Survivors.of(journal);
            for (long id = 10_000; id < 10_020; id++) {
                Batch batch = new Batch();
                batch.add(id, (byte) 1, Payload.of(new byte[3_000]));
                journal.append(batch);
            }
        }
    }

    private static void appendOne(Path folder, long id) {
        try (Journal journal = FILES.open(folder, SMALL, new RecordingListener())) {
            Survivors.of(journal);
            Batch batch = new Batch();
            batch.add(id, (byte) 1, Payload.of(new byte[10]));
            journal.append(batch);
        }
    }

    private static void corrupt(Path folder, String words) {
        assertThatThrownBy(() -> load(folder))
                .isInstanceOfSatisfying(
                        JournalException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT))
                .hasMessageContaining(words);
    }

    private static NavigableMap<Long, String> load(Path folder) {
        try (Journal journal = FILES.open(folder, SMALL, new RecordingListener())) {
            return Survivors.of(journal);
        }
    }

    private int copies;

    private Path copy() throws IOException {
        Path target = root.resolve("copy-" + copies++);
        try (Stream<Path> files = Files.walk(original)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, target.resolve(original.relativize(file).toString()));
            }
        }
        return target;
    }

    private static List<Path> segments(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("journal"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted(Comparator.comparingLong(ArtemisJournalDamageTest::fileId))
                    .toList();
        }
    }

    /** The newest file with data. */
    private static Path tail(Path folder) throws IOException {
        Path tail = null;
        for (Path file : segments(folder)) {
            if (dataEnd(file) > 16) {
                tail = file;
            }
        }
        return Objects.requireNonNull(tail);
    }

    private static long fileId(Path file) {
        try {
            return ByteBuffer.wrap(Files.readAllBytes(file)).getLong(8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Files here are new, so that zeros follow the data. */
    private static int dataEnd(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int end = bytes.length;
        while (end > 16 && bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private static int lastChunkStart(byte[] bytes, int end) {
        ByteBuffer content = ByteBuffer.wrap(bytes);
        int at = 16;
        while (true) {
            int next = at + 37 + content.getInt(at + 25);
            if (next >= end) {
                return at;
            }
            at = next;
        }
    }
}
