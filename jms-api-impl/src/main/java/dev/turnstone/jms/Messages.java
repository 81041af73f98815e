package dev.turnstone.jms;

import dev.turnstone.port.Delivery;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the API's message objects of canonical messages and of other providers' messages. Any thread. */
final class Messages {
    private static final int COPY_BYTES = 8192;

    private Messages() {}

    /** The received message as the API shows it. */
    static ClientMessage of(Delivery delivery, @Nullable SessionCore session) throws JMSException {
        return switch (delivery.message().bodyKind()) {
            case NONE -> new ClientPlainMessage(delivery, session);
            case TEXT -> new ClientTextMessage(delivery, session);
            case BYTES -> new ClientBytesMessage(delivery, session);
            case MAP -> throw Errors.unsupported("MapMessage");
            case STREAM -> throw Errors.unsupported("StreamMessage");
            case OBJECT -> throw Errors.unsupported("ObjectMessage");
        };
    }

    /** Refuses what {@code receiveBody} cannot return: no body, or one of another type. */
    static void checkBody(ClientMessage message, Class<?> type) throws JMSException {
        Object body = message.bodyFor(type);
        if (body == null || !type.isInstance(body)) {
            throw new MessageFormatException(
                    "message " + message.getJMSMessageID() + " has no body that is a " + type.getName());
        }
    }

    /** The message itself if it is ours, else a copy of what its sender has set (Jakarta Messaging 3.1 §3.12). */
    static ClientMessage ours(Message message) throws JMSException {
        if (message instanceof ClientMessage own) {
            return own;
        }
        ClientMessage copy = bodyOf(message);
        copy.setJMSCorrelationID(message.getJMSCorrelationID());
        copy.setJMSReplyTo(message.getJMSReplyTo());
        copy.setJMSType(message.getJMSType());
        Enumeration<?> names = message.getPropertyNames();
        while (names.hasMoreElements()) {
            String name = (String) names.nextElement();
            // The delivery count of another provider is not a client's to set.
            if (!name.equals(Properties.DELIVERY_COUNT)) {
                copy.setObjectProperty(name, message.getObjectProperty(name));
            }
        }
        return copy;
    }

    private static ClientMessage bodyOf(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            return new ClientTextMessage(text.getText());
        } else if (message instanceof BytesMessage bytes) {
            return copyOf(bytes);
        }
        for (Class<?> type : List.of(MapMessage.class, StreamMessage.class, ObjectMessage.class)) {
            if (type.isInstance(message)) {
                throw Errors.unsupported(type.getSimpleName());
            }
        }
        return new ClientPlainMessage();
    }

    private static ClientBytesMessage copyOf(BytesMessage message) throws JMSException {
        ClientBytesMessage copy = new ClientBytesMessage();
        byte[] block = new byte[COPY_BYTES];
        message.reset();
        for (int read = message.readBytes(block); read > 0; read = message.readBytes(block)) {
            copy.writeBytes(block, 0, read);
        }
        return copy;
    }
}
