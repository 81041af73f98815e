package dev.turnstone.jms;

import dev.turnstone.port.BodyCodec;
import dev.turnstone.port.BodyKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.StreamMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message whose body is a sequence of typed values: written, then reset, then read. A read that fails does not move
 * on, so that the value can be read as another type (Jakarta Messaging 3.1 §3.11.3).
 */
final class ClientStreamMessage extends ClientMessage implements StreamMessage {
    private @Nullable List<@Nullable Object> values;
    private int next;
    /** How much of the next value, an array, was handed out by {@link #readBytes}; negative if that has not begun. */
    private int partRead = -1;

    ClientStreamMessage() {}

    ClientStreamMessage(Delivery delivery, @Nullable SessionCore session) {
        super(delivery, session);
    }

    @Override
    BodyKind kind() {
        return BodyKind.STREAM;
    }

    @Override
    void encodeBody(MessageBuilder target) throws JMSException {
        Message received = source();
        target.body(BodyKind.STREAM, received != null ? bodyOf(received) : BodyCodec.encodeStream(values()));
    }

    @Override
    void dropBody() {
        values = new ArrayList<>();
        rewind();
    }

    @Override
    Object bodyFor(Class<?> type) throws JMSException {
        throw new MessageFormatException("the body of a StreamMessage is read value by value");
    }

    @Override
    @SuppressWarnings("rawtypes") // as the API declares it
    public boolean isBodyAssignableTo(Class type) {
        return false;
    }

    @Override
    public void reset() {
        makeBodyReadOnly();
        rewind();
    }

    private void rewind() {
        next = 0;
        partRead = -1;
    }

    private List<@Nullable Object> values() throws JMSException {
        List<@Nullable Object> known = values;
        if (known == null) {
            Message received = source();
            try {
                known = received == null ? new ArrayList<>() : BodyCodec.decodeStream(bodyOf(received));
            } catch (BrokerException e) {
                throw Errors.of(e);
            }
            values = known;
        }
        return known;
    }

    /** The next value, which is passed only by {@link #passed}, once its conversion has succeeded. */
    private @Nullable Object value() throws JMSException {
        checkBodyReadable();
        if (partRead >= 0) {
            throw new MessageFormatException("an array that readBytes has begun must be read to its end");
        }
        return peek();
    }

    private @Nullable Object peek() throws JMSException {
        if (next >= values().size()) {
            throw new MessageEOFException("the body ends here");
        }
        return values().get(next);
    }

    private void passed() {
        next++;
        partRead = -1;
    }

    @Override
    public boolean readBoolean() throws JMSException {
        boolean value = Values.toBoolean(value());
        passed();
        return value;
    }

    @Override
    public byte readByte() throws JMSException {
        byte value = Values.toByte(value());
        passed();
        return value;
    }

    @Override
    public short readShort() throws JMSException {
        short value = Values.toShort(value());
        passed();
        return value;
    }

    @Override
    public char readChar() throws JMSException {
        char value = Values.toChar(value());
        passed();
        return value;
    }

    @Override
    public int readInt() throws JMSException {
        int value = Values.toInt(value());
        passed();
        return value;
    }

    @Override
    public long readLong() throws JMSException {
        long value = Values.toLong(value());
        passed();
        return value;
    }

    @Override
    public float readFloat() throws JMSException {
        float value = Values.toFloat(value());
        passed();
        return value;
    }

    @Override
    public double readDouble() throws JMSException {
        double value = Values.toDouble(value());
        passed();
        return value;
    }

    @Override
    public @Nullable String readString() throws JMSException {
        String value = Values.toText(value());
        passed();
        return value;
    }

    @Override
    public int readBytes(byte[] target) throws JMSException {
        checkBodyReadable();
        byte[] field = Values.toBytes(peek());
        if (field == null) {
            passed();
            return -1;
        }
        int from = Math.max(partRead, 0);
        if (partRead > 0 && from == field.length) {
            // The last call filled its array with the rest; this one tells that nothing followed.
            passed();
            return -1;
        }
        int count = Math.min(target.length, field.length - from);
        System.arraycopy(field, from, target, 0, count);
        if (count < target.length || field.length == 0) {
            passed();
        } else {
            partRead = from + count;
        }
        return count;
    }

    @Override
    public @Nullable Object readObject() throws JMSException {
        Object value = value();
        passed();
        return value instanceof byte[] bytes ? bytes.clone() : value;
    }

    private void write(@Nullable Object value) throws JMSException {
        checkBodyWriteable();
        values().add(value);
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        write(value);
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        write(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        write(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        write(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        write(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        write(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        write(value);
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        write(value);
    }

    @Override
    public void writeString(@Nullable String value) throws JMSException {
        write(value);
    }

    @Override
    public void writeBytes(byte @Nullable [] value) throws JMSException {
        write(value == null ? null : value.clone());
    }

    @Override
    public void writeBytes(byte @Nullable [] value, int offset, int length) throws JMSException {
        write(Values.part(value, offset, length));
    }

    @Override
    public void writeObject(@Nullable Object value) throws JMSException {
        Values.checkBodyValue(value);
        write(value instanceof byte[] bytes ? bytes.clone() : value);
    }
}
