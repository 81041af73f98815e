package dev.turnstone.journal.artemis;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;

/**
 * Finds the few records of a file that are wanted. The library's own reading makes an object of each, the dead ones
 * too, which costs more than to have written them. In the library's format 2 a record begins with its type, the file's
 * id and a byte, and ends with its length:
 *
 * <pre>
 *   add      id, length of the content, type of the content, content
 *   add in a transaction           transaction, and the same
 *   delete                         id
 *   delete in a transaction        transaction, id, length of a content, content
 *   commit                         transaction, count
 *   roll-back                      transaction
 * </pre>
 */
final class AddedRecords {
    private static final int HEAD = Byte.BYTES + Integer.BYTES + Byte.BYTES;
    private static final int TAIL = Integer.BYTES;

    private final SegmentFile file;
    private final ByteBuffer content;
    private final int fileId;
    private final LongPredicate wanted;
    private final Set<Long> torn;
    private final List<RecordInfo> found = new ArrayList<>();

    private AddedRecords(SegmentFile file, ByteBuffer content, Set<Long> torn, LongPredicate wanted) {
        this.file = file;
        this.content = content;
        this.fileId = SegmentLayout.fileId(content);
        this.torn = torn;
        this.wanted = wanted;
    }

    /**
     * Those in a file's content, of which what does not count is zero, whose ids are wanted.
     *
     * @param torn transactions that never happened, whose records are not wanted; those that the file rolls back are
     *     added
     */
    static List<RecordInfo> of(SegmentFile file, ByteBuffer content, Set<Long> torn, LongPredicate wanted) {
        AddedRecords records = new AddedRecords(file, content, torn, wanted);
        int at = JournalImpl.SIZE_HEADER;
        while (at < content.limit() && content.get(at) != 0) {
            at += records.record(at);
        }
        return records.found;
    }

    /** Sees what is at a position, and returns its length. */
    private int record(int at) {
        int body = at + HEAD;
        int length = HEAD
                + TAIL
                + switch (content.get(at)) {
                    case JournalImpl.ADD_RECORD -> added(body, true);
                    case JournalImpl.ADD_RECORD_TX ->
                        Long.BYTES + added(body + Long.BYTES, !torn.contains(content.getLong(body)));
                    case JournalImpl.DELETE_RECORD -> Long.BYTES;
                    case JournalImpl.ROLLBACK_RECORD -> {
                        // Only a load rolls back, and only what was torn.
                        torn.add(content.getLong(body));
                        yield Long.BYTES;
                    }
                    case JournalImpl.DELETE_RECORD_TX ->
                        2 * Long.BYTES + Integer.BYTES + content.getInt(body + 2 * Long.BYTES);
                    case JournalImpl.COMMIT_RECORD -> Long.BYTES + Integer.BYTES;
                    case JournalImpl.EVENT_RECORD -> Chunk.MARK_BYTES - HEAD - TAIL;
                    default -> throw unknown(at);
                };
        if (content.getInt(at + 1) != fileId || content.getInt(at + length - TAIL) != length) {
            throw unknown(at);
        }
        return length;
    }

    /** Sees an added record from its id on, and returns how long it is from there. */
    private int added(int at, boolean happened) {
        long id = content.getLong(at);
        int size = content.getInt(at + Long.BYTES);
        int type = at + Long.BYTES + Integer.BYTES;
        if (happened && wanted.test(id)) {
            byte[] data = new byte[size];
            content.get(type + 1, data);
            found.add(new RecordInfo(id, content.get(type), data, false, false, (short) 0));
        }
        return type + 1 + size - at;
    }

    private JournalException unknown(int at) {
        return new JournalException(Kind.CORRUPT, file + " has no record that is known at position " + at);
    }
}
