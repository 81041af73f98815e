package dev.turnstone.jms;

import dev.turnstone.port.BodyKind;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.Serializable;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message whose body is a serialised object. It is serialised when it is set and deserialised whenever it is looked
 * at, so each look gives a copy (Jakarta Messaging 3.1 §3.12); what may be deserialised, {@link AllowedClasses} says.
 */
final class ClientObjectMessage extends ClientMessage implements ObjectMessage {
    private final AllowedClasses allowed;
    private byte @Nullable [] serialised;

    ClientObjectMessage(AllowedClasses allowed) {
        this.allowed = allowed;
    }

    ClientObjectMessage(Delivery delivery, @Nullable SessionCore session, AllowedClasses allowed) {
        super(delivery, session);
        this.allowed = allowed;
    }

    @Override
    public void setObject(@Nullable Serializable object) throws JMSException {
        checkBodyWriteable();
        serialised = object == null ? null : allowed.serialise(object);
    }

    @Override
    public @Nullable Serializable getObject() throws JMSException {
        ByteBuffer body = body();
        return body == null ? null : allowed.deserialise(body);
    }

    private @Nullable ByteBuffer body() throws JMSException {
        Message received = source();
        if (received != null) {
            return received.hasBody() ? bodyOf(received) : null;
        }
        return serialised == null ? null : ByteBuffer.wrap(serialised);
    }

    @Override
    BodyKind kind() {
        return BodyKind.OBJECT;
    }

    @Override
    void encodeBody(MessageBuilder target) throws JMSException {
        ByteBuffer body = body();
        if (body == null) {
            target.noBody(BodyKind.OBJECT);
        } else {
            target.body(BodyKind.OBJECT, body);
        }
    }

    @Override
    void dropBody() {
        serialised = null;
    }

    @Override
    @Nullable
    Object bodyFor(Class<?> type) throws JMSException {
        return getObject();
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as the API declares it
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        try {
            return super.isBodyAssignableTo(type);
        } catch (MessageFormatException notToBeDeserialised) {
            // What getBody would throw, this method answers with false.
            return false;
        }
    }
}
