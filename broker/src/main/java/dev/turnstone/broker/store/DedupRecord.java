package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Identities of messages or commits, as fingerprints. Version 1: version byte, when their generation began, before when
 * some may be forgotten, count (int), and for each fingerprint its two halves (longs).
 *
 * @param sinceMs when the first of their generation was added, milliseconds since the epoch; names the generation
 * @param forgottenBeforeMs identities that were added before that may have been forgotten
 * @param fingerprints two halves each
 */
public record DedupRecord(long sinceMs, long forgottenBeforeMs, long[] fingerprints) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1 + 2 * Long.BYTES + Integer.BYTES + fingerprints.length * Long.BYTES;
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(sinceMs).putLong(forgottenBeforeMs).putInt(fingerprints.length / 2);
        for (long half : fingerprints) {
            target.putLong(half);
        }
    }

    static DedupRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.DEDUP);
        long sinceMs = source.getLong();
        long forgottenBeforeMs = source.getLong();
        long[] fingerprints = new long[2 * source.getInt()];
        for (int i = 0; i < fingerprints.length; i++) {
            fingerprints[i] = source.getLong();
        }
        return new DedupRecord(sinceMs, forgottenBeforeMs, fingerprints);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DedupRecord that
                && sinceMs == that.sinceMs
                && forgottenBeforeMs == that.forgottenBeforeMs
                && Arrays.equals(fingerprints, that.fingerprints);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(sinceMs) * 31 + Arrays.hashCode(fingerprints);
    }
}
