package dev.turnstone.itests.mqtt.crash;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.itests.process.Parent;
import dev.turnstone.itests.security.SecuredConnector;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.spi.ListenRequest;
import dev.turnstone.transport.mqtt.MqttTransportProvider;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.Map;

/** The broker, and in it a JMS application that moves messages from the one topic to the other, in transactions. */
final class BrokerMain {
    static final String FROM = "in";
    static final String TO = "out";

    private static final int MOVED_MAX = 5;
    private static final long RECEIVE_MS = 20;

    private BrokerMain() {}

    public static void main(String[] args) throws JMSException {
        Parent.endWithIt();
        Path data = Path.of(args[0]);
        EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(data).withJournal(args[1]));
        SecuredConnector.serve(data, broker.broker());
        TurnstoneConnectionFactory factory = new TurnstoneConnectionFactory(SecuredConnector.url(data));
        factory.setClientID("forwarder");
        Connection connection = factory.createConnection();
        Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createDurableConsumer(session.createTopic(FROM), FROM);
        Topic target = session.createTopic(TO);
        MessageProducer producer = session.createProducer(target);
        connection.start();
        new MqttTransportProvider()
                .listen(
                        new ListenRequest("127.0.0.1", Integer.parseInt(args[2]), Map.of()),
                        Mutants.valueOf(args[3]).of(broker.broker()),
                        broker.shared())
                .toCompletableFuture()
                .join();
        System.out.println(Child.READY);
        while (true) {
            int moved = 0;
            while (moved < MOVED_MAX) {
                Message message = consumer.receive(RECEIVE_MS);
                if (message == null) {
                    break;
                }
                producer.send(message);
                moved++;
            }
            session.commit();
        }
    }
}
