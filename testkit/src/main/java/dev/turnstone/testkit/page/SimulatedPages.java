package dev.turnstone.testkit.page;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A page store without files and threads: what it was asked for happens when the test says so, writes and deletions in
 * their order, reads beside them; a crash leaves any part of what was under way. One thread.
 */
public final class SimulatedPages implements PageStore {
    private record Write(long id, byte[] content, boolean durable) {}

    private final SimulatedPageDisk disk;
    private final PageListener listener;
    /** {@link Write}s, and {@link Long}s to delete. */
    private final ArrayDeque<Object> writing = new ArrayDeque<>();

    private final ArrayDeque<Long> reading = new ArrayDeque<>();
    /** Files whose bytes a power failure may still take. */
    private final TreeMap<Long, byte[]> unsynced = new TreeMap<>();
    /** Files that a power failure may still bring back. */
    private final TreeMap<Long, byte @Nullable []> deleted = new TreeMap<>();

    private boolean gone;

    SimulatedPages(SimulatedPageDisk disk, PageListener listener) {
        this.disk = disk;
        this.listener = listener;
    }

    @Override
    public long[] find() {
        return disk.files().keySet().stream().mapToLong(Long::longValue).toArray();
    }

    @Override
    public int check(long id) {
        return content(id).length;
    }

    private byte[] content(long id) {
        byte[] content = disk.files().get(id);
        if (content == null) {
            throw new JournalException(JournalException.Kind.CORRUPT, "page " + id + " is missing or torn");
        }
        return content;
    }

    @Override
    public void write(long id, Payload content, boolean durable) {
        alive();
        ByteBuffer bytes = ByteBuffer.allocate(content.sizeBytes());
        content.writeTo(bytes);
        if (bytes.hasRemaining()) {
            throw new IllegalStateException("a page's content is shorter than it said");
        }
        writing.add(new Write(id, bytes.array(), durable));
    }

    @Override
    public void read(long id) {
        alive();
        reading.add(id);
    }

    @Override
    public void delete(long id) {
        alive();
        writing.add(id);
    }

    @Override
    public void close() {
        if (!gone) {
            for (Object job = writing.poll(); job != null; job = writing.poll()) {
                perform(job);
            }
            gone = true;
        }
    }

    private void alive() {
        if (gone) {
            throw new IllegalStateException("the page store is closed");
        }
    }

    /** How much it was asked for and has not done. */
    public int pending() {
        return writing.size() + reading.size();
    }

    /** Does one thing that it was asked for; nothing if there is none. */
    public void step(RandomGenerator random) {
        boolean read = writing.isEmpty() || (!reading.isEmpty() && random.nextBoolean());
        if (read) {
            readOne();
        } else {
            writeOne();
        }
    }

    @Override
    public void await() {
        finish();
    }

    /** Does everything that it was asked for. */
    public void finish() {
        while (pending() > 0) {
            writeOne();
            readOne();
        }
    }

    private void readOne() {
        Long id = reading.poll();
        if (id == null) {
            return;
        }
        byte[] content;
        try {
            content = content(id);
        } catch (JournalException e) {
            fail(e);
            return;
        }
        disk.hasRead();
        listener.read(id, ByteBuffer.wrap(content.clone()));
    }

    private void writeOne() {
        Object job = writing.poll();
        if (job != null) {
            perform(job);
            if (job instanceof Write write) {
                disk.wrote();
                listener.written(write.id());
            }
        }
    }

    private void perform(Object job) {
        if (job instanceof Write write) {
            disk.files().put(write.id(), write.content());
            if (write.durable()) {
                // The folder was synced, and the file.
                deleted.clear();
            } else {
                unsynced.put(write.id(), write.content());
            }
        } else if (job instanceof Long id && disk.files().containsKey(id)) {
            deleted.put(id, disk.files().remove(id));
            unsynced.remove(id);
        }
    }

    /** A page cannot be written or read; nothing more happens. */
    public void fail(JournalException cause) {
        writing.clear();
        reading.clear();
        listener.failed(cause);
    }

    /**
     * The power fails. Of what was under way each write has left a whole, a torn or no file; so has what was never
     * synced; deletions may be undone.
     */
    public void crash(RandomGenerator random) {
        gone = true;
        for (Map.Entry<Long, byte[]> file : unsynced.entrySet()) {
            leave(file.getKey(), file.getValue(), random);
        }
        for (Map.Entry<Long, byte @Nullable []> file : deleted.entrySet()) {
            if (random.nextBoolean()) {
                disk.files().put(file.getKey(), file.getValue());
            }
        }
        for (Object job : writing) {
            if (job instanceof Write write) {
                leave(write.id(), write.content(), random);
            } else if (random.nextBoolean()) {
                disk.files().remove(job);
            }
        }
        writing.clear();
        reading.clear();
    }

    private void leave(long id, byte[] content, RandomGenerator random) {
        switch (random.nextInt(3)) {
            case 0 -> disk.files().put(id, content);
            case 1 -> disk.files().put(id, null);
            default -> disk.files().remove(id);
        }
    }
}
