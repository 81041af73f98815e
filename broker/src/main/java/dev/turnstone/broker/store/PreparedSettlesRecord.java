package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Entries that a prepared branch will settle; until then nobody gets them. Version 1: version byte, the id of the
 * branch's record (long), a byte (1: they will be rejected), why as text, count (int), and for each entry queue id and
 * position (longs).
 *
 * @param branch the id of the branch's record
 * @param rejected true if they will be rejected, false if accepted
 * @param reason why they will be rejected, or null
 * @param entries queue and position of each
 */
public record PreparedSettlesRecord(
        long branch, boolean rejected, @Nullable String reason, long[] entries) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 2 + Long.BYTES + Form.size(Form.utf8(reason)) + Integer.BYTES + entries.length * Long.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(branch).put((byte) (rejected ? 1 : 0));
        Form.put(target, Form.utf8(reason));
        target.putInt(entries.length / 2);
        for (long half : entries) {
            target.putLong(half);
        }
    }

    static PreparedSettlesRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.PREPARED_SETTLES);
        long branch = source.getLong();
        boolean rejected = source.get() != 0;
        String reason = Form.optionalText(source);
        long[] entries = new long[2 * source.getInt()];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = source.getLong();
        }
        return new PreparedSettlesRecord(branch, rejected, reason, entries);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PreparedSettlesRecord that
                && branch == that.branch
                && rejected == that.rejected
                && Objects.equals(reason, that.reason)
                && Arrays.equals(entries, that.entries);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(branch) * 31 + Arrays.hashCode(entries);
    }
}
