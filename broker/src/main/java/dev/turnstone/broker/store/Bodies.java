package dev.turnstone.broker.store;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.page.PageStore;
import dev.turnstone.port.Message;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bodies that are stored apart from their messages, in chunks, each a file among the page files. A body lives as long
 * as anybody holds it: messages in queues and topics, transactions, sessions that make or read it. Its chunks are on
 * the disk before a message with it is recorded, and are deleted when it is durable that nobody holds it. No record
 * tells of a body but those of the messages that have it, which are never moved to pages: recovery deletes the chunks
 * of others. Owned by the engine thread.
 */
public final class Bodies {
    /** What a body takes in memory. */
    private static final int OVERHEAD_BYTES = 128;

    private static final int CHUNK_BITS = 20;
    /** So many chunks a body has at most. */
    public static final long CHUNKS_MAX = 1L << CHUNK_BITS;
    /** In the names of chunks' files: no page has it. */
    private static final long CHUNK = 1L << 62;

    /** So many are deleted in a millisecond: what else the disk is asked for does not wait for all of a body. */
    private static final int DELETES = 64;

    private record Ending(Body body, long lsn) {}

    private final Log log;
    private final Memory memory;
    private final Map<Long, Body> all = new HashMap<>();
    private final Map<Long, Runnable> writing = new HashMap<>();
    private final Map<Long, List<Consumer<ByteBuffer>>> reading = new HashMap<>();
    private final List<Body> ended = new ArrayList<>();
    private final ArrayDeque<Ending> ending = new ArrayDeque<>();
    /** Recovery: the chunks that are there. */
    private final Set<Long> found = new HashSet<>();

    private @Nullable PageStore store;
    /** Of the body that is first to end so many chunks have been deleted. */
    private long deleted;
    /** When more of them may be; 0 for at once. */
    private long deleteAtMs;

    Bodies(Log log, Memory memory) {
        this.log = log;
        this.memory = memory;
    }

    void keptIn(PageStore files) {
        store = files;
    }

    private PageStore files() {
        PageStore known = store;
        if (known == null) {
            throw new IllegalStateException("invariant broken: bodies have no files");
        }
        return known;
    }

    /** True if a file among those of pages is a chunk. */
    public static boolean isChunk(long file) {
        return (file & CHUNK) != 0;
    }

    static long file(long body, long chunk) {
        return CHUNK | body << CHUNK_BITS | chunk;
    }

    private static long chunks(Body body) {
        return (body.length() + body.chunkBytes() - 1) / body.chunkBytes();
    }

    /** A new body without chunks, which the caller holds. */
    public Body create(int chunkBytes, boolean durable) {
        Body body = add(new Body(log.nextId(), chunkBytes, durable, 0));
        body.hold();
        return body;
    }

    private Body add(Body body) {
        Invariant.check(body.id() < CHUNK >> CHUNK_BITS, "identifiers leave room for chunks");
        all.put(body.id(), body);
        memory.add(OVERHEAD_BYTES);
        return body;
    }

    /** Adds a chunk to a body that the caller holds; what is given is called when it is stored. */
    public void append(Body body, ByteBuffer chunk, Runnable stored) {
        long file = file(body.id(), chunks(body));
        int bytes = chunk.remaining();
        body.grow(bytes);
        memory.add(bytes);
        writing.put(file, () -> {
            memory.remove(bytes);
            stored.run();
        });
        files().write(file, new Chunk(chunk), body.durable());
    }

    private record Chunk(ByteBuffer bytes) implements Payload {
        @Override
        public int sizeBytes() {
            return bytes.remaining();
        }

        @Override
        public void writeTo(ByteBuffer target) {
            target.put(bytes.duplicate());
        }
    }

    /** A chunk's file is written. */
    public void written(long file) {
        Runnable stored = writing.remove(file);
        if (stored != null) {
            stored.run();
        }
    }

    /** The body of a message, if somebody holds it; else null. */
    public @Nullable Body find(Message message) {
        Body body = all.get(message.storedBodyId());
        return body == null || !body.held() ? null : body;
    }

    /** Somebody holds the message's body, if it is stored apart, once more; recovery learns of bodies so. */
    public void hold(Message message) {
        if (message.hasStoredBody()) {
            long id = message.storedBodyId();
            Body body = all.get(id);
            if (body == null) {
                body = add(new Body(id, message.storedChunkBytes(), true, 0));
            }
            body.reaches(message.bodyLength());
            body.hold();
        }
    }

    /** Somebody holds the message's body, if it is stored apart, once less. */
    public void release(Message message) {
        if (message.hasStoredBody()) {
            Body body = all.get(message.storedBodyId());
            Invariant.check(body != null, "a body that is held is known");
            release(body);
        }
    }

    /** Somebody holds the body once less. */
    public void release(Body body) {
        if (body.release()) {
            ended.add(body);
        }
    }

    /** Reads a chunk of a body that the caller holds; the reader hears within a later turn. */
    public void read(Body body, long chunk, Consumer<ByteBuffer> reader) {
        long file = file(body.id(), chunk);
        body.hold();
        List<Consumer<ByteBuffer>> readers = reading.get(file);
        if (readers == null) {
            readers = new ArrayList<>(1);
            reading.put(file, readers);
            files().read(file);
        }
        readers.add(content -> {
            reader.accept(content);
            release(body);
        });
    }

    /** A chunk's content is there. */
    public void read(long file, ByteBuffer content) {
        List<Consumer<ByteBuffer>> readers = reading.remove(file);
        if (readers != null) {
            readers.forEach(reader -> reader.accept(content.asReadOnlyBuffer()));
        }
    }

    /** Recovery: a chunk is there, whosever it is. */
    void found(long file) {
        found.add(file);
    }

    /** Recovery has learnt of all holders: checks that each body has its chunks, and deletes those of others. */
    public void recovered() {
        for (Body body : all.values()) {
            for (long chunk = 0; chunk < chunks(body); chunk++) {
                if (!found.remove(file(body.id(), chunk))) {
                    throw new JournalException(
                            JournalException.Kind.CORRUPT,
                            "chunk " + chunk + " of the body " + body.id() + " is missing among the page files: "
                                    + String.format("%016x.page", file(body.id(), chunk)));
                }
            }
        }
        found.forEach(files()::delete);
        found.clear();
    }

    /** Near the end of a turn, whose records are all there: what nobody holds ends with them. */
    public void endTurn() {
        for (int i = 0; i < ended.size(); i++) {
            // It may have been taken hold of again meanwhile, by a copy of its message.
            if (!ended.get(i).held() && all.remove(ended.get(i).id()) != null) {
                ending.add(new Ending(ended.get(i), log.latestLsn()));
            }
        }
        ended.clear();
    }

    /** Deletes chunks of bodies whose end is durable; the rest follows from {@link #dueMs} on. */
    public void deleteFiles(long durableLsn, long nowMs) {
        if (nowMs < deleteAtMs) {
            return;
        }
        int left = delete(durableLsn, DELETES);
        deleteAtMs = left == 0 ? nowMs + 1 : 0;
    }

    /** The broker ends: deletes what was put off. */
    public void deleteRest(long durableLsn) {
        delete(durableLsn, Integer.MAX_VALUE);
    }

    /** Returns how many more it might have deleted. */
    private int delete(long durableLsn, int most) {
        int left = most;
        while (left > 0 && !ending.isEmpty() && ending.peek().lsn() <= durableLsn) {
            Body body = ending.peek().body();
            long end = Math.min(chunks(body), deleted + left);
            left -= (int) (end - deleted);
            while (deleted < end) {
                files().delete(file(body.id(), deleted++));
            }
            if (deleted == chunks(body)) {
                memory.remove(OVERHEAD_BYTES);
                ending.remove();
                deleted = 0;
            }
        }
        return left;
    }

    /** When it has more to delete, in milliseconds since the epoch; {@link Long#MAX_VALUE} if there is nothing. */
    public long dueMs() {
        return deleteAtMs == 0 || ending.isEmpty() ? Long.MAX_VALUE : deleteAtMs;
    }
}
