package dev.turnstone.broker;

import dev.turnstone.broker.mailbox.Mailbox;
import dev.turnstone.broker.queue.Pager;
import dev.turnstone.broker.store.Bodies;
import dev.turnstone.broker.store.Invariant;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.page.PageListener;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Brings what the page files report to the engine's thread, as mail. */
final class PageReports implements PageListener {
    private final Mailbox mailbox;
    /** Owned by the engine thread. */
    private @Nullable Pager pager;

    private @Nullable Bodies bodies;

    PageReports(Mailbox mailbox) {
        this.mailbox = mailbox;
    }

    /** Who is to hear. The engine thread, before it asks for anything. */
    void tell(Pager ofPages, Bodies ofChunks) {
        pager = ofPages;
        bodies = ofChunks;
    }

    @Override
    public void written(long id) {
        mailbox.post(() -> {
            if (Bodies.isChunk(id)) {
                bodies().written(id);
            } else {
                pager().written(id);
            }
            return 1;
        });
    }

    @Override
    public void read(long id, ByteBuffer content) {
        mailbox.post(() -> {
            if (Bodies.isChunk(id)) {
                bodies().read(id, content);
            } else {
                pager().read(id, content);
            }
            return 1;
        });
    }

    @Override
    public void failed(JournalException cause) {
        mailbox.failed(cause);
    }

    private Bodies bodies() {
        Bodies hearer = bodies;
        Invariant.check(hearer != null, "bodies are there before anything is asked of their chunks");
        return hearer;
    }

    private Pager pager() {
        Pager hearer = pager;
        Invariant.check(hearer != null, "the pager is there before anything is asked of it");
        return hearer;
    }
}
