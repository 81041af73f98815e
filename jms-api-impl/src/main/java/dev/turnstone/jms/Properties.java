package dev.turnstone.jms;

import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The properties of one message (Jakarta Messaging 3.1 §3.5), those named JMSX… among them. One thread. */
final class Properties {
    static final String GROUP_ID = "JMSXGroupID";
    static final String GROUP_SEQUENCE = "JMSXGroupSeq";
    /** True for the first message of its group that its consumer gets; absent otherwise. */
    static final String GROUP_FIRST = "JMSXGroupFirstForConsumer";

    /** True for a message that is there because its topic had retained it; absent otherwise. */
    static final String RETAINED = "JMS_TURNSTONE_RETAINED";

    static final String DELIVERY_COUNT = "JMSXDeliveryCount";

    /** What the canonical message has fields for, and what each delivery says anew. */
    private static final Set<String> OF_BROKER =
            Set.of(GROUP_ID, GROUP_SEQUENCE, GROUP_FIRST, DELIVERY_COUNT, RETAINED);

    private static final Set<String> RESERVED =
            Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
    private boolean readOnly;

    /** Those of a message to be sent. */
    Properties() {}

    /** Those of a received message, read-only. */
    Properties(Delivery delivery) {
        Message received = delivery.message();
        values.putAll(received.properties());
        if (received.group() != null) {
            values.put(GROUP_ID, received.group());
        }
        if (received.givenSequence() != null) {
            values.put(GROUP_SEQUENCE, received.givenSequence());
        }
        if (delivery.groupFirst()) {
            values.put(GROUP_FIRST, true);
        }
        if (received.retained()) {
            values.put(RETAINED, true);
        }
        values.put(DELIVERY_COUNT, delivery.deliveryCount());
        readOnly = true;
    }

    void set(@Nullable String name, @Nullable Object value) throws JMSException {
        checkName(name);
        if (readOnly) {
            throw new MessageNotWriteableException("the properties of a received message are read-only");
        }
        Values.checkProperty(name, value);
        checkGroup(name, value);
        values.put(name, value);
    }

    @Nullable
    Object value(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a property's name must not be empty");
        }
        return values.get(name);
    }

    boolean has(@Nullable String name) {
        return values.containsKey(name);
    }

    Enumeration<String> names() {
        return Collections.enumeration(List.copyOf(values.keySet()));
    }

    /** Everything, unmodifiable. */
    Map<String, @Nullable Object> all() {
        return Collections.unmodifiableMap(values);
    }

    /** Takes all out and makes them writable. */
    void clear() {
        values.clear();
        readOnly = false;
    }

    /** Puts what a client may set into the canonical message; the delivery count is the broker's. */
    void encode(MessageBuilder target) {
        if (values.isEmpty()) {
            return;
        }
        for (Map.Entry<String, @Nullable Object> property : values.entrySet()) {
            String name = property.getKey();
            if (!OF_BROKER.contains(name)) {
                target.property(name, property.getValue());
            }
        }
        target.grouped((String) values.get(GROUP_ID), (Integer) values.get(GROUP_SEQUENCE));
    }

    private static void checkGroup(String name, @Nullable Object value) throws MessageFormatException {
        boolean wrong = (name.equals(GROUP_ID) && value != null && !(value instanceof String))
                || (name.equals(GROUP_SEQUENCE) && value != null && !(value instanceof Integer));
        if (wrong) {
            throw new MessageFormatException(
                    name + " must be " + (name.equals(GROUP_ID) ? "a String" : "an int") + ", not " + value.getClass());
        }
    }

    private static void checkName(@Nullable String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a property's name must not be empty");
        }
        boolean valid = Character.isJavaIdentifierStart(name.charAt(0));
        for (int i = 1; i < name.length(); i++) {
            valid &= Character.isJavaIdentifierPart(name.charAt(i));
        }
        // The reserved words are those in upper case; other providers take the rest, and so do applications.
        if (!valid || RESERVED.contains(name)) {
            throw new JMSException(
                    "a property's name must be an identifier of a selector (§3.8.1.1), not '" + name + "'",
                    "INVALID_PROPERTY_NAME");
        }
    }
}
