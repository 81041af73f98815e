package dev.turnstone.jms;

import dev.turnstone.port.BodyCodec;
import dev.turnstone.port.BodyKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message whose body is typed values by their names (Jakarta Messaging 3.1 §3.11.3). */
final class ClientMapMessage extends ClientMessage implements MapMessage {
    private @Nullable Map<String, @Nullable Object> items;

    ClientMapMessage() {}

    ClientMapMessage(Delivery delivery, @Nullable SessionCore session) {
        super(delivery, session);
    }

    @Override
    BodyKind kind() {
        return BodyKind.MAP;
    }

    @Override
    void encodeBody(MessageBuilder target) throws JMSException {
        Message received = source();
        target.body(BodyKind.MAP, received != null ? bodyOf(received) : BodyCodec.encodeMap(items()));
    }

    @Override
    void dropBody() {
        items = new LinkedHashMap<>();
    }

    @Override
    @Nullable
    Object bodyFor(Class<?> type) throws JMSException {
        Map<String, @Nullable Object> body = items();
        if (body.isEmpty()) {
            return null;
        }
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        body.forEach((name, value) -> copy.put(name, copyOf(value)));
        return Collections.unmodifiableMap(copy);
    }

    /** A map, and nothing that only our map is too. */
    @Override
    boolean fits(Object body, Class<?> type) {
        return type.isAssignableFrom(Map.class);
    }

    private Map<String, @Nullable Object> items() throws JMSException {
        Map<String, @Nullable Object> known = items;
        if (known == null) {
            Message received = source();
            try {
                known = received == null ? new LinkedHashMap<>() : BodyCodec.decodeMap(bodyOf(received));
            } catch (BrokerException e) {
                throw Errors.of(e);
            }
            items = known;
        }
        return known;
    }

    private static @Nullable Object copyOf(@Nullable Object value) {
        return value instanceof byte[] bytes ? bytes.clone() : value;
    }

    private void set(@Nullable String name, @Nullable Object value) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("an item of a map needs a name");
        }
        checkBodyWriteable();
        items().put(name, value);
    }

    private @Nullable Object value(String name) throws JMSException {
        return items().get(name);
    }

    @Override
    public boolean getBoolean(String name) throws JMSException {
        return Values.toBoolean(value(name));
    }

    @Override
    public byte getByte(String name) throws JMSException {
        return Values.toByte(value(name));
    }

    @Override
    public short getShort(String name) throws JMSException {
        return Values.toShort(value(name));
    }

    @Override
    public char getChar(String name) throws JMSException {
        return Values.toChar(value(name));
    }

    @Override
    public int getInt(String name) throws JMSException {
        return Values.toInt(value(name));
    }

    @Override
    public long getLong(String name) throws JMSException {
        return Values.toLong(value(name));
    }

    @Override
    public float getFloat(String name) throws JMSException {
        return Values.toFloat(value(name));
    }

    @Override
    public double getDouble(String name) throws JMSException {
        return Values.toDouble(value(name));
    }

    @Override
    public @Nullable String getString(String name) throws JMSException {
        return Values.toText(value(name));
    }

    @Override
    public byte @Nullable [] getBytes(String name) throws JMSException {
        byte[] bytes = Values.toBytes(value(name));
        return bytes == null ? null : bytes.clone();
    }

    @Override
    public @Nullable Object getObject(String name) throws JMSException {
        return copyOf(value(name));
    }

    @Override
    public Enumeration<String> getMapNames() throws JMSException {
        return Collections.enumeration(new ArrayList<>(items().keySet()));
    }

    @Override
    public boolean itemExists(String name) throws JMSException {
        return items().containsKey(name);
    }

    @Override
    public void setBoolean(String name, boolean value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setByte(String name, byte value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setShort(String name, short value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setChar(String name, char value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setInt(String name, int value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setLong(String name, long value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setFloat(String name, float value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setDouble(String name, double value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setString(String name, @Nullable String value) throws JMSException {
        set(name, value);
    }

    @Override
    public void setBytes(String name, byte @Nullable [] value) throws JMSException {
        set(name, copyOf(value));
    }

    @Override
    public void setBytes(String name, byte @Nullable [] value, int offset, int length) throws JMSException {
        set(name, Values.part(value, offset, length));
    }

    @Override
    public void setObject(String name, @Nullable Object value) throws JMSException {
        Values.checkBodyValue(value);
        set(name, copyOf(value));
    }
}
