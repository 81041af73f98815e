package dev.turnstone.jms;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A session as the API shows it: checks arguments and domains, and leaves the rest to {@link SessionCore}. One thread,
 * but for close.
 */
sealed class ClientSession implements QueueSession, TopicSession permits ClientXaSession {
    private final ClientConnection connection;
    private final SessionCore core;
    private final Domain domain;

    ClientSession(ClientConnection connection, SessionCore core, Domain domain) {
        this.connection = connection;
        this.core = core;
        this.domain = domain;
    }

    SessionCore core() {
        return core;
    }

    @Override
    public Message createMessage() throws JMSException {
        core.checkOpen();
        return new ClientPlainMessage();
    }

    @Override
    public TextMessage createTextMessage() throws JMSException {
        return createTextMessage(null);
    }

    @Override
    public TextMessage createTextMessage(@Nullable String text) throws JMSException {
        core.checkOpen();
        return new ClientTextMessage(text);
    }

    @Override
    public BytesMessage createBytesMessage() throws JMSException {
        core.checkOpen();
        return new ClientBytesMessage();
    }

    @Override
    public MapMessage createMapMessage() throws JMSException {
        core.checkOpen();
        return new ClientMapMessage();
    }

    @Override
    public StreamMessage createStreamMessage() throws JMSException {
        core.checkOpen();
        return new ClientStreamMessage();
    }

    @Override
    public ObjectMessage createObjectMessage() throws JMSException {
        return createObjectMessage(null);
    }

    @Override
    public ObjectMessage createObjectMessage(@Nullable Serializable object) throws JMSException {
        core.checkOpen();
        ObjectMessage message = new ClientObjectMessage(connection.settings().objects());
        message.setObject(object);
        return message;
    }

    @Override
    public boolean getTransacted() throws JMSException {
        return getAcknowledgeMode() == Session.SESSION_TRANSACTED;
    }

    @Override
    public int getAcknowledgeMode() throws JMSException {
        core.checkOpen();
        return core.mode();
    }

    @Override
    public void commit() throws JMSException {
        core.commit();
    }

    @Override
    public void rollback() throws JMSException {
        core.rollback();
    }

    @Override
    public void recover() throws JMSException {
        core.recover();
    }

    @Override
    public void close() throws JMSException {
        core.close();
    }

    @Override
    public Queue createQueue(String name) throws JMSException {
        core.checkOpen();
        domain.checkQueues("createQueue");
        return (Queue) TurnstoneDestination.named(AddressKind.QUEUE, name);
    }

    @Override
    public Topic createTopic(String name) throws JMSException {
        core.checkOpen();
        domain.checkTopics("createTopic");
        return (Topic) TurnstoneDestination.named(AddressKind.TOPIC, name);
    }

    @Override
    public MessageProducer createProducer(@Nullable Destination destination) throws JMSException {
        return produce(destination);
    }

    @Override
    public QueueSender createSender(@Nullable Queue queue) throws JMSException {
        return produce(queue);
    }

    @Override
    public TopicPublisher createPublisher(@Nullable Topic topic) throws JMSException {
        return produce(topic);
    }

    /** The context's acknowledge(): as that of each of its messages. */
    void acknowledge() throws JMSException {
        core.acknowledge();
    }

    ClientProducer produce(@Nullable Destination destination) throws JMSException {
        core.checkOpen();
        return new ClientProducer(core, destination == null ? null : TurnstoneDestination.target(destination));
    }

    @Override
    public MessageConsumer createConsumer(Destination destination) throws JMSException {
        return createConsumer(destination, null, false);
    }

    @Override
    public MessageConsumer createConsumer(Destination destination, @Nullable String selector) throws JMSException {
        return createConsumer(destination, selector, false);
    }

    @Override
    public MessageConsumer createConsumer(Destination destination, @Nullable String selector, boolean noLocal)
            throws JMSException {
        return core.consume(TurnstoneDestination.own(destination), null, selector, noLocal);
    }

    @Override
    public QueueReceiver createReceiver(Queue queue) throws JMSException {
        return createReceiver(queue, null);
    }

    @Override
    public QueueReceiver createReceiver(Queue queue, @Nullable String selector) throws JMSException {
        return core.consume(TurnstoneDestination.own(queue), null, selector, false);
    }

    @Override
    public TopicSubscriber createSubscriber(Topic topic) throws JMSException {
        return createSubscriber(topic, null, false);
    }

    @Override
    public TopicSubscriber createSubscriber(Topic topic, @Nullable String selector, boolean noLocal)
            throws JMSException {
        return core.consume(TurnstoneDestination.own(topic), null, selector, noLocal);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name) throws JMSException {
        return consumeDurably("createDurableSubscriber", topic, name, null, false);
    }

    @Override
    public TopicSubscriber createDurableSubscriber(Topic topic, String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        return consumeDurably("createDurableSubscriber", topic, name, selector, noLocal);
    }

    @Override
    public MessageConsumer createDurableConsumer(Topic topic, String name) throws JMSException {
        return consumeDurably("createDurableConsumer", topic, name, null, false);
    }

    @Override
    public MessageConsumer createDurableConsumer(Topic topic, String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        return consumeDurably("createDurableConsumer", topic, name, selector, noLocal);
    }

    private ClientConsumer consumeDurably(
            String method, Topic topic, @Nullable String name, @Nullable String selector, boolean noLocal)
            throws JMSException {
        core.checkOpen();
        domain.checkTopics(method);
        TurnstoneDestination destination = durable(topic);
        String clientId = connection.getClientID();
        if (clientId == null) {
            throw Errors.illegal(method + " needs a connection with a client identifier");
        }
        return core.consume(destination, new SubscriptionName(clientId, named(name)), selector, noLocal);
    }

    private static String named(@Nullable String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new JMSException("a subscription needs a name", "INVALID_SUBSCRIPTION_NAME");
        }
        return name;
    }

    @Override
    public void unsubscribe(String name) throws JMSException {
        core.checkOpen();
        domain.checkTopics("unsubscribe");
        if (name == null || name.isEmpty()) {
            throw new InvalidDestinationException("a subscription needs a name");
        }
        SubscriptionName subscription = new SubscriptionName(connection.getClientID(), name);
        core.delete((port, reply) -> port.deleteSubscription(subscription, reply));
    }

    /** Deletes a queue, which is not a temporary one, with its messages. */
    void delete(Queue queue) throws JMSException {
        core.checkOpen();
        Address address = TurnstoneDestination.target(queue).address();
        core.delete((port, reply) -> port.deleteQueue(address, reply));
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name) throws JMSException {
        return createSharedConsumer(topic, name, null);
    }

    @Override
    public MessageConsumer createSharedConsumer(Topic topic, String name, @Nullable String selector)
            throws JMSException {
        core.checkOpen();
        domain.checkTopics("createSharedConsumer");
        return core.share(TurnstoneDestination.own(topic), shared(name), selector, Subscribe.Mode.SHARED);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(Topic topic, String name) throws JMSException {
        return createSharedDurableConsumer(topic, name, null);
    }

    @Override
    public MessageConsumer createSharedDurableConsumer(Topic topic, String name, @Nullable String selector)
            throws JMSException {
        core.checkOpen();
        domain.checkTopics("createSharedDurableConsumer");
        return core.share(durable(topic), shared(name), selector, Subscribe.Mode.SHARED_DURABLE);
    }

    /** The name of a shared subscription; without a client identifier, all such connections share it (§8.3.2). */
    private SubscriptionName shared(@Nullable String name) throws JMSException {
        return new SubscriptionName(connection.getClientID(), named(name));
    }

    private static TurnstoneDestination durable(@Nullable Topic topic) throws JMSException {
        TurnstoneDestination destination = TurnstoneDestination.own(topic);
        if (destination.address().isTemporary()) {
            throw new InvalidDestinationException("a temporary topic has no durable subscriptions");
        }
        return destination;
    }

    @Override
    public QueueBrowser createBrowser(Queue queue) throws JMSException {
        return createBrowser(queue, null);
    }

    @Override
    public QueueBrowser createBrowser(Queue queue, @Nullable String selector) throws JMSException {
        core.checkOpen();
        domain.checkQueues("createBrowser");
        return ClientBrowser.of(core, TurnstoneDestination.own(queue), selector);
    }

    @Override
    public TemporaryQueue createTemporaryQueue() throws JMSException {
        core.checkOpen();
        domain.checkQueues("createTemporaryQueue");
        return connection.temporaries().queue();
    }

    @Override
    public TemporaryTopic createTemporaryTopic() throws JMSException {
        core.checkOpen();
        domain.checkTopics("createTemporaryTopic");
        return connection.temporaries().topic();
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        core.checkOpen();
        return core.serverWork().listener();
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        core.checkOpen();
        core.serverWork().listener(listener);
    }

    @Override
    public void run() {
        try {
            core.checkOpen();
            core.serverWork().run();
        } catch (JMSException e) {
            throw Unchecked.of(e);
        }
    }

    /** A connection consumer that hands over what this consumer of the session gets. */
    ConnectionConsumer serve(ClientConsumer consumer, ServerSessionPool pool, int messagesMax) {
        return new ClientConnectionConsumer(connection, core, consumer, pool, messagesMax)
                .start("turnstone-connection-consumer-" + connection.name());
    }

    /**
     * This as a server session of a connection.
     *
     * @throws JMSException if it is another connection's
     */
    ServerWork serverWork(ClientConnection of) throws JMSException {
        core.checkOpen();
        if (!core.belongsTo(of)) {
            throw Errors.illegal("the server session's session is not one of the connection consumer's connection");
        }
        return core.serverWork();
    }
}
