package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §3.11 and BytesMessage. */
@EveryClient
final class BytesMessageTest {
    @RegisterExtension
    final Messaging jms;

    private BytesMessage message;

    BytesMessageTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void create() throws JMSException {
        message = jms.session().createBytesMessage();
    }

    private List<ThrowingCallable> readsOf(BytesMessage read) {
        return List.of(
                read::readBoolean,
                read::readByte,
                read::readUnsignedByte,
                read::readShort,
                read::readUnsignedShort,
                read::readChar,
                read::readInt,
                read::readLong,
                read::readFloat,
                read::readDouble,
                read::readUTF);
    }

    @Test
    void everyTypeIsReadAsWritten() throws JMSException {
        message.writeBoolean(true);
        message.writeByte((byte) -1);
        message.writeByte((byte) -1);
        message.writeShort((short) -2);
        message.writeShort((short) -2);
        message.writeChar('ü');
        message.writeInt(Integer.MIN_VALUE);
        message.writeLong(Long.MAX_VALUE);
        message.writeFloat(1.5f);
        message.writeDouble(Double.MIN_VALUE);
        message.writeUTF("text – ü 😀");
        message.writeBytes(new byte[] {1, 2, 3});
        message.writeBytes(new byte[] {0, 4, 5, 0}, 1, 2);
        BytesMessage received = jms.exchanged(message, BytesMessage.class);
        assertThat(received.readBoolean()).isTrue();
        assertThat(received.readByte()).isEqualTo((byte) -1);
        assertThat(received.readUnsignedByte()).isEqualTo(255);
        assertThat(received.readShort()).isEqualTo((short) -2);
        assertThat(received.readUnsignedShort()).isEqualTo(65534);
        assertThat(received.readChar()).isEqualTo('ü');
        assertThat(received.readInt()).isEqualTo(Integer.MIN_VALUE);
        assertThat(received.readLong()).isEqualTo(Long.MAX_VALUE);
        assertThat(received.readFloat()).isEqualTo(1.5f);
        assertThat(received.readDouble()).isEqualTo(Double.MIN_VALUE);
        assertThat(received.readUTF()).isEqualTo("text – ü 😀");
        byte[] rest = new byte[10];
        assertThat(received.readBytes(rest)).isEqualTo(5);
        assertThat(rest).startsWith(1, 2, 3, 4, 5);
        assertThat(received.readBytes(rest)).isEqualTo(-1);
    }

    @Test
    void objectsAreWrittenAsTheirType() throws JMSException {
        for (Object value : new Object[] {true, (byte) 1, (short) 2, 'c', 3, 4L, 5f, 6d, "seven", new byte[] {8}}) {
            message.writeObject(value);
        }
        BytesMessage received = jms.exchanged(message, BytesMessage.class);
        assertThat(received.readBoolean()).isTrue();
        assertThat(received.readByte()).isEqualTo((byte) 1);
        assertThat(received.readShort()).isEqualTo((short) 2);
        assertThat(received.readChar()).isEqualTo('c');
        assertThat(received.readInt()).isEqualTo(3);
        assertThat(received.readLong()).isEqualTo(4);
        assertThat(received.readFloat()).isEqualTo(5);
        assertThat(received.readDouble()).isEqualTo(6);
        assertThat(received.readUTF()).isEqualTo("seven");
        assertThat(received.readByte()).isEqualTo((byte) 8);
    }

    @Test
    void objectsOfOtherClassesAreRefusedAndNullIsANullPointer() {
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> message.writeObject(Instant.EPOCH));
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> message.writeObject(List.of()));
        assertThatNullPointerException().isThrownBy(() -> message.writeObject(null));
    }

    @Test
    void aNewMessageIsWriteOnlyUntilReset() throws JMSException {
        for (ThrowingCallable read : readsOf(message)) {
            assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(read);
        }
        assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(() -> message.readBytes(new byte[1]));
        assertThatExceptionOfType(MessageNotReadableException.class)
                .isThrownBy(() -> message.readBytes(new byte[1], 1));
        assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(message::getBodyLength);
        message.writeInt(1);
        message.reset();
        assertThat(message.getBodyLength()).isEqualTo(4);
        assertThat(message.readInt()).isEqualTo(1);
        message.reset();
        assertThat(message.readInt()).isEqualTo(1);
    }

    @Test
    void aReceivedMessageIsReadFromItsStartAfterReset() throws JMSException {
        message.writeInt(1);
        message.writeInt(2);
        BytesMessage received = jms.exchanged(message, BytesMessage.class);
        assertThat(received.readInt()).isEqualTo(1);
        received.reset();
        assertThat(received.readInt()).isEqualTo(1);
        assertThat(received.readInt()).isEqualTo(2);
    }

    @Test
    void readingPastTheEndIsAnEndOfFile() throws JMSException {
        BytesMessage received = jms.exchanged(message, BytesMessage.class);
        assertThat(received.getBodyLength()).isZero();
        for (ThrowingCallable read : readsOf(received)) {
            assertThatExceptionOfType(MessageEOFException.class).isThrownBy(read);
        }
        assertThat(received.readBytes(new byte[1])).isEqualTo(-1);
        assertThat(received.readBytes(new byte[1], 1)).isEqualTo(-1);
    }

    @Test
    void tooFewBytesForAValueAreAnEndOfFile() throws JMSException {
        message.writeByte((byte) 1);
        BytesMessage received = jms.exchanged(message, BytesMessage.class);
        for (ThrowingCallable read : List.<ThrowingCallable>of(
                received::readShort, received::readInt, received::readLong, received::readDouble, received::readUTF)) {
            received.reset();
            assertThatExceptionOfType(MessageEOFException.class).isThrownBy(read);
        }
    }

    @Test
    void bytesAreReadInPieces() throws JMSException {
        message.writeBytes("0123456789".getBytes(StandardCharsets.US_ASCII));
        BytesMessage received = jms.exchanged(message, BytesMessage.class);
        byte[] piece = new byte[4];
        assertThat(received.readBytes(piece)).isEqualTo(4);
        assertThat(new String(piece, StandardCharsets.US_ASCII)).isEqualTo("0123");
        assertThat(received.readBytes(piece, 3)).isEqualTo(3);
        assertThat(new String(piece, StandardCharsets.US_ASCII)).isEqualTo("4563");
        assertThat(received.readBytes(piece)).isEqualTo(3);
        assertThat(new String(piece, 0, 3, StandardCharsets.US_ASCII)).isEqualTo("789");
        assertThat(received.readBytes(piece)).isEqualTo(-1);
    }

    @Test
    void aLengthThatTheArrayDoesNotHaveIsOutOfBounds() throws JMSException {
        message.writeInt(1);
        BytesMessage received = jms.exchanged(message, BytesMessage.class);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> received.readBytes(new byte[2], 3));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> received.readBytes(new byte[2], -1));
        assertThat(received.readInt()).isEqualTo(1);
    }

    @Test
    void aSentMessageCanBeFilledAnew() throws JMSException {
        message.writeInt(1);
        assertThat(jms.exchanged(message, BytesMessage.class).getBodyLength()).isEqualTo(4);
        message.clearBody();
        message.writeLong(2);
        assertThat(jms.exchanged(message, BytesMessage.class).readLong()).isEqualTo(2);
    }

    @Test
    void theBytesAreCopiedWhenWritten() throws JMSException {
        byte[] bytes = {1, 2, 3};
        message.writeBytes(bytes);
        bytes[0] = 9;
        assertThat(jms.exchanged(message, BytesMessage.class).readByte()).isEqualTo((byte) 1);
    }

    @Test
    void aBodyOfHalfAMebibyteArrivesWhole() throws JMSException {
        byte[] body = new byte[512 * 1024];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) (i * 31);
        }
        message.writeBytes(body);
        BytesMessage received = jms.exchanged(message, BytesMessage.class);
        assertThat(received.getBodyLength()).isEqualTo(body.length);
        assertThat(received.getBody(byte[].class)).isEqualTo(body);
    }

    @Test
    void aValueThatCannotBeReadIsStillThereForAnotherType() throws JMSException {
        message.writeShort((short) 2);
        message.writeByte((byte) 0xff);
        message.writeByte((byte) 0xff);
        BytesMessage received = jms.exchanged(message, BytesMessage.class);
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(received::readUTF);
        assertThat(received.readShort()).isEqualTo((short) 2);
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(received::readInt);
        assertThat(received.readUnsignedShort()).isEqualTo(0xffff);
    }

    @Test
    void aPartThatTheArrayDoesNotHaveIsNotWritten() throws JMSException {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> message.writeBytes(new byte[2], 1, 2));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> message.writeBytes(new byte[2], -1, 1));
        assertThat(jms.exchanged(message, BytesMessage.class).getBodyLength()).isZero();
    }
}
