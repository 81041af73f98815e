package dev.turnstone.journal.page;

import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * What a page file begins with, big-endian: the format's mark (long), the page's identifier (long), the content's
 * length and its CRC32C (ints), and the CRC32C of these (int). Then the content. Any thread.
 *
 * @param id the page
 * @param length of the content, in bytes
 * @param checksum of the content
 */
record PageHeader(long id, int length, int checksum) {
    static final int BYTES = 2 * Long.BYTES + 3 * Integer.BYTES;
    /** "TSPAGE", then the version. */
    private static final long MARK = 0x5453_5041_4745_0001L;

    private static final int CHECKED = BYTES - Integer.BYTES;

    static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    void writeTo(ByteBuffer target) {
        int start = target.position();
        target.putLong(MARK).putLong(id).putInt(length).putInt(checksum);
        target.putInt(checksum(target.slice(start, CHECKED)));
    }

    /** The length of the content that a header names, sound or not. */
    static int length(ByteBuffer header) {
        return header.getInt(header.position() + 2 * Long.BYTES);
    }

    /** Reads the header of a page's file of a size, and compares it with what it must say. */
    static PageHeader read(ByteBuffer source, long expectedId, long fileBytes, Path file) {
        if (source.remaining() < BYTES) {
            throw corrupt(file, "is shorter than a header");
        }
        int checksum = checksum(source.slice(source.position(), CHECKED));
        long mark = source.getLong();
        PageHeader header = new PageHeader(source.getLong(), source.getInt(), source.getInt());
        if (checksum != source.getInt()) {
            throw corrupt(file, "has a damaged header at position 0");
        }
        if (mark != MARK) {
            throw corrupt(file, "is of a format that this version does not know: " + Long.toHexString(mark));
        }
        if (header.id != expectedId || fileBytes != BYTES + (long) header.length) {
            throw corrupt(
                    file,
                    "has " + fileBytes + " bytes and says that it is page " + header.id + " with " + header.length
                            + " bytes of content");
        }
        return header;
    }

    /** Refuses content that is not what was written. */
    void check(ByteBuffer content, Path file) {
        if (checksum(content) != checksum) {
            throw corrupt(file, "has damaged content between positions " + BYTES + " and " + (BYTES + (long) length));
        }
    }

    static JournalException corrupt(Path file, String what) {
        return new JournalException(Kind.CORRUPT, "the page file " + file + " " + what);
    }
}
