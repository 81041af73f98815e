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
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A message whose body is a stream of bytes: written, then reset, then read (Jakarta Messaging 3.1 §3.11.4). */
final class ClientBytesMessage extends ClientMessage implements BytesMessage {
    private static final int FIRST_BYTES = 64;

    private @Nullable BodyOutput written;
    private @Nullable DataOutputStream output;
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

    private InputStream stream() {
        Message received = source();
        if (written != null) {
            return written.input();
        } else if (received == null) {
            return InputStream.nullInputStream();
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
        input = null;
    }

    @Override
    @Nullable
    Object bodyFor(Class<?> type) throws JMSException {
        if (!bodyReadOnly() && written != null) {
            reset();
        }
        byte[] body = null;
        if (length() > 0) {
            try (InputStream all = stream()) {
                body = all.readAllBytes();
            } catch (IOException e) {
                throw readFailure(e);
            }
        }
        // Reading starts anew, as getBody promises.
        input = null;
        return body;
    }

    @Override
    public void reset() {
        makeBodyReadOnly();
        output = null;
        input = null;
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
            known = new DataInputStream(stream());
            input = known;
        }
        return known;
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
        try {
            return input().readBoolean();
        } catch (IOException e) {
            throw readFailure(e);
        }
    }

    @Override
    public byte readByte() throws JMSException {
        try {
            return input().readByte();
        } catch (IOException e) {
            throw readFailure(e);
        }
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        try {
            return input().readUnsignedByte();
        } catch (IOException e) {
            throw readFailure(e);
        }
    }

    @Override
    public short readShort() throws JMSException {
        try {
            return input().readShort();
        } catch (IOException e) {
            throw readFailure(e);
        }
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        try {
            return input().readUnsignedShort();
        } catch (IOException e) {
            throw readFailure(e);
        }
    }

    @Override
    public char readChar() throws JMSException {
        try {
            return input().readChar();
        } catch (IOException e) {
            throw readFailure(e);
        }
    }

    @Override
    public int readInt() throws JMSException {
        try {
            return input().readInt();
        } catch (IOException e) {
            throw readFailure(e);
        }
    }

    @Override
    public long readLong() throws JMSException {
        try {
            return input().readLong();
        } catch (IOException e) {
            throw readFailure(e);
        }
    }

    @Override
    public float readFloat() throws JMSException {
        try {
            return input().readFloat();
        } catch (IOException e) {
            throw readFailure(e);
        }
    }

    @Override
    public double readDouble() throws JMSException {
        try {
            return input().readDouble();
        } catch (IOException e) {
            throw readFailure(e);
        }
    }

    @Override
    public String readUTF() throws JMSException {
        try {
            return input().readUTF();
        } catch (IOException e) {
            throw readFailure(e);
        }
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
        try {
            output(length).write(value, offset, length);
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
