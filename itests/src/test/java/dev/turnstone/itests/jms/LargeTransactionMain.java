package dev.turnstone.itests.jms;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * A broker and a client in a JVM of its own, whose heap is small: sends all messages in one transaction, or receives
 * them a thousand at a time, and prints how many bytes they have and their checksum; or dies before the commit.
 * Arguments: send, abandon or receive, data folder, MiB.
 */
final class LargeTransactionMain {
    private static final int MESSAGE_BYTES = 10 << 10;
    private static final long SOON_MS = 1_000;
    private static final int BATCH = 1_000;

    private LargeTransactionMain() {}

    public static void main(String[] args) throws JMSException {
        try (JMSContext context =
                new TurnstoneConnectionFactory("vm://?data=" + args[1]).createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue queue = context.createQueue("large");
            CRC32C checksum = new CRC32C();
            long length = args[0].equals("receive")
                    ? receive(context, queue, checksum)
                    : send(context, queue, Long.parseLong(args[2]) << 20, checksum);
            if (args[0].equals("abandon")) {
                System.out.println("RESULT " + length + " abandoned");
                Runtime.getRuntime().halt(0);
            }
            context.commit();
            System.out.println("RESULT " + length + " " + checksum.getValue());
        }
    }

    private static long send(JMSContext context, Queue queue, long bytes, CRC32C checksum) throws JMSException {
        SplittableRandom random = new SplittableRandom(1);
        JMSProducer producer = context.createProducer();
        byte[] body = new byte[MESSAGE_BYTES];
        long total = 0;
        for (; total < bytes; total += body.length) {
            random.nextBytes(body);
            checksum.update(body);
            BytesMessage message = context.createBytesMessage();
            message.writeBytes(body);
            producer.send(queue, message);
        }
        return total;
    }

    private static long receive(JMSContext context, Queue queue, CRC32C checksum) throws JMSException {
        JMSConsumer consumer = context.createConsumer(queue);
        long total = 0;
        byte[] body = new byte[MESSAGE_BYTES];
        int received = 0;
        for (Message next = consumer.receive(SOON_MS); next != null; next = consumer.receive(SOON_MS)) {
            int count = ((BytesMessage) next).readBytes(body);
            checksum.update(body, 0, count);
            total += count;
            if (++received % BATCH == 0) {
                context.commit();
            }
        }
        return total;
    }
}
