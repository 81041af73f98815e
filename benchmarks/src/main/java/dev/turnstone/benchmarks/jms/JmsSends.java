package dev.turnstone.benchmarks.jms;

import dev.turnstone.benchmarks.journal.Subject;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** Persistent sends of one session to one queue of an embedded broker in a fresh folder. */
final class JmsSends implements Subject, CompletionListener {
    private final Connection connection;
    private final Session session;
    private final MessageProducer producer;
    private final byte[] body;
    private final LongConsumer durable;
    private final boolean blocking;
    private long confirmed;

    private JmsSends(Path folder, int bytes, LongConsumer durable, boolean blocking) throws JMSException {
        this.durable = durable;
        this.blocking = blocking;
        body = new byte[bytes];
        connection = new TurnstoneConnectionFactory("vm://?data=" + folder).createConnection();
        session = connection.createSession();
        producer = session.createProducer(session.createQueue("benchmark"));
    }

    /** Each submission is an asynchronous send. */
    static Subject asynchronous(Path folder, int bytes, LongConsumer durable) throws IOException {
        return open(folder, bytes, durable, false);
    }

    /** Each submission is a send that returns when the message is safe. */
    static Subject blocking(Path folder, int bytes, LongConsumer durable) throws IOException {
        return open(folder, bytes, durable, true);
    }

    private static Subject open(Path folder, int bytes, LongConsumer durable, boolean blocking) throws IOException {
        try {
            return new JmsSends(folder, bytes, durable, blocking);
        } catch (JMSException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void submit(int records) {
        for (int i = 0; i < records; i++) {
            send();
        }
    }

    private void send() {
        try {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(body);
            if (blocking) {
                producer.send(message);
                durable.accept(++confirmed);
            } else {
                producer.send(message, this);
            }
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void onCompletion(Message message) {
        durable.accept(++confirmed);
    }

    @Override
    public void onException(Message message, Exception exception) {
        throw new IllegalStateException(exception);
    }

    @Override
    public void close() throws IOException {
        try {
            connection.close();
        } catch (JMSException e) {
            throw new IOException(e);
        }
    }
}
