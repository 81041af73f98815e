package dev.turnstone.jms;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Collects the bytes of a body: in memory, and beyond {@value #MEMORY_MAX} bytes in a temporary file, which is gone
 * when nobody has the body any more. One thread.
 */
final class BodyOutput extends OutputStream {
    static final int MEMORY_MAX = 1 << 20;

    private final Memory memory;
    private @Nullable FileChannel file;
    private long inFile;

    /** Shows what it has without another copy. */
    private static final class Memory extends ByteArrayOutputStream {
        Memory(int bytes) {
            super(bytes);
        }

        ByteBuffer view() {
            return ByteBuffer.wrap(buf, 0, count);
        }
    }

    BodyOutput(int bytes) {
        memory = new Memory(Math.min(bytes, MEMORY_MAX));
    }

    @Override
    public void write(int value) throws IOException {
        makeRoom(1);
        memory.write(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        makeRoom(length);
        if (length > MEMORY_MAX) {
            append(ByteBuffer.wrap(bytes, offset, length));
        } else {
            memory.write(bytes, offset, length);
        }
    }

    private void makeRoom(int more) throws IOException {
        if (memory.size() + (long) more > MEMORY_MAX) {
            append(memory.view());
            memory.reset();
        }
    }

    private void append(ByteBuffer bytes) throws IOException {
        FileChannel target = file;
        if (target == null) {
            Path path = Files.createTempFile("turnstone-body", ".tmp");
            target = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
            file = target;
        }
        while (bytes.hasRemaining()) {
            inFile += target.write(bytes, inFile);
        }
    }

    /** True if some of it is in a file. */
    boolean spooled() {
        return file != null;
    }

    long length() {
        return inFile + memory.size();
    }

    /** What was written so far, if it is not {@link #spooled}; changes with further writes. */
    ByteBuffer view() {
        return memory.view();
    }

    /** Reads what was written, from its beginning; to be used up before more is written. */
    BodyStream input() {
        FileChannel source = file;
        return source == null ? new BodyInput(memory.view()) : new Spooled(source, inFile, memory.view());
    }

    /** Reads the file, a block at a time, then what is in memory. */
    private static final class Spooled extends BodyStream {
        private static final int BLOCK_BYTES = 64 << 10;

        private final FileChannel file;
        private final long fileBytes;
        private final ByteBuffer rest;
        private final ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).limit(0);
        private long at;
        private long kept;

        Spooled(FileChannel file, long fileBytes, ByteBuffer rest) {
            this.file = file;
            this.fileBytes = fileBytes;
            this.rest = rest;
        }

        private ByteBuffer source() throws IOException {
            if (!block.hasRemaining() && at < fileBytes) {
                block.clear().limit((int) Math.min(BLOCK_BYTES, fileBytes - at));
                while (block.hasRemaining()) {
                    int count = file.read(block, at);
                    if (count < 0) {
                        throw new IOException("the temporary file of a body was cut");
                    }
                    at += count;
                }
                block.flip();
            }
            return block.hasRemaining() ? block : rest;
        }

        @Override
        public int read() throws IOException {
            ByteBuffer source = source();
            return source.hasRemaining() ? source.get() & 0xff : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int done = 0;
            for (ByteBuffer source = source(); done < length && source.hasRemaining(); source = source()) {
                int count = Math.min(length - done, source.remaining());
                source.get(target, offset + done, count);
                done += count;
            }
            return done == 0 && length > 0 ? -1 : done;
        }

        @Override
        void keepPlace() {
            kept = at - block.remaining() + rest.position();
        }

        @Override
        void goBack() {
            block.limit(0);
            at = Math.min(kept, fileBytes);
            rest.position((int) (kept - at));
        }
    }
}
