package dev.turnstone.broker.filter;

import dev.turnstone.port.Message;
import java.nio.charset.StandardCharsets;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.selector.filter.Filterable;
import org.jspecify.annotations.Nullable;

/** How the selector library sees a message: header fields by their JMS names, then properties. One thread. */
final class SelectedMessage implements Filterable {
    private final Message message;

    SelectedMessage(Message message) {
        this.message = message;
    }

    @Override
    public <T> @Nullable T getBodyAs(Class<T> type) {
        // Selectors see headers and properties only (Jakarta Messaging 3.1 §3.8.1.1); XPath over bodies is not offered.
        return null;
    }

    @Override
    public @Nullable Object getProperty(SimpleString id) {
        String name = Spelling.name(id.toString());
        if (!name.startsWith("JMS")) {
            return message.property(name);
        }
        return switch (name) {
            case "JMSPriority" -> message.priority();
            case "JMSTimestamp" -> message.timestampMs();
            case "JMSMessageID" -> message.id();
            case "JMSCorrelationID" -> correlationId();
            case "JMSType" -> message.type();
            case "JMSDeliveryMode" -> message.persistent() ? "PERSISTENT" : "NON_PERSISTENT";
            case "JMSXGroupID" -> message.group();
            case "JMSXGroupSeq" -> message.givenSequence();
            default -> message.property(name);
        };
    }

    /** As Jakarta Messaging shows it: bytes are taken for UTF-8. */
    private @Nullable String correlationId() {
        byte[] bytes = message.correlationBytes();
        return bytes == null ? message.correlationId() : new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public @Nullable Object getLocalConnectionId() {
        return null;
    }
}
