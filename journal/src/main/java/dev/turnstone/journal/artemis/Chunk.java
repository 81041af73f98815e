package dev.turnstone.journal.artemis;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;

/**
 * The frame of what one write puts into a journal file: a mark, then the library's records. The mark has the shape of
 * one of the library's event records, which its load and its compaction skip, and holds a checksum over the whole chunk
 * and how far the file was synced when the chunk was written. So a torn write is told from damage: the bytes before a
 * mark's synced position must be intact.
 *
 * <pre>
 *   0 byte  the library's event record type       18 byte  user type {@value #USER_TYPE}
 *   1 int   file id                               19 byte  format of the mark, 1
 *   5 byte  compact count, 0                      20 byte  1 if nothing follows in this file, else 0
 *   6 long  position of this mark in the file     21 int   synced position
 *  14 int   body length, {@value #BODY_BYTES}                       25 int   bytes of records after the mark
 *                                                 29 int   CRC32C of the records, then of the mark up to here
 *                                                 33 int   length of the mark, {@value #MARK_BYTES}
 * </pre>
 */
final class Chunk {
    /** What a mark says, but for the checksum. */
    record Mark(int fileId, int position, int synced, int recordBytes, boolean last) {}

    static final int MARK_BYTES = 37;
    private static final int BODY_BYTES = 14;
    private static final byte USER_TYPE = 77;
    static final byte FORMAT = 1;
    private static final int FILE_ID_AT = 1;
    private static final int POSITION_AT = 6;
    private static final int FORMAT_AT = 19;
    private static final int LAST_AT = 20;
    private static final int SYNCED_AT = 21;
    private static final int LENGTH_AT = 25;
    private static final int CRC_AT = 29;
    private static final int MARK_LENGTH_AT = 33;

    private Chunk() {}

    /**
     * Writes the mark at the start of a buffer that holds a chunk's records behind it, whose checksum was taken while
     * they were hot in the cache.
     */
    static void seal(ByteBuffer buffer, Mark mark, CRC32C ofRecords) {
        buffer.clear();
        buffer.put(0, JournalImpl.EVENT_RECORD);
        buffer.putInt(FILE_ID_AT, mark.fileId());
        buffer.put(5, (byte) 0);
        buffer.putLong(POSITION_AT, mark.position());
        buffer.putInt(14, BODY_BYTES);
        buffer.put(18, USER_TYPE);
        buffer.put(FORMAT_AT, FORMAT);
        buffer.put(LAST_AT, (byte) (mark.last() ? 1 : 0));
        buffer.putInt(SYNCED_AT, mark.synced());
        buffer.putInt(LENGTH_AT, mark.recordBytes());
        ofRecords.update(buffer.limit(CRC_AT));
        buffer.clear();
        buffer.putInt(CRC_AT, (int) ofRecords.getValue());
        buffer.putInt(MARK_LENGTH_AT, MARK_BYTES);
    }

    /** True if at this position of a file's content there is a mark's frame that claims to belong to the file. */
    static boolean looksLikeMark(ByteBuffer content, int at, int fileId) {
        return content.limit() - at >= MARK_BYTES
                && content.get(at) == JournalImpl.EVENT_RECORD
                && content.getInt(at + FILE_ID_AT) == fileId
                && content.getLong(at + POSITION_AT) == at
                && content.getInt(at + 14) == BODY_BYTES
                && content.get(at + 18) == USER_TYPE
                && content.getInt(at + MARK_LENGTH_AT) == MARK_BYTES
                && recordBytes(content, at) >= 0
                && recordBytes(content, at) <= content.limit() - at - MARK_BYTES;
    }

    /** True if the checksum of the chunk whose mark is here holds. */
    static boolean intact(ByteBuffer content, int at) {
        int length = MARK_BYTES + recordBytes(content, at);
        return content.getInt(at + CRC_AT) == crc(content, at, length);
    }

    static byte format(ByteBuffer content, int at) {
        return content.get(at + FORMAT_AT);
    }

    static boolean last(ByteBuffer content, int at) {
        return content.get(at + LAST_AT) == 1;
    }

    static int synced(ByteBuffer content, int at) {
        return content.getInt(at + SYNCED_AT);
    }

    static int recordBytes(ByteBuffer content, int at) {
        return content.getInt(at + LENGTH_AT);
    }

    private static int crc(ByteBuffer buffer, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().limit(from + length).position(from + MARK_BYTES));
        crc.update(buffer.duplicate().position(from).limit(from + CRC_AT));
        return (int) crc.getValue();
    }
}
