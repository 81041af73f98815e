package dev.turnstone.broker;

import dev.turnstone.broker.store.MessageStore;
import dev.turnstone.broker.store.Pages;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** Page files in memory, which do what they are asked for when told. One thread. */
public final class MemoryPages implements PageStore {
    private final Map<Long, byte[]> disk;
    private final PageListener listener;
    private final ArrayDeque<Runnable> asked = new ArrayDeque<>();
    private int reads;

    public MemoryPages(Map<Long, byte[]> disk, PageListener listener) {
        this.disk = disk;
        this.listener = listener;
    }

    /** No pages, for queues without an engine: nobody hears of what is asked for. */
    public static Pages unheard(MessageStore store) {
        PageListener nobody = new PageListener() {
            @Override
            public void written(long id) {
                // Never: nothing is done.
            }

            @Override
            public void read(long id, ByteBuffer content) {
                // Never: nothing is done.
            }

            @Override
            public void failed(JournalException cause) {
                throw cause;
            }
        };
        return new Pages(new MemoryPages(new HashMap<>(), nobody), store, 256);
    }

    @Override
    public long[] find() {
        return disk.keySet().stream().mapToLong(Long::longValue).toArray();
    }

    @Override
    public int check(long id) {
        byte[] content = disk.get(id);
        if (content == null) {
            throw new IllegalStateException("page " + id + " is missing");
        }
        return content.length;
    }

    @Override
    public void write(long id, Payload content, boolean durable) {
        asked.add(() -> {
            ByteBuffer bytes = ByteBuffer.allocate(content.sizeBytes());
            content.writeTo(bytes);
            disk.put(id, bytes.array());
            listener.written(id);
        });
    }

    /** How often it was asked to read. */
    public int reads() {
        return reads;
    }

    @Override
    public void read(long id) {
        reads++;
        asked.add(() -> {
            check(id);
            listener.read(id, ByteBuffer.wrap(disk.get(id)));
        });
    }

    @Override
    public void delete(long id) {
        asked.add(() -> disk.remove(id));
    }

    /** How much it was asked for and has not done. */
    public int pending() {
        return asked.size();
    }

    /** Does the next thing that it was asked for. */
    public void step() {
        asked.remove().run();
    }

    @Override
    public void await() {
        while (pending() > 0) {
            step();
        }
    }

    @Override
    public void close() {
        asked.clear();
    }
}
