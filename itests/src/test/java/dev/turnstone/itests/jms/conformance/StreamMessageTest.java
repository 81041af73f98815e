package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.StreamMessage;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §3.11 and StreamMessage, all but the table of conversions. */
@EveryClient
final class StreamMessageTest {
    @RegisterExtension
    final Messaging jms;

    private StreamMessage message;

    StreamMessageTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void create() throws JMSException {
        message = jms.session().createStreamMessage();
    }

    private static List<ThrowingCallable> readsOf(StreamMessage read) {
        return List.of(
                read::readBoolean,
                read::readByte,
                read::readShort,
                read::readChar,
                read::readInt,
                read::readLong,
                read::readFloat,
                read::readDouble,
                read::readString,
                read::readObject,
                () -> read.readBytes(new byte[1]));
    }

    @Test
    void everyTypeIsReadAsWritten() throws JMSException {
        message.writeBoolean(true);
        message.writeByte(Byte.MIN_VALUE);
        message.writeShort(Short.MIN_VALUE);
        message.writeChar('ü');
        message.writeInt(Integer.MIN_VALUE);
        message.writeLong(Long.MIN_VALUE);
        message.writeFloat(Float.MIN_VALUE);
        message.writeDouble(Double.MIN_VALUE);
        message.writeString("text – ü 😀");
        message.writeString(null);
        message.writeBytes(new byte[] {1, 2});
        message.writeBytes(new byte[] {0, 3, 4, 0}, 1, 2);
        StreamMessage received = jms.exchanged(message, StreamMessage.class);
        assertThat(received.readBoolean()).isTrue();
        assertThat(received.readByte()).isEqualTo(Byte.MIN_VALUE);
        assertThat(received.readShort()).isEqualTo(Short.MIN_VALUE);
        assertThat(received.readChar()).isEqualTo('ü');
        assertThat(received.readInt()).isEqualTo(Integer.MIN_VALUE);
        assertThat(received.readLong()).isEqualTo(Long.MIN_VALUE);
        assertThat(received.readFloat()).isEqualTo(Float.MIN_VALUE);
        assertThat(received.readDouble()).isEqualTo(Double.MIN_VALUE);
        assertThat(received.readString()).isEqualTo("text – ü 😀");
        assertThat(received.readString()).isNull();
        assertThat(received.readObject()).isEqualTo(new byte[] {1, 2});
        byte[] bytes = new byte[4];
        assertThat(received.readBytes(bytes)).isEqualTo(2);
        assertThat(bytes).startsWith(3, 4);
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(received::readObject);
    }

    @Test
    void objectsKeepTheirClass() throws JMSException {
        Object[] values = {true, (byte) 1, (short) 2, 'c', 3, 4L, 5f, 6d, "seven", null};
        for (Object value : values) {
            message.writeObject(value);
        }
        StreamMessage received = jms.exchanged(message, StreamMessage.class);
        for (Object value : values) {
            assertThat(received.readObject()).isEqualTo(value);
        }
    }

    @Test
    void objectsOfOtherClassesAreRefused() {
        for (Object value : new Object[] {Instant.EPOCH, List.of(), new int[1]}) {
            assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> message.writeObject(value));
        }
    }

    @Test
    void aNewMessageIsWriteOnlyUntilReset() throws JMSException {
        for (ThrowingCallable read : readsOf(message)) {
            assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(read);
        }
        message.writeInt(1);
        message.reset();
        assertThat(message.readInt()).isEqualTo(1);
        message.reset();
        assertThat(message.readInt()).isEqualTo(1);
    }

    @Test
    void readingPastTheEndIsAnEndOfFile() throws JMSException {
        StreamMessage received = jms.exchanged(message, StreamMessage.class);
        for (ThrowingCallable read : readsOf(received)) {
            assertThatExceptionOfType(MessageEOFException.class).isThrownBy(read);
        }
    }

    @Test
    void aFailedReadDoesNotMoveOn() throws JMSException {
        message.writeString("no number");
        message.writeInt(17);
        StreamMessage received = jms.exchanged(message, StreamMessage.class);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(received::readInt);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(received::readDouble);
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(received::readChar);
        assertThat(received.readString()).isEqualTo("no number");
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(received::readByte);
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> received.readBytes(new byte[1]));
        assertThat(received.readInt()).isEqualTo(17);
    }

    @Test
    void nullIsReadAsTheValueOfNull() throws JMSException {
        message.writeObject(null);
        StreamMessage received = jms.exchanged(message, StreamMessage.class);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(received::readByte);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(received::readShort);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(received::readInt);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(received::readLong);
        for (ThrowingCallable read :
                List.<ThrowingCallable>of(received::readFloat, received::readDouble, received::readChar)) {
            received.reset();
            assertThatNullPointerException().isThrownBy(read);
        }
        received.reset();
        assertThat(received.readBoolean()).isFalse();
        received.reset();
        assertThat(received.readBytes(new byte[1])).isEqualTo(-1);
    }

    @Test
    void aFieldOfBytesIsReadInPieces() throws JMSException {
        message.writeBytes(new byte[] {1, 2, 3, 4, 5});
        message.writeBytes(new byte[] {6, 7});
        message.writeInt(8);
        StreamMessage received = jms.exchanged(message, StreamMessage.class);
        byte[] piece = new byte[2];
        assertThat(received.readBytes(piece)).isEqualTo(2);
        assertThat(piece).containsExactly(1, 2);
        // A field that was begun with readBytes must be read to its end with it (StreamMessage.readBytes).
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(received::readInt);
        assertThat(received.readBytes(piece)).isEqualTo(2);
        assertThat(piece).containsExactly(3, 4);
        assertThat(received.readBytes(piece)).isEqualTo(1);
        assertThat(piece[0]).isEqualTo((byte) 5);
        // Exactly as long as the array: one more call finds the end.
        assertThat(received.readBytes(piece)).isEqualTo(2);
        assertThat(piece).containsExactly(6, 7);
        assertThat(received.readBytes(piece)).isEqualTo(-1);
        assertThat(received.readInt()).isEqualTo(8);
    }

    @Test
    void anEmptyFieldOfBytesHasNoneAndNoEndMarker() throws JMSException {
        message.writeBytes(new byte[0]);
        message.writeInt(1);
        StreamMessage received = jms.exchanged(message, StreamMessage.class);
        assertThat(received.readBytes(new byte[3])).isZero();
        assertThat(received.readInt()).isEqualTo(1);
    }

    @Test
    void bytesAreCopiedWhenWritten() throws JMSException {
        byte[] bytes = {1, 2};
        message.writeBytes(bytes);
        bytes[0] = 9;
        assertThat(jms.exchanged(message, StreamMessage.class).readObject()).isEqualTo(new byte[] {1, 2});
    }

    @Test
    void aPartThatTheArrayDoesNotHaveIsNotWritten() throws JMSException {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> message.writeBytes(new byte[2], 1, 2));
        message.reset();
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(message::readObject);
    }
}
