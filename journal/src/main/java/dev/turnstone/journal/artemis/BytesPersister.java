package dev.turnstone.journal.artemis;

import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.core.persistence.CoreMessageObjectPools;
import org.apache.activemq.artemis.core.persistence.Persister;

/** A record's bytes as they were read, envelope and all. Stateless. */
final class BytesPersister implements Persister<byte[]> {
    static final BytesPersister INSTANCE = new BytesPersister();

    private BytesPersister() {}

    @Override
    public byte getID() {
        return RecordEnvelope.FORMAT;
    }

    @Override
    public int getEncodeSize(byte[] record) {
        return record.length;
    }

    @Override
    public void encode(ActiveMQBuffer buffer, byte[] record) {
        buffer.writeBytes(record);
    }

    @Override
    public byte[] decode(ActiveMQBuffer buffer, byte[] record, CoreMessageObjectPools pool) {
        throw new UnsupportedOperationException("records are read as bytes");
    }
}
