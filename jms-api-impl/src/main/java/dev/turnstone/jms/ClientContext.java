package dev.turnstone.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A connection and a session in one (Jakarta Messaging 3.1 §2.8). The session is made when it is first needed, so that
 * a client identifier can be set before. One thread, but for close and what concerns the connection.
 */
sealed class ClientContext implements JMSContext permits ClientXaContext {
    private final SharedConnection shared;
    private final int mode;
    private @Nullable ClientSession session;
    private volatile boolean autoStart = true;
    private volatile boolean closed;

    /** With a session in this mode, over a connection that it holds open. */
    ClientContext(SharedConnection shared, int mode) throws JMSException {
        this.shared = shared;
        this.mode = ClientConnection.checkedMode(mode);
    }

    private ClientConnection connection() throws JMSException {
        if (closed) {
            throw Errors.closed("context");
        }
        return shared.connection();
    }

    synchronized ClientSession session() throws JMSException {
        connection();
        ClientSession known = session;
        if (known == null) {
            known = open();
            session = known;
        }
        return known;
    }

    ClientSession open() throws JMSException {
        return connection().open(mode, Domain.COMMON);
    }

    private JMSConsumer consume(Unchecked.Call<MessageConsumer> creation) {
        return Unchecked.get(() -> {
            ClientConsumer consumer = (ClientConsumer) creation.get();
            if (autoStart) {
                connection().start();
            }
            return new ContextConsumer(consumer);
        });
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return Unchecked.get(() -> {
            connection();
            ClientConnection.checkedMode(sessionMode);
            return new ClientContext(shared.join(), sessionMode);
        });
    }

    @Override
    public JMSProducer createProducer() {
        return Unchecked.get(() -> {
            ClientSession made = session();
            return new ContextProducer(made, made.produce(null));
        });
    }

    @Override
    public @Nullable String getClientID() {
        return Unchecked.get(() -> connection().getClientID());
    }

    @Override
    public void setClientID(@Nullable String clientId) {
        Unchecked.run(() -> connection().setClientID(clientId));
    }

    @Override
    public ConnectionMetaData getMetaData() {
        return Unchecked.get(() -> connection().getMetaData());
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() {
        return Unchecked.get(() -> connection().getExceptionListener());
    }

    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) {
        Unchecked.run(() -> connection().setExceptionListener(listener));
    }

    @Override
    public void start() {
        Unchecked.run(() -> connection().start());
    }

    @Override
    public void stop() {
        Unchecked.run(() -> connection().stop());
    }

    @Override
    public void setAutoStart(boolean autoStart) {
        this.autoStart = autoStart;
    }

    @Override
    public boolean getAutoStart() {
        return autoStart;
    }

    @Override
    public void close() {
        Unchecked.run(() -> {
            ClientSession made = sessionOrNone();
            if (made == null) {
                shared.closeIfUnused();
                return;
            }
            made.core().checkNotOwnThread("close its context");
            try {
                made.close();
            } finally {
                leave();
                // Also if the session's close has told of a failure.
                shared.closeIfUnused();
            }
        });
    }

    /** The session; without one the context is closed now. */
    private synchronized @Nullable ClientSession sessionOrNone() {
        if (session == null) {
            leave();
        }
        return session;
    }

    /** Once: the connection ends with its last context. */
    private synchronized void leave() {
        if (!closed) {
            closed = true;
            shared.leave();
        }
    }

    @Override
    public BytesMessage createBytesMessage() {
        return Unchecked.get(() -> session().createBytesMessage());
    }

    @Override
    public MapMessage createMapMessage() {
        return Unchecked.get(() -> session().createMapMessage());
    }

    @Override
    public Message createMessage() {
        return Unchecked.get(() -> session().createMessage());
    }

    @Override
    public ObjectMessage createObjectMessage() {
        return Unchecked.get(() -> session().createObjectMessage());
    }

    @Override
    public ObjectMessage createObjectMessage(@Nullable Serializable object) {
        return Unchecked.get(() -> session().createObjectMessage(object));
    }

    @Override
    public StreamMessage createStreamMessage() {
        return Unchecked.get(() -> session().createStreamMessage());
    }

    @Override
    public TextMessage createTextMessage() {
        return Unchecked.get(() -> session().createTextMessage());
    }

    @Override
    public TextMessage createTextMessage(@Nullable String text) {
        return Unchecked.get(() -> session().createTextMessage(text));
    }

    @Override
    public boolean getTransacted() {
        return Unchecked.get(() -> session().getTransacted());
    }

    @Override
    public int getSessionMode() {
        return Unchecked.get(() -> session().getAcknowledgeMode());
    }

    @Override
    public void commit() {
        Unchecked.run(() -> session().commit());
    }

    @Override
    public void rollback() {
        Unchecked.run(() -> session().rollback());
    }

    @Override
    public void recover() {
        Unchecked.run(() -> session().recover());
    }

    @Override
    public void acknowledge() {
        Unchecked.run(() -> session().acknowledge());
    }

    @Override
    public JMSConsumer createConsumer(Destination destination) {
        return consume(() -> session().createConsumer(destination));
    }

    @Override
    public JMSConsumer createConsumer(Destination destination, @Nullable String selector) {
        return consume(() -> session().createConsumer(destination, selector));
    }

    @Override
    public JMSConsumer createConsumer(Destination destination, @Nullable String selector, boolean noLocal) {
        return consume(() -> session().createConsumer(destination, selector, noLocal));
    }

    @Override
    public JMSConsumer createDurableConsumer(Topic topic, String name) {
        return consume(() -> session().createDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createDurableConsumer(Topic topic, String name, @Nullable String selector, boolean noLocal) {
        return consume(() -> session().createDurableConsumer(topic, name, selector, noLocal));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(Topic topic, String name) {
        return consume(() -> session().createSharedDurableConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedDurableConsumer(Topic topic, String name, @Nullable String selector) {
        return consume(() -> session().createSharedDurableConsumer(topic, name, selector));
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String name) {
        return consume(() -> session().createSharedConsumer(topic, name));
    }

    @Override
    public JMSConsumer createSharedConsumer(Topic topic, String name, @Nullable String selector) {
        return consume(() -> session().createSharedConsumer(topic, name, selector));
    }

    @Override
    public Queue createQueue(String name) {
        return Unchecked.get(() -> session().createQueue(name));
    }

    @Override
    public Topic createTopic(String name) {
        return Unchecked.get(() -> session().createTopic(name));
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) {
        return createBrowser(queue, null);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, @Nullable String selector) {
        return Unchecked.get(() -> session().createBrowser(queue, selector));
    }

    @Override
    public TemporaryQueue createTemporaryQueue() {
        return Unchecked.get(() -> session().createTemporaryQueue());
    }

    @Override
    public TemporaryTopic createTemporaryTopic() {
        return Unchecked.get(() -> session().createTemporaryTopic());
    }

    @Override
    public void unsubscribe(String name) {
        Unchecked.run(() -> session().unsubscribe(name));
    }
}
