package dev.turnstone.broker;

import dev.turnstone.broker.mailbox.Mailbox;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.util.function.Function;

/** Where an engine keeps what must survive, and what has no room in memory. Opened and closed by whoever drives it. */
record Storage(Journal journal, PageStore pages, PageReports reports) {
    static Storage open(
            Mailbox mailbox,
            Function<JournalListener, Journal> openJournal,
            Function<PageListener, PageStore> openPages) {
        Journal journal = openJournal.apply(mailbox);
        try {
            PageReports reports = new PageReports(mailbox);
            return new Storage(journal, openPages.apply(reports), reports);
        } catch (RuntimeException | Error e) {
            throw new Closing(e).then(journal::close).fault();
        }
    }

    /** The pages first: the journal's lock protects them. Idempotent. */
    void close() {
        new Closing().then(pages::close).then(journal::close).end();
    }
}
