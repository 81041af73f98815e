package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What a queue has passed of a page: many {@link PageSettledRecord}s folded into one. Version 1: version byte, page and
 * queue (longs), count of words (int) and the words of a bitmap over the page's slots (longs). Version 2, for a queue
 * that has passed all: version byte, page and queue.
 *
 * @param page the page
 * @param queue the queue
 * @param passed a bit for each message that it has passed; no words if those are all
 */
public record PagePassedRecord(long page, long queue, long[] passed) implements Payload {
    private static final byte BITMAP = 1;
    private static final byte ALL = 2;

    /** The queue holds nothing of the page any more. */
    static PagePassedRecord all(long page, long queue) {
        return new PagePassedRecord(page, queue, new long[0]);
    }

    /** True if it has passed all. */
    boolean all() {
        return passed.length == 0;
    }

    @Override
    public int sizeBytes() {
        return 1 + 2 * Long.BYTES + (all() ? 0 : Integer.BYTES + passed.length * Long.BYTES);
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(all() ? ALL : BITMAP).putLong(page).putLong(queue);
        if (!all()) {
            PageRecord.putLongs(target, passed);
        }
    }

    static PagePassedRecord read(ByteBuffer source) {
        int version = Form.versionUpTo(source, ALL, RecordType.PAGE_PASSED);
        long page = source.getLong();
        long queue = source.getLong();
        return version == ALL ? all(page, queue) : new PagePassedRecord(page, queue, PageRecord.longs(source));
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
