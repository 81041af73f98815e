package dev.turnstone.testkit.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.page.PageStore;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * What every page store keeps. A subclass names the one under test and how it dies; each test has a storage of its own.
 */
public abstract class PageStoreContract {
    private RecordingPages listener = new RecordingPages();

    /** Opens the page store on this test's storage. */
    protected abstract PageStore open(RecordingPages listener);

    /** Lets it do what it was asked for until the condition holds. */
    protected abstract void await(PageStore pages, BooleanSupplier condition);

    /** The power fails; the storage can be opened again. */
    protected abstract void crash(PageStore pages, Random random);

    /** A file's content changes on the disk, while nobody has it open. */
    protected abstract void damage(long id);

    private PageStore opened() {
        listener = new RecordingPages();
        return open(listener);
    }

    private void write(PageStore pages, long id, byte[] content, boolean durable) {
        pages.write(id, Payload.of(content), durable);
        await(pages, () -> listener.written().contains(id));
    }

    private static byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return content;
    }

    @Test
    void aNewFolderHasNoPages() {
        try (PageStore pages = opened()) {
            assertThat(pages.find()).isEmpty();
        }
    }

    @Test
    void whatIsWrittenIsRead() {
        try (PageStore pages = opened()) {
            write(pages, 7, content(100_000), true);
            write(pages, Long.MAX_VALUE, content(0), false);
            pages.read(7);
            pages.read(Long.MAX_VALUE);
            await(pages, () -> listener.read(7) != null && listener.read(Long.MAX_VALUE) != null);
            assertThat(listener.read(7)).isEqualTo(content(100_000));
            assertThat(listener.read(Long.MAX_VALUE)).isEmpty();
        }
    }

    @Test
    void pagesAreReportedInTheOrderInWhichTheyWereAskedFor() {
        try (PageStore pages = opened()) {
            for (long id = 1; id <= 20; id++) {
                pages.write(id, Payload.of(content((int) id)), id % 2 == 0);
            }
            await(pages, () -> listener.written().size() == 20);
            assertThat(listener.written()).isSorted();
        }
    }

    @Test
    void aPageOutlivesAnOrderlyClose() {
        try (PageStore pages = opened()) {
            write(pages, 3, content(10), true);
        }
        try (PageStore pages = opened()) {
            assertThat(pages.find()).containsExactly(3);
            pages.check(3);
        }
    }

    @Test
    void aDurablePageOutlivesAPowerFailureWhateverElseIsUnderWay() {
        for (int seed = 0; seed < 10; seed++) {
            PageStore pages = opened();
            long first = 100L * seed + 1;
            write(pages, first, content(5_000), true);
            pages.write(first + 1, Payload.of(content(3_000)), true);
            pages.write(first + 2, Payload.of(content(3_000)), false);
            crash(pages, new Random(seed));
            try (PageStore again = opened()) {
                again.check(first);
                again.read(first);
                await(again, () -> listener.read(first) != null);
                assertThat(listener.read(first)).isEqualTo(content(5_000));
            }
        }
    }

    @Test
    void aDeletedPageIsGone() {
        try (PageStore pages = opened()) {
            write(pages, 1, content(10), true);
            write(pages, 2, content(10), true);
            pages.delete(1);
            pages.delete(99);
            // Deletions and writes have one order.
            write(pages, 3, content(10), true);
            assertThat(pages.find()).containsExactlyInAnyOrder(2, 3);
            assertThatThrownBy(() -> pages.check(1)).isInstanceOfSatisfying(JournalException.class, this::isCorrupt);
        }
    }

    @Test
    void anIdentifierOfALostPageIsTakenAgain() {
        PageStore pages = opened();
        pages.write(5, Payload.of(content(2_000)), true);
        crash(pages, new Random(1));
        try (PageStore again = opened()) {
            write(again, 5, content(20), true);
            again.read(5);
            await(again, () -> listener.read(5) != null);
            assertThat(listener.read(5)).isEqualTo(content(20));
        }
    }

    @Test
    void aMissingPageIsSaidToBeMissing() {
        try (PageStore pages = opened()) {
            assertThatThrownBy(() -> pages.check(4))
                    .isInstanceOfSatisfying(JournalException.class, this::isCorrupt)
                    .hasMessageContaining("missing");
            pages.read(4);
            await(pages, () -> listener.failure() != null);
            isCorrupt(listener.failure());
        }
    }

    @Test
    void damageIsFoundWhenAPageIsRead() {
        try (PageStore pages = opened()) {
            write(pages, 4, content(1_000), true);
        }
        damage(4);
        try (PageStore pages = opened()) {
            pages.read(4);
            await(pages, () -> listener.failure() != null);
            isCorrupt(listener.failure());
            assertThat(listener.read(4)).isNull();
        }
    }

    private void isCorrupt(JournalException found) {
        assertThat(found.kind()).isEqualTo(JournalException.Kind.CORRUPT);
    }
}
