package dev.turnstone.benchmarks.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * The least that durable appends can cost: one thread takes all that is queued, copies it into one buffer, writes it
 * once and syncs it once, into a file that was allocated before. No framing, no checksum, no recovery.
 */
public final class BareWriter implements Subject {
    private static final int BUFFER_BYTES = 4 << 20;
    private static final long FILE_BYTES = 256L << 20;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final Queue<byte[]> queue = new ConcurrentLinkedQueue<>();
    private final LongConsumer durable;
    private final byte[] record;
    private final Thread thread = new Thread(this::run, "bare-writer");
    private volatile boolean parked;
    private volatile boolean closing;
    private long written;
    private long position;

    public BareWriter(Path folder, int recordBytes, LongConsumer durable) throws IOException {
        this.record = new byte[recordBytes];
        this.durable = durable;
        this.channel =
                FileChannel.open(folder.resolve("bare"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
        for (long at = 0; at < FILE_BYTES; at += zeros.capacity()) {
            channel.write(zeros.clear(), at);
        }
        channel.force(true);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void submit(int records) {
        for (int i = 0; i < records; i++) {
            queue.add(record);
        }
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        try {
            while (await()) {
                takeAll();
                writeAndSync();
                durable.accept(written);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean await() {
        while (queue.isEmpty()) {
            if (closing) {
                return false;
            }
            parked = true;
            if (queue.isEmpty() && !closing) {
                LockSupport.park(this);
            }
            parked = false;
        }
        return true;
    }

    private void takeAll() {
        buffer.clear();
        while (buffer.remaining() >= record.length) {
            byte[] next = queue.poll();
            if (next == null) {
                break;
            }
            buffer.put(next);
            written++;
        }
    }

    private void writeAndSync() throws IOException {
        buffer.flip();
        if (position + buffer.remaining() > FILE_BYTES) {
            position = 0;
        }
        while (buffer.hasRemaining()) {
            position += channel.write(buffer, position);
        }
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        channel.close();
    }
}
