package dev.turnstone.broker.store;

import dev.turnstone.port.Message;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.LongStream;

/** Which page files a record in the journal needs: pages, and chunks of bodies that are stored apart. Any thread. */
public final class RecordedFiles {
    private static final long[] NONE = {};

    private RecordedFiles() {}

    /** Their identifiers; as {@code dev.turnstone.journal.NamedFiles} asks. */
    public static long[] of(long id, byte type, ByteBuffer payload) {
        return switch (RecordType.of(type)) {
            case MESSAGE -> chunks(MessageRecord.read(payload).message());
            case RETAINED -> chunks(RetainedRecord.read(payload).message());
            case PREPARED_SEND -> of(PreparedSendRecord.read(payload));
            case PAGE -> {
                // The further records of a large marker name the page; the first one is it.
                long page = PageRecord.read(payload).page();
                yield new long[] {page == 0 ? id : page};
            }
            default -> NONE;
        };
    }

    private static long[] of(PreparedSendRecord send) {
        long[] chunks = chunks(send.message());
        if (send.place() == null) {
            return chunks;
        }
        long[] all = Arrays.copyOf(chunks, chunks.length + 1);
        all[chunks.length] = send.place().page();
        return all;
    }

    private static long[] chunks(Message message) {
        if (!message.hasStoredBody()) {
            return NONE;
        }
        long chunkBytes = message.storedChunkBytes();
        long count = (message.bodyLength() + chunkBytes - 1) / chunkBytes;
        return LongStream.range(0, count)
                .map(chunk -> Bodies.file(message.storedBodyId(), chunk))
                .toArray();
    }
}
