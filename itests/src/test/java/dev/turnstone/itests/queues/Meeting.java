package dev.turnstone.itests.queues;

import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.transport.Ports;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A broker with settings of addresses, and clients of all protocols at it. One thread. */
final class Meeting implements AutoCloseable {
    static final long SOON_MS = 10_000;
    static final long NEVER_MS = 200;

    private final int stompPort = Ports.free();
    private final int mqttPort = Ports.free();
    private final List<Closeable> sockets = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();
    private final TurnstoneConnectionFactory factory;
    private final @Nullable EmbeddedBroker broker;
    final Connection connection;

    /** With settings as they stand in a URL, such as {@code addresses.queue:q.ringSize=3}. */
    Meeting(Path data, String... settings) throws IOException, JMSException {
        StringBuilder url = new StringBuilder(
                "vm://?data=" + data + "&listen=stomp=127.0.0.1:" + stompPort + "&listen=mqtt=127.0.0.1:" + mqttPort);
        for (String setting : settings) {
            url.append('&').append(setting.replace(">", "%3E"));
        }
        factory = new TurnstoneConnectionFactory(url.toString());
        broker = null;
        connection = factory.createConnection();
        connection.start();
    }

    /** With bindings. */
    Meeting(Path data, Bindings bindings) throws IOException, JMSException {
        broker = EmbeddedBroker.start(BrokerSettings.in(data).withBindings(bindings));
        broker.listen("stomp", "127.0.0.1", stompPort, Map.of());
        broker.listen("mqtt", "127.0.0.1", mqttPort, Map.of());
        broker.share();
        factory = new TurnstoneConnectionFactory("vm://?data=" + data);
        connection = factory.createConnection();
        connection.start();
    }

    /** A session on a connection of its own. */
    Session session() throws JMSException {
        return session(Session.AUTO_ACKNOWLEDGE);
    }

    Session session(int mode) throws JMSException {
        return another().createSession(mode);
    }

    /** A context, for the caller to close. */
    JMSContext context() {
        return factory.createContext();
    }

    /** A connection that is closed at the end at the latest. */
    Connection another() throws JMSException {
        Connection own = factory.createConnection();
        own.start();
        connections.add(own);
        return own;
    }

    /** The same with a client identifier. */
    Connection another(String clientId) throws JMSException {
        Connection own = factory.createConnection();
        own.setClientID(clientId);
        own.start();
        connections.add(own);
        return own;
    }

    StompClient stomp() throws IOException {
        StompClient client = StompClient.connect("127.0.0.1", stompPort);
        sockets.add(client);
        return client;
    }

    MqttPeer mqtt(String clientId) throws IOException {
        MqttPeer peer = MqttPeer.connect(mqttPort, MqttLogin.v5(clientId));
        sockets.add(peer);
        return peer;
    }

    /** Sends a text to a queue, in a group if that is not null. */
    static void send(Session session, String queue, String text, @Nullable String group) throws JMSException {
        TextMessage message = session.createTextMessage(text);
        if (group != null) {
            message.setStringProperty("JMSXGroupID", group);
        }
        session.createProducer(session.createQueue(queue)).send(message);
    }

    /** The text of the next message, or null if there is none. */
    static @Nullable String next(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(SOON_MS);
        return message == null ? null : message.getBody(String.class);
    }

    static @Nullable Message nothing(MessageConsumer consumer) throws JMSException {
        return consumer.receive(NEVER_MS);
    }

    @Override
    public void close() throws IOException, JMSException {
        for (Closeable one : sockets) {
            one.close();
        }
        for (Connection one : connections) {
            one.close();
        }
        connection.close();
        if (broker != null) {
            broker.close();
        }
    }
}
