package dev.turnstone.itests.jms;

import dev.turnstone.itests.mqtt.crash.Child;
import dev.turnstone.itests.process.Parent;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.zip.CRC32C;

/**
 * A broker and a client in a JVM of its own, whose heap is small: sends all messages in one transaction, or receives
 * them a thousand at a time, or all in one transaction, which it rolls back once before if asked to, and prints how
 * many bytes they have and their checksum; or dies before the commit; or lets STOMP clients in until it is ended.
 * Arguments: send, abandon, receive, receiveAll, receiveTwice, receiveLate or serve, and behind a colon how many bytes
 * a message has if that is not 10 KiB; data folder, MiB or the port.
 */
final class LargeTransactionMain {
    private static final long SOON_MS = 1_000;
    private static final int BATCH = 1_000;

    private LargeTransactionMain() {}

    public static void main(String[] args) throws JMSException, InterruptedException {
        Parent.endWithIt();
        String[] what = args[0].split(":");
        byte[] body = new byte[what.length > 1 ? Integer.parseInt(what[1]) : 10 << 10];
        if (what[0].equals("serve")) {
            serve(args[1], args[2]);
        }
        try (JMSContext context =
                new TurnstoneConnectionFactory("vm://?data=" + args[1]).createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue queue = context.createQueue("large");
            CRC32C checksum = new CRC32C();
            if (what[0].equals("receiveTwice")) {
                receive(context, queue, Integer.MAX_VALUE, body, new CRC32C());
                context.rollback();
            }
            if (what[0].equals("receiveLate")) {
                awaitPrefetch(context, queue);
            }
            long length = what[0].startsWith("receive")
                    ? receive(context, queue, what[0].equals("receive") ? BATCH : Integer.MAX_VALUE, body, checksum)
                    : send(context, queue, Long.parseLong(args[2]) << 20, body, checksum);
            if (what[0].equals("abandon")) {
                System.out.println("RESULT " + length + " abandoned");
                Runtime.getRuntime().halt(0);
            }
            context.commit();
            System.out.println("RESULT " + length + " " + checksum.getValue());
        }
    }

    private static void serve(String data, String port) throws JMSException, InterruptedException {
        try (JMSContext context = new TurnstoneConnectionFactory(
                        "vm://?data=" + data + "&listen=stomp=127.0.0.1:" + port + "&keepAlive=true")
                .createContext()) {
            context.start();
            System.out.println(Child.READY);
            new CountDownLatch(1).await();
        }
    }

    /** Consumes nothing for a while, but has a consumer that is given what it can be given. */
    private static void awaitPrefetch(JMSContext context, Queue queue) {
        JMSConsumer idle = context.createConsumer(queue);
        try (JMSConsumer other = context.createConsumer(context.createQueue("empty"))) {
            if (other.receive(5 * SOON_MS) != null) {
                throw new IllegalStateException("there is something in an empty queue");
            }
        }
        idle.close();
    }

    private static long send(JMSContext context, Queue queue, long bytes, byte[] body, CRC32C checksum)
            throws JMSException {
        SplittableRandom random = new SplittableRandom(1);
        JMSProducer producer = context.createProducer();
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

    private static long receive(JMSContext context, Queue queue, int batch, byte[] body, CRC32C checksum)
            throws JMSException {
        long total = 0;
        int received = 0;
        try (JMSConsumer consumer = context.createConsumer(queue)) {
            for (Message next = consumer.receive(SOON_MS); next != null; next = consumer.receive(SOON_MS)) {
                int count = ((BytesMessage) next).readBytes(body);
                checksum.update(body, 0, count);
                total += count;
                if (++received % batch == 0) {
                    context.commit();
                }
            }
        }
        return total;
    }
}
