package dev.turnstone.testkit.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.file.FileLayer;
import dev.turnstone.journal.page.PageFiles;
import dev.turnstone.journal.page.PageStore;
import dev.turnstone.testkit.journal.FaultyFiles;
import dev.turnstone.testkit.journal.WithholdingFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on real files, under a layer that loses and tears what was not synced when the power fails. */
final class PageFilesTest extends PageStoreContract {
    @TempDir
    private Path folder;

    private WithholdingFiles files = WithholdingFiles.overPageCache();

    @Override
    protected PageStore open(RecordingPages listener) {
        return PageFiles.open(folder, files, listener);
    }

    @Override
    protected void await(PageStore pages, BooleanSupplier condition) {
        Awaitility.await().until(condition::getAsBoolean);
    }

    @Override
    protected void crash(PageStore pages, Random random) {
        try {
            files.crash(random);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files = WithholdingFiles.overPageCache();
        pages.close();
    }

    @Override
    protected void damage(long id) {
        flip(id, 500);
    }

    private Path file(long id) {
        return folder.resolve(String.format("%016x.page", id));
    }

    private void flip(long id, int at) {
        try {
            byte[] bytes = Files.readAllBytes(file(id));
            bytes[at] ^= 4;
            Files.write(file(id), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writeOne(FileLayer layer, long id, RecordingPages listener) {
        try (PageStore pages = PageFiles.open(folder, layer, listener)) {
            pages.write(id, Payload.of(new byte[1_000]), true);
        }
    }

    @Test
    void everyBitOfAHeaderCountsAndTheFileIsNamed() {
        writeOne(FileLayer.system(), 1, new RecordingPages());
        for (int at = 0; at < 28; at++) {
            flip(1, at);
            try (PageStore pages = PageFiles.open(folder, FileLayer.system(), new RecordingPages())) {
                assertThatThrownBy(() -> pages.check(1))
                        .isInstanceOf(JournalException.class)
                        .hasMessageContaining("0000000000000001.page");
            }
            flip(1, at);
        }
    }

    @Test
    void aTruncatedFileIsFoundAtStart() throws IOException {
        writeOne(FileLayer.system(), 1, new RecordingPages());
        byte[] whole = Files.readAllBytes(file(1));
        try (PageStore pages = PageFiles.open(folder, FileLayer.system(), new RecordingPages())) {
            for (int length : new int[] {0, 10, 28, whole.length - 1}) {
                Files.write(file(1), java.util.Arrays.copyOf(whole, length));
                assertThatThrownBy(() -> pages.check(1)).isInstanceOf(JournalException.class);
            }
        }
    }

    @Test
    void aFailureOfTheDiskIsHeardOfAndTheWriteIsNot() {
        for (FaultyFiles.Operation operation : new FaultyFiles.Operation[] {
            FaultyFiles.Operation.WRITE, FaultyFiles.Operation.SYNC, FaultyFiles.Operation.SYNC_FOLDER
        }) {
            RecordingPages listener = new RecordingPages();
            FaultyFiles faulty = new FaultyFiles(FileLayer.system());
            try (PageStore pages = PageFiles.open(folder, faulty, listener)) {
                faulty.fail(operation, 1);
                pages.write(1, Payload.of(new byte[10]), true);
            }
            assertThat(listener.failure()).as(operation.toString()).isNotNull();
            assertThat(listener.written()).as(operation.toString()).isEmpty();
        }
    }

    @Test
    void pagesThatSkipTheirFsyncAreLost() {
        WithholdingFiles mutant = WithholdingFiles.thatSkipFsync();
        RecordingPages listener = new RecordingPages();
        writeOne(mutant, 1, listener);
        assertThat(listener.written()).containsExactly(1L);
        mutant.crashLosingAll();
        try (PageStore pages = PageFiles.open(folder, FileLayer.system(), new RecordingPages())) {
            assertThatThrownBy(() -> pages.check(1)).isInstanceOf(JournalException.class);
        }
    }
}
