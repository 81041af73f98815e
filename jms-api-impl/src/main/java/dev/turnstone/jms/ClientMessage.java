package dev.turnstone.jms;

import dev.turnstone.port.BodyKind;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What all messages have: headers, properties and the read-only rules. A received one wraps the canonical message and
 * decodes what is looked at. One thread at a time (Jakarta Messaging 3.1 §3.12).
 */
abstract class ClientMessage implements jakarta.jms.Message {
    private final @Nullable Delivery delivery;
    private final @Nullable SessionCore session;
    private @Nullable Headers headers;
    private @Nullable Properties properties;
    private boolean bodyReadOnly;
    private boolean bodyReplaced;
    private @Nullable LargeBodies bodies;
    private @Nullable ByteBuffer whole;

    /** A message to be sent. */
    ClientMessage() {
        delivery = null;
        session = null;
    }

    /** A received message, whose session acknowledges it; no session for one that a browser shows. */
    ClientMessage(Delivery delivery, @Nullable SessionCore session) {
        this.delivery = delivery;
        this.session = session;
        bodyReadOnly = true;
    }

    /** The kind of body in the canonical form. */
    abstract BodyKind kind();

    /**
     * With the way to its body if that is stored apart, or with the body itself, if it is one to be fetched and has at
     * most so many bytes; then waits.
     */
    final ClientMessage withBodies(LargeBodies way, int bytesMax) {
        bodies = way;
        whole = way.fetch(Objects.requireNonNull(delivery).message(), bytesMax);
        return this;
    }

    /** The way to the body of a received message that is stored apart. */
    final LargeBodies bodies() {
        return Objects.requireNonNull(bodies);
    }

    /** The body as it was received, in one piece; waits if it is stored apart and was not fetched. */
    final ByteBuffer bodyOf(Message received) throws JMSException {
        ByteBuffer fetched = whole;
        if (fetched != null) {
            return fetched.duplicate();
        }
        return received.hasStoredBody() ? bodies().whole(received) : received.body();
    }

    /** The body, if {@link #encodeBody} has said that it is stored apart; null if not. */
    @Nullable
    InputStream largeBody() {
        return null;
    }

    /** How long {@link #largeBody} is. */
    long largeBodyLength() {
        return 0;
    }

    /** Puts the body into the canonical form. */
    abstract void encodeBody(MessageBuilder target) throws JMSException;

    /** Forgets the body. */
    abstract void dropBody();

    /** The body for {@link #getBody}, or null if there is none. */
    abstract @Nullable Object bodyFor(Class<?> type) throws JMSException;

    /** Whether such a body is one of that type. */
    boolean fits(Object body, Class<?> type) {
        return type.isInstance(body);
    }

    /** The canonical message of a received one, while its body is still the same. */
    final @Nullable Message source() {
        return delivery == null || bodyReplaced ? null : delivery.message();
    }

    /** What was received, whatever became of its body since. */
    final @Nullable Delivery delivery() {
        return delivery;
    }

    final Headers headers() {
        Headers known = headers;
        if (known == null) {
            known = delivery == null ? new Headers() : new Headers(delivery.message(), delivery.redelivered());
            headers = known;
        }
        return known;
    }

    final Properties properties() {
        Properties known = properties;
        if (known == null) {
            known = delivery == null ? new Properties() : new Properties(delivery);
            properties = known;
        }
        return known;
    }

    /** Puts what the client has set into the canonical form. */
    final void encode(MessageBuilder target) throws JMSException {
        if (headers != null || delivery != null) {
            headers().encode(target);
        }
        if (properties != null || delivery != null) {
            properties().encode(target);
        }
        encodeBody(target);
    }

    final void makeBodyReadOnly() {
        bodyReadOnly = true;
    }

    final boolean bodyReadOnly() {
        return bodyReadOnly;
    }

    final void checkBodyWriteable() throws MessageNotWriteableException {
        if (bodyReadOnly) {
            throw new MessageNotWriteableException("the body of a received message is read-only");
        }
    }

    final void checkBodyReadable() throws MessageNotReadableException {
        if (!bodyReadOnly) {
            throw new MessageNotReadableException("the body is write-only until reset() is called");
        }
    }

    @Override
    public final void clearBody() {
        bodyReadOnly = false;
        bodyReplaced = true;
        dropBody();
    }

    @Override
    public final <T> @Nullable T getBody(Class<T> type) throws JMSException {
        Object body = bodyFor(type);
        if (body != null && !fits(body, type)) {
            throw new MessageFormatException(
                    "a body of " + body.getClass().getSimpleName() + " cannot be read as " + type.getName());
        }
        return type.cast(body);
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as the API declares it
    public boolean isBodyAssignableTo(Class type) throws JMSException {
        Object body = bodyFor(type);
        return body == null || fits(body, type);
    }

    @Override
    public final void acknowledge() throws JMSException {
        if (session != null) {
            session.acknowledge();
        }
    }

    @Override
    public final @Nullable String getJMSMessageID() {
        return headers().messageId;
    }

    @Override
    public final void setJMSMessageID(@Nullable String id) {
        headers().messageId = id;
    }

    @Override
    public final long getJMSTimestamp() {
        return headers().timestamp;
    }

    @Override
    public final void setJMSTimestamp(long timestamp) {
        headers().timestamp = timestamp;
    }

    @Override
    public final byte @Nullable [] getJMSCorrelationIDAsBytes() {
        Object id = headers().correlationId;
        if (id instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        return id == null ? null : ((byte[]) id).clone();
    }

    @Override
    public final void setJMSCorrelationIDAsBytes(byte @Nullable [] id) {
        headers().correlationId = id == null ? null : id.clone();
    }

    @Override
    public final void setJMSCorrelationID(@Nullable String id) {
        headers().correlationId = id;
    }

    @Override
    public final @Nullable String getJMSCorrelationID() {
        Object id = headers().correlationId;
        return id instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : (String) id;
    }

    @Override
    public final @Nullable Destination getJMSReplyTo() {
        return headers().replyTo;
    }

    @Override
    public final void setJMSReplyTo(@Nullable Destination replyTo) throws JMSException {
        headers().replyTo = TurnstoneDestination.adopted(replyTo);
    }

    @Override
    public final @Nullable Destination getJMSDestination() {
        return headers().destination;
    }

    @Override
    public final void setJMSDestination(@Nullable Destination destination) throws JMSException {
        headers().destination = TurnstoneDestination.adopted(destination);
    }

    @Override
    public final int getJMSDeliveryMode() {
        return headers().deliveryMode;
    }

    @Override
    public final void setJMSDeliveryMode(int deliveryMode) {
        headers().deliveryMode = deliveryMode;
    }

    @Override
    public final boolean getJMSRedelivered() {
        return headers().redelivered;
    }

    @Override
    public final void setJMSRedelivered(boolean redelivered) {
        headers().redelivered = redelivered;
    }

    @Override
    public final @Nullable String getJMSType() {
        return headers().type;
    }

    @Override
    public final void setJMSType(@Nullable String type) {
        headers().type = type;
    }

    @Override
    public final long getJMSExpiration() {
        return headers().expiration;
    }

    @Override
    public final void setJMSExpiration(long expiration) {
        headers().expiration = expiration;
    }

    @Override
    public final long getJMSDeliveryTime() {
        return headers().deliveryTime;
    }

    @Override
    public final void setJMSDeliveryTime(long deliveryTime) {
        headers().deliveryTime = deliveryTime;
    }

    @Override
    public final int getJMSPriority() {
        return headers().priority;
    }

    @Override
    public final void setJMSPriority(int priority) {
        headers().priority = priority;
    }

    @Override
    public final void clearProperties() {
        properties().clear();
    }

    @Override
    public final boolean propertyExists(String name) {
        return properties().has(name);
    }

    @Override
    public final Enumeration<String> getPropertyNames() {
        return properties().names();
    }

    @Override
    public final boolean getBooleanProperty(String name) throws JMSException {
        return Values.toBoolean(properties().value(name));
    }

    @Override
    public final byte getByteProperty(String name) throws JMSException {
        return Values.toByte(properties().value(name));
    }

    @Override
    public final short getShortProperty(String name) throws JMSException {
        return Values.toShort(properties().value(name));
    }

    @Override
    public final int getIntProperty(String name) throws JMSException {
        return Values.toInt(properties().value(name));
    }

    @Override
    public final long getLongProperty(String name) throws JMSException {
        return Values.toLong(properties().value(name));
    }

    @Override
    public final float getFloatProperty(String name) throws JMSException {
        return Values.toFloat(properties().value(name));
    }

    @Override
    public final double getDoubleProperty(String name) throws JMSException {
        return Values.toDouble(properties().value(name));
    }

    @Override
    public final @Nullable String getStringProperty(String name) throws JMSException {
        return Values.toText(properties().value(name));
    }

    @Override
    public final @Nullable Object getObjectProperty(String name) {
        return properties().value(name);
    }

    @Override
    public final void setBooleanProperty(String name, boolean value) throws JMSException {
        properties().set(name, value);
    }

    @Override
    public final void setByteProperty(String name, byte value) throws JMSException {
        properties().set(name, value);
    }

    @Override
    public final void setShortProperty(String name, short value) throws JMSException {
        properties().set(name, value);
    }

    @Override
    public final void setIntProperty(String name, int value) throws JMSException {
        properties().set(name, value);
    }

    @Override
    public final void setLongProperty(String name, long value) throws JMSException {
        properties().set(name, value);
    }

    @Override
    public final void setFloatProperty(String name, float value) throws JMSException {
        properties().set(name, value);
    }

    @Override
    public final void setDoubleProperty(String name, double value) throws JMSException {
        properties().set(name, value);
    }

    @Override
    public final void setStringProperty(String name, @Nullable String value) throws JMSException {
        properties().set(name, value);
    }

    @Override
    public final void setObjectProperty(String name, @Nullable Object value) throws JMSException {
        properties().set(name, value);
    }
}
