package dev.turnstone.jms;

import dev.turnstone.port.BodyKind;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A message whose body is a string, or null. */
final class ClientTextMessage extends ClientMessage implements TextMessage {
    private @Nullable String text;
    private boolean decoded;

    ClientTextMessage(@Nullable String text) {
        this.text = text;
        decoded = true;
    }

    ClientTextMessage(Delivery delivery, @Nullable SessionCore session) {
        super(delivery, session);
    }

    @Override
    public void setText(@Nullable String text) throws JMSException {
        checkBodyWriteable();
        this.text = text;
        decoded = true;
    }

    @Override
    public @Nullable String getText() throws JMSException {
        Message received = source();
        if (!decoded && received != null) {
            text = received.hasStoredBody()
                    ? StandardCharsets.UTF_8.decode(bodyOf(received)).toString()
                    : received.text();
            decoded = true;
        }
        return text;
    }

    @Override
    BodyKind kind() {
        return BodyKind.TEXT;
    }

    @Override
    void encodeBody(MessageBuilder target) throws JMSException {
        Message received = source();
        if (received != null && received.hasBody()) {
            target.body(BodyKind.TEXT, bodyOf(received));
        } else {
            target.text(getText());
        }
    }

    @Override
    void dropBody() {
        text = null;
        decoded = true;
    }

    @Override
    @Nullable
    Object bodyFor(Class<?> type) throws JMSException {
        return getText();
    }
}
