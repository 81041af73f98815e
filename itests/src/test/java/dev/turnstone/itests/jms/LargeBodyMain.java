package dev.turnstone.itests.jms;

import dev.turnstone.itests.process.Parent;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import java.io.IOException;
import java.io.InputStream;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * A broker and a client in a JVM of its own, whose heap is small: sends a BytesMessage from a stream, or receives it to
 * one, and prints its length and checksum. Arguments: send or receive, data folder, MiB.
 */
final class LargeBodyMain {
    private static final int BLOCK_BYTES = 64 << 10;

    private LargeBodyMain() {}

    public static void main(String[] args) throws JMSException, IOException {
        Parent.endWithIt();
        try (JMSContext context = new TurnstoneConnectionFactory("vm://?data=" + args[1]).createContext()) {
            Queue queue = context.createQueue("large");
            CRC32C checksum = new CRC32C();
            long length = args[0].equals("send")
                    ? send(context, queue, Long.parseLong(args[2]) << 20, checksum)
                    : receive(context, queue, checksum);
            System.out.println("RESULT " + length + " " + checksum.getValue());
        }
    }

    /** So many bytes that do not repeat. */
    static InputStream source(long bytes) {
        return new InputStream() {
            private final SplittableRandom random = new SplittableRandom(1);
            private long left = bytes;

            @Override
            public int read() {
                return left-- > 0 ? random.nextInt(256) : -1;
            }

            @Override
            public int read(byte[] target, int offset, int length) {
                int count = (int) Math.min(length, left);
                byte[] block = new byte[count];
                random.nextBytes(block);
                System.arraycopy(block, 0, target, offset, count);
                left -= count;
                return count == 0 ? -1 : count;
            }
        };
    }

    private static long send(JMSContext context, Queue queue, long bytes, CRC32C checksum)
            throws JMSException, IOException {
        BytesMessage message = context.createBytesMessage();
        byte[] block = new byte[BLOCK_BYTES];
        long total = 0;
        try (InputStream source = source(bytes)) {
            for (int count = source.read(block); count > 0; count = source.read(block)) {
                message.writeBytes(block, 0, count);
                checksum.update(block, 0, count);
                total += count;
            }
        }
        context.createProducer().send(queue, message);
        return total;
    }

    private static long receive(JMSContext context, Queue queue, CRC32C checksum) throws JMSException {
        BytesMessage message = (BytesMessage) context.createConsumer(queue).receive(60_000);
        long total = 0;
        byte[] block = new byte[BLOCK_BYTES];
        for (int count = message.readBytes(block); count > 0; count = message.readBytes(block)) {
            checksum.update(block, 0, count);
            total += count;
        }
        return total == message.getBodyLength() ? total : -1;
    }
}
