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
 */
record SegmentScan(int dataEnd, boolean complete, int damageAt, boolean newerFormat, boolean begun) {
    /** Scans a file's content (from 0 to its limit) and its trailer. */
    static SegmentScan of(ByteBuffer content, ByteBuffer trailer) {
        int fileId = SegmentLayout.fileId(content);
        if (SegmentLayout.isTrailerOf(trailer, fileId)) {
            boolean holds = SegmentLayout.holds(trailer, content.duplicate().position(0));
            return new SegmentScan(content.limit(), true, holds ? -1 : 0, false, true);
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
                return new SegmentScan(at, false, -1, true, true);
            }
            boolean last = Chunk.last(content, at);
            at += Chunk.MARK_BYTES + Chunk.recordBytes(content, at);
            if (last) {
                return new SegmentScan(at, true, -1, false, true);
            }
        }
        return new SegmentScan(at, false, damage(content, at, fileId), false, begun(content, fileId));
    }

    /** True if the first mark, or the record behind it, names the file: damage of the one leaves the other. */
    private static boolean begun(ByteBuffer content, int fileId) {
        int owner = JournalImpl.SIZE_HEADER + 1;
        return content.limit() >= owner + Chunk.MARK_BYTES + Integer.BYTES
                && (content.getInt(owner) == fileId || content.getInt(owner + Chunk.MARK_BYTES) == fileId);
    }

    /** Says whether what does not continue at a position is damage, and not merely the end or a torn write. */
    private static int damage(ByteBuffer content, int at, int fileId) {
        int start = JournalImpl.SIZE_HEADER;
        if (at == start && content.limit() > start + Chunk.MARK_BYTES) {
            byte type = content.get(start);
            int owner = content.getInt(start + 1);
            boolean record = type > JournalImpl.EVENT_RECORD && type <= JournalImpl.ROLLBACK_RECORD;
            // Only a compaction starts a file with a record; then its trailer is damaged. And a chunk of a later use
            // than
            // the header tells of means that the header is.
            if ((record && owner == fileId)
                    || (owner > fileId && Chunk.looksLikeMark(content, start, owner) && Chunk.intact(content, start))) {
                return start;
            }
        }
        for (int later = at + 1; later <= content.limit() - Chunk.MARK_BYTES; later++) {
            if (Chunk.looksLikeMark(content, later, fileId)
                    && Chunk.synced(content, later) > at
                    && Chunk.intact(content, later)) {
                return at;
            }
        }
        return -1;
    }
}
