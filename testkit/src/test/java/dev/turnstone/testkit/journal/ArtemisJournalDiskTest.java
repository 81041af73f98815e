package dev.turnstone.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import dev.turnstone.journal.file.FileLayer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the journal says of a disk that fills up. */
final class ArtemisJournalDiskTest {
    private static final int FILE_BYTES = 256 << 10;
    private static final JournalLimits LIMITS = new JournalLimits(1 << 20, 64 << 10, FILE_BYTES, 8 << 20);

    @TempDir
    private Path root;

    private final AtomicInteger changes = new AtomicInteger();

    @Test
    void belowTheMarkThereIsNoRoomUntilOneFileMoreIsFreeAndAppendsGoOn() {
        FaultyFiles disk = new FaultyFiles(FileLayer.system());
        try (Journal journal = open(disk)) {
            Survivors.of(journal);
            assertThat(journal.hasRoom()).isTrue();
            disk.freeBytes(4 << 20);
            await().until(() -> !journal.hasRoom());
            assertThat(changes).hasValue(1);
            assertThat(journal.freeBytes()).isBetween(4L << 20, 8L << 20);
            Batch batch = new Batch();
            batch.add(1, (byte) 1, Payload.of(new byte[10]));
            long lsn = journal.append(batch);
            await().until(() -> journal.durableLsn() >= lsn);
            disk.freeBytes((8 << 20) + 3 * FILE_BYTES);
            await().until(journal::hasRoom);
            assertThat(changes).hasValue(2);
        }
    }

    @Test
    void aJournalThatStartsOnAFullDiskSaysSoFromTheStart() {
        FaultyFiles disk = new FaultyFiles(FileLayer.system());
        open(disk).close();
        disk.freeBytes(0);
        try (Journal journal = open(disk)) {
            Survivors.of(journal);
            assertThat(journal.hasRoom()).isFalse();
        }
    }

    private Journal open(FileLayer disk) {
        return new ArtemisJournalProvider("disk", disk).open(root.resolve("data"), LIMITS, new JournalListener() {
            @Override
            public void durable(long lsn) {
                // Asked for.
            }

            @Override
            public void roomChanged() {
                changes.incrementAndGet();
            }

            @Override
            public void failed(JournalException cause) {
                throw new IllegalStateException(cause);
            }
        });
    }
}
