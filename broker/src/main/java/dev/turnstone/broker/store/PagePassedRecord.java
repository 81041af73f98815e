package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What a queue has passed of a page: many {@link PageSettledRecord}s folded into one. Version 1: version byte, page and
 * queue (longs), count of words (int) and the words of a bitmap over the page's slots (longs).
 *
 * @param page the page
 * @param queue the queue
 * @param passed a bit for each message that it has passed
 */
public record PagePassedRecord(long page, long queue, long[] passed) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + 2 * Long.BYTES + Integer.BYTES + passed.length * Long.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(page).putLong(queue);
        PageRecord.putLongs(target, passed);
    }

    static PagePassedRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.PAGE_PASSED);
        return new PagePassedRecord(source.getLong(), source.getLong(), PageRecord.longs(source));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PagePassedRecord that
                && page == that.page
                && queue == that.queue
                && Arrays.equals(passed, that.passed);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(page) * 31 + Long.hashCode(queue);
    }
}
