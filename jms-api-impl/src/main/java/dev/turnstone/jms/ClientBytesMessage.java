package dev.turnstone.jms;

import dev.turnstone.port.BodyKind;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UTFDataFormatException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message whose body is a stream of bytes: written, then reset, then read (Jakarta Messaging 3.1 §3.11.4). */
final class ClientBytesMessage extends ClientMessage implements BytesMessage {
    private static final int FIRST_BYTES = 64;

    private @Nullable BodyOutput written;
    private @Nullable DataOutputStream output;
    private @Nullable BodyStream source;
    private @Nullable DataInputStream input;

    ClientBytesMessage() {}

    ClientBytesMessage(Delivery delivery, @Nullable SessionCore session) {
        super(delivery, session);
    }

    @Override
    BodyKind kind() {
        return BodyKind.BYTES;
    }

    @Override
    void encodeBody(MessageBuilder target) {
        Message received = source();
        if (written != null && !written.spooled()) {
            target.body(BodyKind.BYTES, written.view());
        } else if (written != null || (received != null && received.hasStoredBody())) {
            target.storedBody(BodyKind.BYTES);
        } else {
            target.body(BodyKind.BYTES, received == null ? ByteBuffer.allocate(0) : received.body());
        }
    }

    @Override
    @Nullable
    InputStream largeBody() {
        Message received = source();
        boolean stored = written != null ? written.spooled() : received != null && received.hasStoredBody();
        return stored ? stream() : null;
    }

    @Override
    long largeBodyLength() {
        return length();
    }

    private BodyStream stream() {
        Message received = source();
        if (written != null) {
            return written.input();
        } else if (received == null) {
            return new BodyInput(ByteBuffer.allocate(0));
        }
        return received.hasStoredBody() ? bodies().open(received) : new BodyInput(received.body());
    }

    private long length() {
        Message received = source();
        if (written != null) {
            return written.length();
        }
        return received == null ? 0 : received.bodyLength();
    }

    @Override
    void dropBody() {
        written = null;
        output = null;
        rewind();
    }

    private void rewind() {
        source = null;
        input = null;
    }

    @Override
    @Nullable
    Object bodyFor(Class<?> type) throws JMSException {
        // As getBody promises, before and after.
        reset();
        byte[] body = null;
        if (length() > 0) {
            try (InputStream all = stream()) {
                body = all.readAllBytes();
            } catch (IOException e) {
                throw readFailure(e);
            }
        }
        return body;
    }

    /** Does not touch the body: neither how far it was read, nor whether it may still be written. */
    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as the API declares it
    public boolean isBodyAssignableTo(Class type) {
        return length() == 0 || isOfBytes(type);
    }

    /** Arrays are serializable and cloneable in Java, and neither of these to the API. */
    @Override
    boolean fits(Object body, Class<?> type) {
        return isOfBytes(type);
    }

    private static boolean isOfBytes(Class<?> type) {
        return type == byte[].class || type == Object.class;
    }

    @Override
    public void reset() {
        makeBodyReadOnly();
        output = null;
        rewind();
    }

    @Override
    public long getBodyLength() throws JMSException {
        checkBodyReadable();
        return length();
    }

    private DataOutputStream output(int bytes) throws JMSException {
        checkBodyWriteable();
        DataOutputStream known = output;
        if (known == null) {
            BodyOutput target = new BodyOutput(Math.max(FIRST_BYTES, bytes));
            known = new DataOutputStream(target);
            written = target;
            output = known;
        }
        return known;
    }

    private DataInputStream input() throws JMSException {
        checkBodyReadable();
        DataInputStream known = input;
        if (known == null) {
            BodyStream body = stream();
            known = new DataInputStream(body);
            source = body;
            input = known;
        }
        return known;
    }

    /** How one value is read. */
    @FunctionalInterface
    private interface Read<T> {
        T from(DataInputStream body) throws IOException;
    }

    /** Reads a value; one that cannot be read so is still there for another type (§3.11.3). */
    private <T> T read(Read<T> value) throws JMSException {
        DataInputStream body = input();
        BodyStream under = Objects.requireNonNull(source);
        under.keepPlace();
        try {
            return value.from(body);
        } catch (EOFException | UTFDataFormatException e) {
            goBack(under);
            throw readFailure(e);
        } catch (IOException e) {
            throw readFailure(e);
        }
    }

    private static void goBack(BodyStream body) throws JMSException {
        try {
            body.goBack();
        } catch (IOException e) {
            throw readFailure(e);
        }
    }

    private static JMSException readFailure(IOException cause) {
        if (cause.getCause() instanceof JMSException known) {
            return known;
        }
        JMSException failure = cause instanceof EOFException
                ? new MessageEOFException("the body ends here")
                : new MessageFormatException("the body cannot be read so: " + cause.getMessage());
        failure.initCause(cause);
        return failure;
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return read(DataInputStream::readBoolean);
    }

    @Override
    public byte readByte() throws JMSException {
        return read(DataInputStream::readByte);
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        return read(DataInputStream::readUnsignedByte);
    }

    @Override
    public short readShort() throws JMSException {
        return read(DataInputStream::readShort);
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return read(DataInputStream::readUnsignedShort);
    }

    @Override
    public char readChar() throws JMSException {
        return read(DataInputStream::readChar);
    }

    @Override
    public int readInt() throws JMSException {
        return read(DataInputStream::readInt);
    }

    @Override
    public long readLong() throws JMSException {
        return read(DataInputStream::readLong);
    }

    @Override
    public float readFloat() throws JMSException {
        return read(DataInputStream::readFloat);
    }

    @Override
    public double readDouble() throws JMSException {
        return read(DataInputStream::readDouble);
    }

    @Override
    public String readUTF() throws JMSException {
        return read(body -> body.readUTF());
    }

    @Override
    public int readBytes(byte[] target) throws JMSException {
        return readBytes(target, target.length);
    }

    @Override
    public int readBytes(byte[] target, int length) throws JMSException {
        if (length < 0 || length > target.length) {
            throw new IndexOutOfBoundsException(length + " bytes into an array of " + target.length);
        }
        try {
            return input().read(target, 0, length);
        } catch (IOException e) {
            throw readFailure(e);
        }
    }

    private static JMSException writeFailure(IOException cause) {
        JMSException failure = new MessageFormatException("the body cannot hold this: " + cause.getMessage());
        failure.initCause(cause);
        return failure;
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        writeByte((byte) (value ? 1 : 0));
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        try {
            output(1).writeByte(value);
        } catch (IOException e) {
            throw writeFailure(e);
        }
    }

    @Override
    public void writeShort(short value) throws JMSException {
        try {
            output(Short.BYTES).writeShort(value);
        } catch (IOException e) {
            throw writeFailure(e);
        }
    }

    @Override
    public void writeChar(char value) throws JMSException {
        writeShort((short) value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        try {
            output(Integer.BYTES).writeInt(value);
        } catch (IOException e) {
            throw writeFailure(e);
        }
    }

    @Override
    public void writeLong(long value) throws JMSException {
        try {
            output(Long.BYTES).writeLong(value);
        } catch (IOException e) {
            throw writeFailure(e);
        }
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        writeInt(Float.floatToIntBits(value));
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        writeLong(Double.doubleToLongBits(value));
    }

    @Override
    public void writeUTF(String value) throws JMSException {
        try {
            output(value.length()).writeUTF(value);
        } catch (IOException e) {
            throw writeFailure(e);
        }
    }

    @Override
    public void writeBytes(byte[] value) throws JMSException {
        writeBytes(value, 0, value.length);
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        DataOutputStream target = output(length);
        Objects.checkFromIndexSize(offset, length, value.length);
        try {
            target.write(value, offset, length);
        } catch (IOException e) {
            throw writeFailure(e);
        }
    }

    @Override
    public void writeObject(Object value) throws JMSException {
        if (value instanceof String text) {
            writeUTF(text);
        } else if (value instanceof byte[] bytes) {
            writeBytes(bytes);
        } else if (value instanceof Integer number) {
            writeInt(number);
        } else if (value instanceof Long number) {
            writeLong(number);
        } else if (value instanceof Boolean flag) {
            writeBoolean(flag);
        } else if (value instanceof Byte number) {
            writeByte(number);
        } else if (value instanceof Short number) {
            writeShort(number);
        } else if (value instanceof Character character) {
            writeChar(character);
        } else if (value instanceof Float number) {
            writeFloat(number);
        } else if (value instanceof Double number) {
            writeDouble(number);
        } else {
            throw wrongObject(value);
        }
    }

    private static MessageFormatException wrongObject(@Nullable Object value) {
        if (value == null) {
            throw new NullPointerException("a bytes message cannot hold null");
        }
        return new MessageFormatException("a bytes message cannot hold a " + value.getClass());
    }
}
