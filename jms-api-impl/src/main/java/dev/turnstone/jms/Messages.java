package dev.turnstone.jms;

import dev.turnstone.port.Delivery;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/** Makes the API's message objects of canonical messages and of other providers' messages. Any thread. */
final class Messages {
    private static final int COPY_BYTES = 8192;

    private Messages() {}

    /** The received message as the API shows it. */
    static ClientMessage of(Delivery delivery, @Nullable SessionCore session, AllowedClasses allowed) {
        return switch (delivery.message().bodyKind()) {
            case NONE -> new ClientPlainMessage(delivery, session);
            case TEXT -> new ClientTextMessage(delivery, session);
            case BYTES -> new ClientBytesMessage(delivery, session);
            case MAP -> new ClientMapMessage(delivery, session);
            case STREAM -> new ClientStreamMessage(delivery, session);
            case OBJECT -> new ClientObjectMessage(delivery, session, allowed);
        };
    }

    /** Refuses what {@code receiveBody} cannot return: no body, or one of another type. */
    static void checkBody(ClientMessage message, Class<?> type) throws JMSException {
        Object body = message.bodyFor(type);
        if (body == null || !message.fits(body, type)) {
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
        } else if (message instanceof MapMessage map) {
            return copyOf(map);
        } else if (message instanceof StreamMessage stream) {
            return copyOf(stream);
        } else if (message instanceof ObjectMessage object) {
            ClientObjectMessage copy = new ClientObjectMessage(AllowedClasses.NONE);
            copy.setObject(object.getObject());
            return copy;
        }
        return new ClientPlainMessage();
    }

    private static ClientMapMessage copyOf(MapMessage message) throws JMSException {
        ClientMapMessage copy = new ClientMapMessage();
        Enumeration<?> names = message.getMapNames();
        while (names.hasMoreElements()) {
            String name = (String) names.nextElement();
            copy.setObject(name, message.getObject(name));
        }
        return copy;
    }

    private static ClientStreamMessage copyOf(StreamMessage message) throws JMSException {
        ClientStreamMessage copy = new ClientStreamMessage();
        message.reset();
        while (true) {
            try {
                copy.writeObject(message.readObject());
            } catch (MessageEOFException end) {
                // The API has no other way to tell that a stream ends.
                return copy;
            }
        }
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
