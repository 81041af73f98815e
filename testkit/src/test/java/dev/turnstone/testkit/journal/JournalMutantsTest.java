package dev.turnstone.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.store.RecordType;
import dev.turnstone.broker.store.StateRecord;
import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalProvider;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The means of crash tests do what they say: what is withheld is lost, and each mutant loses what it confirmed. */
final class JournalMutantsTest {
    @TempDir
    private Path folder;

    @Test
    void providersAreFoundByTheirNames() {
        List<String> names = ServiceLoader.load(JournalProvider.class).stream()
                .map(provider -> provider.get().name())
                .toList();
        assertThat(names)
                .containsExactlyInAnyOrder(
                        "artemis",
                        "artemis-withholding",
                        "artemis-fsync-skipped",
                        "artemis-confirmed-early",
                        "artemis-commits-early",
                        "artemis-forgets-packets",
                        "artemis-slow",
                        "artemis-late");
    }

    @Test
    void whatWasSyncedSurvivesAndAnHonestJournalLosesNothing() throws IOException {
        WithholdingFiles files = new WithholdingFiles();
        confirmOneRecord(new ArtemisJournalProvider("honest", files), files);
        assertThat(left()).isEqualTo(1);
    }

    @Test
    void aJournalThatSkipsFsyncLosesWhatItConfirmed() throws IOException {
        WithholdingFiles files = WithholdingFiles.thatSkipFsync();
        confirmOneRecord(new ArtemisJournalProvider("mutant", files), files);
        assertThat(left()).isZero();
    }

    @Test
    void aJournalThatConfirmsEarlyHasNotYetWritten() {
        RecordingListener listener = new RecordingListener();
        try (Journal journal = new ConfirmedEarlyJournalProvider().open(folder, JournalContract.LIMITS, listener)) {
            Survivors.of(journal);
            long lsn = journal.append(record());
            assertThat(listener.durable()).isEqualTo(lsn);
        }
    }

    @Test
    void aJournalThatConfirmsCommitsEarlyHasNotYetWrittenThem() {
        RecordingListener listener = new RecordingListener();
        try (Journal journal = new CommitsEarlyJournalProvider().open(folder, JournalContract.LIMITS, listener)) {
            Survivors.of(journal);
            Batch prepared = new Batch();
            prepared.add(1, RecordType.BRANCH.code(), Payload.of(new byte[10]));
            long lsn = journal.append(prepared);
            listener.awaitDurable(lsn);

            Batch committed = new Batch();
            committed.delete(1);
            lsn = journal.append(committed);
            assertThat(listener.durable()).isEqualTo(lsn);
        }
    }

    @Test
    void aJournalThatForgetsPacketsKeepsAllElse() {
        RecordingListener listener = new RecordingListener();
        try (Journal journal = new ForgetsPacketsJournalProvider().open(folder, JournalContract.LIMITS, listener)) {
            Survivors.of(journal);
            Batch batch = new Batch();
            batch.beginUnit();
            batch.add(1, RecordType.MESSAGE.code(), Payload.of(new byte[10]));
            batch.add(2, RecordType.STATE.code(), new StateRecord(cell("mqtt\0client\0i17")));
            batch.add(3, RecordType.STATE.code(), new StateRecord(cell("mqtt\0client\0s")));
            batch.endUnit();
            journal.append(batch);
            Batch released = new Batch();
            released.delete(2);
            listener.awaitDurable(journal.append(released));
        }
        assertThat(left()).isEqualTo(2);
    }

    private static byte[] cell(String path) {
        byte[] text = path.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 + text.length)
                .putShort((short) text.length)
                .put(text)
                .array();
    }

    private void confirmOneRecord(JournalProvider provider, WithholdingFiles files) throws IOException {
        RecordingListener listener = new RecordingListener();
        try (Journal journal = provider.open(folder, JournalContract.LIMITS, listener)) {
            Survivors.of(journal);
            listener.awaitDurable(journal.append(record()));
            files.crashLosingAll();
        }
    }

    private int left() {
        try (Journal journal =
                new ArtemisJournalProvider().open(folder, JournalContract.LIMITS, new RecordingListener())) {
            return Survivors.of(journal).size();
        }
    }

    private static Batch record() {
        Batch batch = new Batch();
        batch.add(1, (byte) 1, Payload.of(new byte[100]));
        return batch;
    }
}
