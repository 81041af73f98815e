package dev.turnstone.journal.artemis;

import java.nio.ByteBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.io.buffer.TimedBuffer;
import org.jspecify.annotations.Nullable;

/** What the library's files can do and this journal never asks of them; each says what it does in its place. */
abstract class UnusedOperations implements SequentialFile {
    @Override
    public void write(ActiveMQBuffer bytes, boolean sync, IOCallback callback) {
        throw new UnsupportedOperationException("the journal encodes records");
    }

    @Override
    public void write(ActiveMQBuffer bytes, boolean sync) {
        throw new UnsupportedOperationException("the journal encodes records");
    }

    @Override
    public void writeDirect(ByteBuffer bytes, boolean sync, IOCallback callback) {
        throw new UnsupportedOperationException("the journal writes headers and control files without a callback");
    }

    @Override
    public void blockingWriteDirect(ByteBuffer bytes, boolean sync, boolean releaseBuffer) {
        throw new UnsupportedOperationException("the library's own compaction is off");
    }

    @Override
    public void setTimedBuffer(@Nullable TimedBuffer buffer) {
        throw new UnsupportedOperationException("the chunk buffer takes the place of a timed one");
    }

    @Override
    public void copyTo(SequentialFile newFileName) {
        throw new UnsupportedOperationException("journal files are not copied");
    }

    @Override
    public ByteBuffer map(int position, long size) {
        throw new UnsupportedOperationException("journal files are not mapped");
    }
}
