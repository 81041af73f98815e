package dev.turnstone.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A producer of the simplified API: what it is told to set is set on each message that it sends (Jakarta Messaging 3.1
 * §7.2). One thread.
 */
final class ContextProducer implements JMSProducer {
    private final ClientSession session;
    private final ClientProducer producer;
    private final Properties properties = new Properties();
    /** Holds what the message's own headers are replaced by, where it is not null. */
    private final ClientMessage headers = new ClientPlainMessage();

    private @Nullable CompletionListener listener;

    ContextProducer(ClientSession session, ClientProducer producer) {
        this.session = session;
        this.producer = producer;
    }

    private SendOptions options() {
        return producer.options();
    }

    @Override
    public JMSProducer send(@Nullable Destination destination, @Nullable Message message) {
        return send(destination, () -> message);
    }

    @Override
    public JMSProducer send(@Nullable Destination destination, @Nullable String body) {
        return send(destination, () -> session.createTextMessage(body));
    }

    @Override
    public JMSProducer send(@Nullable Destination destination, @Nullable Map<String, Object> body) {
        return send(destination, () -> mapMessage(body));
    }

    @Override
    public JMSProducer send(@Nullable Destination destination, byte @Nullable [] body) {
        return send(destination, () -> {
            ClientBytesMessage message = (ClientBytesMessage) session.createBytesMessage();
            if (body != null) {
                message.writeBytes(body);
            }
            return message;
        });
    }

    @Override
    public JMSProducer send(@Nullable Destination destination, @Nullable Serializable body) {
        return send(destination, () -> session.createObjectMessage(body));
    }

    private Message mapMessage(@Nullable Map<String, Object> body) throws JMSException {
        MapMessage message = session.createMapMessage();
        if (body != null) {
            for (Map.Entry<String, Object> entry : body.entrySet()) {
                message.setObject(entry.getKey(), entry.getValue());
            }
        }
        return message;
    }

    private JMSProducer send(@Nullable Destination destination, Unchecked.Call<@Nullable Message> creation) {
        Unchecked.run(() -> {
            Message message = creation.get();
            if (message == null) {
                throw new MessageFormatException("there is no message to send");
            }
            prepare(message);
            if (listener == null) {
                producer.send(destination, message);
            } else {
                producer.send(destination, message, listener);
            }
        });
        return this;
    }

    private void prepare(Message message) throws JMSException {
        for (Map.Entry<String, @Nullable Object> property : properties.all().entrySet()) {
            message.setObjectProperty(property.getKey(), property.getValue());
        }
        Headers own = headers.headers();
        if (own.correlationId instanceof String text) {
            message.setJMSCorrelationID(text);
        } else if (own.correlationId instanceof byte[] bytes) {
            message.setJMSCorrelationIDAsBytes(bytes);
        }
        if (own.type != null) {
            message.setJMSType(own.type);
        }
        if (own.replyTo != null) {
            message.setJMSReplyTo(own.replyTo);
        }
    }

    private JMSProducer set(Unchecked.Action setting) {
        Unchecked.run(setting);
        return this;
    }

    @Override
    public JMSProducer setDisableMessageID(boolean value) {
        options().withoutId(value);
        return this;
    }

    @Override
    public boolean getDisableMessageID() {
        return options().withoutId();
    }

    @Override
    public JMSProducer setDisableMessageTimestamp(boolean value) {
        options().withoutTimestamp(value);
        return this;
    }

    @Override
    public boolean getDisableMessageTimestamp() {
        return options().withoutTimestamp();
    }

    @Override
    public JMSProducer setDeliveryMode(int deliveryMode) {
        return set(() -> options().deliveryMode(deliveryMode));
    }

    @Override
    public int getDeliveryMode() {
        return options().deliveryMode();
    }

    @Override
    public JMSProducer setPriority(int priority) {
        return set(() -> options().priority(priority));
    }

    @Override
    public int getPriority() {
        return options().priority();
    }

    @Override
    public JMSProducer setTimeToLive(long timeToLive) {
        return set(() -> options().timeToLiveMs(timeToLive));
    }

    @Override
    public long getTimeToLive() {
        return options().timeToLiveMs();
    }

    @Override
    public JMSProducer setDeliveryDelay(long deliveryDelay) {
        return set(() -> producer.setDeliveryDelay(deliveryDelay));
    }

    @Override
    public long getDeliveryDelay() {
        return Unchecked.get(producer::getDeliveryDelay);
    }

    @Override
    public JMSProducer setAsync(@Nullable CompletionListener completionListener) {
        listener = completionListener;
        return this;
    }

    @Override
    public @Nullable CompletionListener getAsync() {
        return listener;
    }

    @Override
    public JMSProducer setProperty(String name, boolean value) {
        return set(() -> properties.set(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, byte value) {
        return set(() -> properties.set(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, short value) {
        return set(() -> properties.set(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, int value) {
        return set(() -> properties.set(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, long value) {
        return set(() -> properties.set(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, float value) {
        return set(() -> properties.set(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, double value) {
        return set(() -> properties.set(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, @Nullable String value) {
        return set(() -> properties.set(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, @Nullable Object value) {
        return set(() -> properties.set(name, value));
    }

    @Override
    public JMSProducer clearProperties() {
        properties.clear();
        return this;
    }

    @Override
    public boolean propertyExists(String name) {
        return properties.has(name);
    }

    @Override
    public boolean getBooleanProperty(String name) {
        return Unchecked.get(() -> Values.toBoolean(properties.value(name)));
    }

    @Override
    public byte getByteProperty(String name) {
        return Unchecked.get(() -> Values.toByte(properties.value(name)));
    }

    @Override
    public short getShortProperty(String name) {
        return Unchecked.get(() -> Values.toShort(properties.value(name)));
    }

    @Override
    public int getIntProperty(String name) {
        return Unchecked.get(() -> Values.toInt(properties.value(name)));
    }

    @Override
    public long getLongProperty(String name) {
        return Unchecked.get(() -> Values.toLong(properties.value(name)));
    }

    @Override
    public float getFloatProperty(String name) {
        return Unchecked.get(() -> Values.toFloat(properties.value(name)));
    }

    @Override
    public double getDoubleProperty(String name) {
        return Unchecked.get(() -> Values.toDouble(properties.value(name)));
    }

    @Override
    public @Nullable String getStringProperty(String name) {
        return Unchecked.get(() -> Values.toText(properties.value(name)));
    }

    @Override
    public @Nullable Object getObjectProperty(String name) {
        return properties.value(name);
    }

    @Override
    public Set<String> getPropertyNames() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(properties.all().keySet()));
    }

    @Override
    public JMSProducer setJMSCorrelationIDAsBytes(byte @Nullable [] correlationId) {
        headers.setJMSCorrelationIDAsBytes(correlationId);
        return this;
    }

    @Override
    public byte @Nullable [] getJMSCorrelationIDAsBytes() {
        return headers.getJMSCorrelationIDAsBytes();
    }

    @Override
    public JMSProducer setJMSCorrelationID(@Nullable String correlationId) {
        headers.setJMSCorrelationID(correlationId);
        return this;
    }

    @Override
    public @Nullable String getJMSCorrelationID() {
        return headers.getJMSCorrelationID();
    }

    @Override
    public JMSProducer setJMSType(@Nullable String type) {
        headers.setJMSType(type);
        return this;
    }

    @Override
    public @Nullable String getJMSType() {
        return headers.getJMSType();
    }

    @Override
    public JMSProducer setJMSReplyTo(@Nullable Destination replyTo) {
        return set(() -> headers.setJMSReplyTo(replyTo));
    }

    @Override
    public @Nullable Destination getJMSReplyTo() {
        return headers.getJMSReplyTo();
    }
}
