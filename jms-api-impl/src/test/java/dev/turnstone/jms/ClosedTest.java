package dev.turnstone.jms;

import static org.assertj.core.api.Assertions.catchThrowable;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import jakarta.jms.XAConnection;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;
import java.io.Serializable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every method that the API has, on what is closed, with arguments that would be right. */
final class ClosedTest {
    /** What may be asked of a closed object too, and what is asked of a manager's resource. */
    private static final Set<String> ALLOWED =
            Set.of("close", "getAutoStart", "setAutoStart", "getXAResource", "getContext");

    private final Map<Class<?>, Object> arguments = new HashMap<>();
    private FakeJms jms;
    private XAConnection xa;
    private Session session;
    private Queue queue;
    private Topic topic;

    @BeforeEach
    void connect() throws JMSException {
        jms = new FakeJms();
        xa = factoryOf(jms.broker.factory("")).createXAConnection();
        session = jms.session(Session.AUTO_ACKNOWLEDGE);
        queue = session.createQueue("q");
        topic = session.createTopic("t");
        fillArguments();
    }

    @AfterEach
    void disconnect() throws JMSException {
        xa.close();
        jms.close();
    }

    private static TurnstoneXAConnectionFactory factoryOf(TurnstoneConnectionFactory plain) {
        return new TurnstoneXAConnectionFactory(
                (String) plain.getReference().get(TurnstoneObjectFactory.URL).getContent());
    }

    private void fillArguments() throws JMSException {
        arguments.put(String.class, "n = 1");
        arguments.put(int.class, 1);
        arguments.put(long.class, 1L);
        arguments.put(boolean.class, true);
        arguments.put(byte[].class, new byte[1]);
        arguments.put(Map.class, Map.of("n", 1));
        arguments.put(Class.class, String.class);
        arguments.put(Serializable.class, "text");
        arguments.put(Destination.class, queue);
        arguments.put(Queue.class, queue);
        arguments.put(Topic.class, topic);
        arguments.put(Message.class, session.createMessage());
        arguments.put(MessageListener.class, (MessageListener) message -> {});
        arguments.put(ExceptionListener.class, (ExceptionListener) exception -> {});
        arguments.put(ServerSessionPool.class, (ServerSessionPool) () -> null);
        arguments.put(CompletionListener.class, new CompletionListener() {
            @Override
            public void onCompletion(Message message) {}

            @Override
            public void onException(Message message, Exception exception) {}
        });
    }

    /** All methods of this interface must throw the API's exception for an illegal state. */
    private <T> void assertRefuses(Class<T> api, T closed) {
        SoftAssertions all = new SoftAssertions();
        for (Method method : api.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers()) && !ALLOWED.contains(method.getName())) {
                all.assertThat(catchThrowable(() -> call(method, closed)))
                        .as(method.toString())
                        .isInstanceOfAny(IllegalStateException.class, IllegalStateRuntimeException.class);
            }
        }
        all.assertAll();
    }

    private void call(Method method, Object closed) throws Throwable {
        Object[] values = new Object[method.getParameterCount()];
        for (int i = 0; i < values.length; i++) {
            Class<?> type = method.getParameterTypes()[i];
            if (!arguments.containsKey(type)) {
                throw new AssertionError("no argument for " + method);
            }
            values[i] = arguments.get(type);
        }
        try {
            method.invoke(closed, values);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void connections() throws JMSException {
        jms.connection.close();
        xa.close();
        Connection closed = jms.connection;
        assertRefuses(QueueConnection.class, (QueueConnection) closed);
        assertRefuses(TopicConnection.class, (TopicConnection) closed);
        assertRefuses(XAQueueConnection.class, (XAQueueConnection) xa);
        assertRefuses(XATopicConnection.class, (XATopicConnection) xa);
    }

    @Test
    void sessions() throws JMSException {
        session.close();
        assertRefuses(QueueSession.class, (QueueSession) session);
        assertRefuses(TopicSession.class, (TopicSession) session);
        XASession closed = xa.createXASession();
        closed.close();
        assertRefuses(XAQueueSession.class, (XAQueueSession) closed);
        assertRefuses(XATopicSession.class, (XATopicSession) closed);
    }

    @Test
    void sessionsOfAClosedConnection() throws JMSException {
        XASession closed = xa.createXASession();
        xa.close();
        jms.connection.close();
        assertRefuses(Session.class, session);
        assertRefuses(XASession.class, closed);
    }

    @Test
    void producers() throws JMSException {
        for (Destination destination : new Destination[] {queue, topic, null}) {
            MessageProducer closed = session.createProducer(destination);
            closed.close();
            assertRefuses(QueueSender.class, (QueueSender) closed);
            assertRefuses(TopicPublisher.class, (TopicPublisher) closed);
            assertRefusesAfter(jms.broker.factory("").createConnection(), destination);
        }
    }

    private void assertRefusesAfter(Connection connection, Destination destination) throws JMSException {
        MessageProducer producer = connection.createSession().createProducer(destination);
        connection.close();
        assertRefuses(MessageProducer.class, producer);
    }

    @Test
    void consumers() throws JMSException {
        for (Destination destination : new Destination[] {queue, topic}) {
            MessageConsumer closed = session.createConsumer(destination);
            closed.close();
            assertRefuses(QueueReceiver.class, (QueueReceiver) closed);
            assertRefuses(TopicSubscriber.class, (TopicSubscriber) closed);
        }
        MessageConsumer ofClosed = session.createConsumer(queue);
        session.close();
        assertRefuses(MessageConsumer.class, ofClosed);
    }

    @Test
    void browsersAndConnectionConsumers() throws JMSException {
        QueueBrowser closed = session.createBrowser(queue);
        QueueBrowser ofClosed = session.createBrowser(queue);
        closed.close();
        assertRefuses(QueueBrowser.class, closed);
        ConnectionConsumer consumer = jms.connection.createConnectionConsumer(queue, null, () -> null, 1);
        ConnectionConsumer other = jms.connection.createConnectionConsumer(queue, null, () -> null, 1);
        consumer.close();
        consumer.close();
        assertRefuses(ConnectionConsumer.class, consumer);
        jms.connection.close();
        assertRefuses(QueueBrowser.class, ofClosed);
        assertRefuses(ConnectionConsumer.class, other);
        other.close();
    }

    @Test
    void contexts() {
        JMSContext context = jms.broker.factory("").createContext();
        JMSConsumer consumer = context.createConsumer(queue);
        JMSConsumer ofClosed = context.createConsumer(queue);
        JMSProducer producer = context.createProducer();
        consumer.close();
        assertRefuses(JMSConsumer.class, consumer);
        context.close();
        assertRefuses(JMSContext.class, context);
        assertRefuses(JMSConsumer.class, ofClosed);
        SoftAssertions all = new SoftAssertions();
        for (Method method : JMSProducer.class.getMethods()) {
            if (method.getName().equals("send")) {
                all.assertThat(catchThrowable(() -> call(method, producer)))
                        .as(method.toString())
                        .isInstanceOf(IllegalStateRuntimeException.class);
            }
        }
        all.assertAll();
        JMSContext unused = jms.broker.factory("").createContext();
        unused.close();
        assertRefuses(JMSContext.class, unused);
        XAJMSContext global = factoryOf(jms.broker.factory("")).createXAContext();
        global.close();
        assertRefuses(XAJMSContext.class, global);
    }
}
