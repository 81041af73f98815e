package dev.turnstone.testkit.page;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.page.PageListener;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Remembers what a page store said. Any thread. */
public final class RecordingPages implements PageListener {
    private final List<Long> written = new ArrayList<>();
    private final Map<Long, byte[]> read = new HashMap<>();
    private @Nullable JournalException failure;

    @Override
    public synchronized void written(long id) {
        written.add(id);
    }

    @Override
    public synchronized void read(long id, ByteBuffer content) {
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        read.put(id, bytes);
    }

    @Override
    public synchronized void failed(JournalException cause) {
        failure = cause;
    }

    /** The pages that were written, in the order in which that was heard. */
    public synchronized List<Long> written() {
        return List.copyOf(written);
    }

    /** A page's content, or null if it was not read. */
    public synchronized byte @Nullable [] read(long id) {
        return read.get(id);
    }

    /** The failure, or null. */
    public synchronized @Nullable JournalException failure() {
        return failure;
    }
}
