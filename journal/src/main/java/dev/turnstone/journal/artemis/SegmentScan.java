package dev.turnstone.journal.artemis;

import java.nio.ByteBuffer;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;

/**
 * What a journal file's bytes say: where its data end, whether more may follow, and whether it is damaged. Pure.
 *
 * @param dataEnd the position after the last byte that counts; what follows is older use of the file, or a torn write
 * @param complete true if the file ends for good: sealed when the journal moved on, or written by a compaction
 * @param damageAt the position of bytes that had been synced and are no longer what was written, or -1
 * @param newerFormat true if a chunk has a format that this version does not know
 * @param begun true if without data there is yet the beginning of a chunk of this file: torn if nothing was written
 *     after it, else damaged
 * @param leftOver true if a whole chunk lies behind a torn one: it would count again if another of the same length took
 *     the torn one's place
 */
record SegmentScan(int dataEnd, boolean complete, int damageAt, boolean newerFormat, boolean begun, boolean leftOver) {
    /** Scans a file's content (from 0 to its limit) and its trailer. */
    static SegmentScan of(ByteBuffer content, ByteBuffer trailer) {
        int fileId = SegmentLayout.fileId(content);
        if (SegmentLayout.isTrailerOf(trailer, fileId)) {
            boolean holds = SegmentLayout.holds(trailer, content.duplicate().position(0));
            return new SegmentScan(content.limit(), true, holds ? -1 : 0, false, true, false);
        }
        return chunks(content, fileId);
    }

    /** True if there is anything beyond the header. */
    boolean hasData() {
        return dataEnd > JournalImpl.SIZE_HEADER;
    }

    boolean damaged() {
        return damageAt >= 0;
    }

    private static SegmentScan chunks(ByteBuffer content, int fileId) {
        int at = JournalImpl.SIZE_HEADER;
        while (Chunk.looksLikeMark(content, at, fileId) && Chunk.intact(content, at)) {
            if (Chunk.format(content, at) > Chunk.FORMAT) {
                return new SegmentScan(at, false, -1, true, true, false);
            }
            boolean last = Chunk.last(content, at);
            at += Chunk.MARK_BYTES + Chunk.recordBytes(content, at);
            if (last) {
                return new SegmentScan(at, true, -1, false, true, false);
            }
        }
        int later = lastMark(content, at, fileId);
        boolean damaged = startIsDamaged(content, at, fileId) || (later > at && Chunk.synced(content, later) > at);
        return new SegmentScan(at, false, damaged ? at : -1, false, begun(content, fileId), later > at);
    }

    /** True if the first mark, or the record behind it, names the file: damage of the one leaves the other. */
    private static boolean begun(ByteBuffer content, int fileId) {
        int owner = JournalImpl.SIZE_HEADER + 1;
        return content.limit() >= owner + Chunk.MARK_BYTES + Integer.BYTES
                && (content.getInt(owner) == fileId || content.getInt(owner + Chunk.MARK_BYTES) == fileId);
    }

    /** Says whether what does not continue at the start of a file is damage, and not merely a torn write. */
    private static boolean startIsDamaged(ByteBuffer content, int at, int fileId) {
        int start = JournalImpl.SIZE_HEADER;
        if (at != start || content.limit() <= start + Chunk.MARK_BYTES) {
            return false;
        }
        byte type = content.get(start);
        int owner = content.getInt(start + 1);
        boolean record = type > JournalImpl.EVENT_RECORD && type <= JournalImpl.ROLLBACK_RECORD;
        // Only a compaction starts a file with a record; then its trailer is damaged. And a chunk of a later use than
        // the header tells of means that the header is.
        return (record && owner == fileId)
                || (owner > fileId && Chunk.looksLikeMark(content, start, owner) && Chunk.intact(content, start));
    }

    /** Where the last whole chunk of the file lies behind a position: none says that more was synced; -1 for none. */
    private static int lastMark(ByteBuffer content, int at, int fileId) {
        for (int later = content.limit() - Chunk.MARK_BYTES; later > at; later--) {
            if (Chunk.looksLikeMark(content, later, fileId) && Chunk.intact(content, later)) {
                return later;
            }
        }
        return -1;
    }
}
