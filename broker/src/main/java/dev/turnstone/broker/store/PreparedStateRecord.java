package dev.turnstone.broker.store;

import dev.turnstone.journal.Payload;
import dev.turnstone.port.StateChange;
import java.nio.ByteBuffer;

/**
 * A change of protocol state that a prepared branch will make; they are in the order of their records' ids. Version 1:
 * version byte, the id of the branch's record (long), namespace and key as texts, then the length of the value (int, -1
 * if it is removed) and the value.
 *
 * @param branch the id of the branch's record
 * @param change the change
 */
public record PreparedStateRecord(long branch, StateChange change) implements Payload {
    private static final byte VERSION = 1;

    @Override
    public int sizeBytes() {
        return 1
                + Long.BYTES
                + Form.size(Form.utf8(change.namespace()))
                + Form.size(Form.utf8(change.key()))
                + Form.size(change.value());
    }

    @Override
    public void writeTo(ByteBuffer target) {
        target.put(VERSION).putLong(branch);
        Form.put(target, Form.utf8(change.namespace()));
        Form.put(target, Form.utf8(change.key()));
        Form.put(target, change.value());
    }

    static PreparedStateRecord read(ByteBuffer source) {
        Form.expectVersion(source, VERSION, RecordType.PREPARED_STATE);
        long branch = source.getLong();
        String namespace = Form.text(source);
        String key = Form.text(source);
        int length = source.getInt();
        if (length < 0) {
            return new PreparedStateRecord(branch, StateChange.remove(namespace, key));
        }
        byte[] value = new byte[length];
        source.get(value);
        return new PreparedStateRecord(branch, StateChange.put(namespace, key, value));
    }
}
