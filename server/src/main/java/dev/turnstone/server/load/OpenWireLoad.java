package dev.turnstone.server.load;

import jakarta.jms.CompletionListener;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.ActiveMQMessageProducer;
import org.apache.activemq.AsyncCallback;

/** Load over OpenWire, through ActiveMQ's own client. Any thread. */
public final class OpenWireLoad implements LoadProtocol {
    private final LoadTarget target;
    private final JmsLoad load;

    /** For a broker that listens there. */
    public OpenWireLoad(LoadTarget target) {
        this.target = target;
        this.load = new JmsLoad(factory(target), OpenWireLoad::send);
    }

    private static ConnectionFactory factory(LoadTarget target) {
        String host = target.host().contains(":") ? "[" + target.host() + "]" : target.host();
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(
                target.user(), target.password(), (target.tls() ? "ssl" : "tcp") + "://" + host + ":" + target.port());
        // Otherwise a send that need not survive returns before the broker has it.
        factory.setAlwaysSyncSend(true);
        factory.setWatchTopicAdvisories(false);
        return factory;
    }

    /** The library has no completion listeners, but callbacks of its own. */
    private static void send(MessageProducer producer, Message message, CompletionListener listener)
            throws JMSException {
        ((ActiveMQMessageProducer) producer).send(message, new AsyncCallback() {
            @Override
            public void onSuccess() {
                listener.onCompletion(message);
            }

            @Override
            public void onException(JMSException exception) {
                listener.onException(message, exception);
            }
        });
    }

    @Override
    public List<String> acknowledgeModes() {
        return load.acknowledgeModes();
    }

    @Override
    public LoadSender sender(LoadPlan plan, int number, Consumer<IOException> failed) throws IOException {
        try {
            return load.sender(plan, number, failed);
        } catch (IOException e) {
            throw target.failure(e);
        }
    }

    @Override
    public LoadReceiver receiver(LoadPlan plan, int number) throws IOException {
        try {
            return load.receiver(plan, number);
        } catch (IOException e) {
            throw target.failure(e);
        }
    }
}
