package dev.turnstone.testkit.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import dev.turnstone.journal.file.FileLayer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Writes the folder that {@link GoldenJournalTest} loads for ever: run {@link #main} with a new folder's path when a
 * new format is introduced, and check in what it wrote beside the older ones, which are never written again.
 */
final class GoldenJournal {
    static final JournalLimits LIMITS = new JournalLimits(1 << 20, 1 << 10, 8 << 10);
    static final String EXPECTED = "expected.txt";

    private final NavigableMap<Long, String> expected = new TreeMap<>();
    private final CompactionWatch compactions = new CompactionWatch();
    private final RecordingListener listener = new RecordingListener();

    private GoldenJournal() {}

    public static void main(String[] args) throws IOException {
        new GoldenJournal().write(Path.of(args[0]));
    }

    private void write(Path folder) throws IOException {
        FileLayer watched = compactions.over(FileLayer.system());
        try (Journal journal = new ArtemisJournalProvider("golden", watched).open(folder, LIMITS, listener)) {
            Survivors.of(journal);
            long id = untilCompacted(journal);
            // Enough for a file that is full and sealed.
            for (int i = 0; i < 15; i++) {
                Batch filler = new Batch();
                add(filler, ++id, 700);
                listener.awaitDurable(journal.append(filler));
            }
            Batch batch = new Batch();
            batch.beginUnit();
            add(batch, ++id, 700);
            add(batch, ++id, 0);
            delete(batch, expected.firstKey());
            batch.endUnit();
            add(batch, ++id, 1024);
            delete(batch, expected.firstKey());
            listener.awaitDurable(journal.append(batch));
        }
        Files.delete(folder.resolve("turnstone.lock"));
        StringBuilder lines = new StringBuilder();
        expected.forEach((recordId, form) ->
                lines.append(recordId).append(' ').append(form).append('\n'));
        Files.writeString(folder.resolve(EXPECTED), lines, UTF_8);
    }

    /** Adds records of which one in ten stays, until a compaction has emptied files. */
    private long untilCompacted(Journal journal) {
        long id = 0;
        while (compactions.files() < 2) {
            Batch batch = new Batch();
            add(batch, ++id, 400);
            if (id > 1 && (id - 1) % 10 != 0) {
                delete(batch, id - 1);
            }
            listener.awaitDurable(journal.append(batch));
            if (id % 60 == 0) {
                await().pollDelay(Duration.ofMillis(200)).until(() -> true);
            }
        }
        return id;
    }

    private void add(Batch batch, long id, int size) {
        byte[] payload = new byte[size];
        for (int i = 0; i < size; i++) {
            payload[i] = (byte) (id * 31 + i);
        }
        byte type = (byte) (id % 7);
        batch.add(id, type, Payload.of(payload));
        expected.put(id, Survivors.form(type, payload));
    }

    private void delete(Batch batch, long id) {
        batch.delete(id);
        expected.remove(id);
    }
}
