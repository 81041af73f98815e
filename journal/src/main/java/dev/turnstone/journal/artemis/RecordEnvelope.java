package dev.turnstone.journal.artemis;

import dev.turnstone.journal.Batch;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalException.Kind;
import java.nio.ByteBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.apache.activemq.artemis.core.persistence.CoreMessageObjectPools;
import org.apache.activemq.artemis.core.persistence.Persister;

/** How a payload lies in one of the library's records: a format byte, then the payload. Stateless. */
final class RecordEnvelope implements Persister<Batch.Add> {
    static final int BYTES = 1;
    static final byte FORMAT = 1;

    @Override
    public byte getID() {
        return FORMAT;
    }

    @Override
    public int getEncodeSize(Batch.Add record) {
        return BYTES + record.payload().sizeBytes();
    }

    @Override
    public void encode(ActiveMQBuffer buffer, Batch.Add record) {
        int size = record.payload().sizeBytes();
        buffer.writeByte(FORMAT);
        int start = buffer.writerIndex();
        ByteBuffer target = buffer.byteBuf().internalNioBuffer(start, size);
        int end = target.limit();
        record.payload().writeTo(target);
        if (target.position() != end) {
            throw new IllegalStateException("record " + record.id() + " wrote less than its " + size + " bytes");
        }
        buffer.writerIndex(start + size);
    }

    @Override
    public Batch.Add decode(ActiveMQBuffer buffer, Batch.Add record, CoreMessageObjectPools pool) {
        throw new UnsupportedOperationException("records are read as bytes");
    }

    /** The payload of a record that was loaded. */
    static ByteBuffer payload(RecordInfo record) {
        byte[] data = record.data;
        if (data.length < BYTES) {
            throw new JournalException(Kind.CORRUPT, "record " + record.id + " has no envelope");
        }
        if (data[0] > FORMAT) {
            throw new JournalException(Kind.NEWER_FORMAT, "record " + record.id + " has format " + data[0]);
        }
        return ByteBuffer.wrap(data, BYTES, data.length - BYTES).slice();
    }
}
