package dev.turnstone.journal.artemis;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;

/**
 * How a journal file is divided: the library's part, then a trailer that in format 1 a compaction wrote, with a
 * checksum over the whole part, since it wrote a file at once and without chunks.
 *
 * @param fileBytes the size on disk
 */
record SegmentLayout(int fileBytes) {
    static final String PREFIX = "turnstone";
    static final String EXTENSION = "log";
    static final int TRAILER_BYTES = 16;
    private static final int MAGIC = 0x54534331;

    /** The bytes that the library knows of. */
    int contentBytes() {
        return fileBytes - TRAILER_BYTES;
    }

    static boolean isTrailerOf(ByteBuffer trailer, int fileId) {
        return trailer.remaining() == TRAILER_BYTES && trailer.getInt(0) == MAGIC && trailer.getInt(4) == fileId;
    }

    static boolean holds(ByteBuffer trailer, ByteBuffer content) {
        return trailer.getInt(8) == crc(content);
    }

    /** The id by which a file's records name it, from the file's header. */
    static int fileId(ByteBuffer header) {
        return (int) (header.getLong(8) & Integer.MAX_VALUE);
    }

    static boolean isHeaderKnown(ByteBuffer header) {
        return header.limit() >= JournalImpl.SIZE_HEADER
                && header.getInt(0) == JournalImpl.FORMAT_VERSION
                && header.getInt(4) == 0;
    }

    private static int crc(ByteBuffer content) {
        CRC32C crc = new CRC32C();
        crc.update(content.duplicate());
        return (int) crc.getValue();
    }
}
