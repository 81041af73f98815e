package dev.turnstone.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.MessageBuilder;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import org.junit.jupiter.api.Test;

final class BytesMessageTest {
    private final BytesMessage message = new ClientBytesMessage();

    @Test
    void everyTypeIsReadAsItWasWritten() throws JMSException {
        message.writeBoolean(true);
        message.writeByte((byte) -1);
        message.writeShort((short) -2);
        message.writeChar('ü');
        message.writeInt(-3);
        message.writeLong(Long.MIN_VALUE);
        message.writeFloat(1.5f);
        message.writeDouble(-2.5);
        message.writeUTF("grün");
        message.writeBytes(new byte[] {1, 2, 3}, 1, 2);
        message.writeObject((byte) 200);
        message.writeObject((short) 40_000);
        message.reset();

        assertThat(message.readBoolean()).isTrue();
        assertThat(message.readByte()).isEqualTo((byte) -1);
        assertThat(message.readShort()).isEqualTo((short) -2);
        assertThat(message.readChar()).isEqualTo('ü');
        assertThat(message.readInt()).isEqualTo(-3);
        assertThat(message.readLong()).isEqualTo(Long.MIN_VALUE);
        assertThat(message.readFloat()).isEqualTo(1.5f);
        assertThat(message.readDouble()).isEqualTo(-2.5);
        assertThat(message.readUTF()).isEqualTo("grün");
        byte[] two = new byte[2];
        assertThat(message.readBytes(two)).isEqualTo(2);
        assertThat(two).containsExactly(2, 3);
        assertThat(message.readUnsignedByte()).isEqualTo(200);
        assertThat(message.readUnsignedShort()).isEqualTo(40_000);
        assertThatThrownBy(message::readByte).isInstanceOf(MessageEOFException.class);
        assertThat(message.readBytes(two)).isEqualTo(-1);
    }

    @Test
    void aBodyIsWrittenThenReadAndNotBothAtOnce() throws JMSException {
        message.writeInt(1);
        assertThatThrownBy(message::readInt).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(message::getBodyLength).isInstanceOf(MessageNotReadableException.class);
        message.reset();
        assertThat(message.getBodyLength()).isEqualTo(4);
        assertThatThrownBy(() -> message.writeInt(2)).isInstanceOf(MessageNotWriteableException.class);
        message.clearBody();
        message.writeByte((byte) 1);
        message.reset();
        assertThat(message.getBodyLength()).isEqualTo(1);
    }

    @Test
    void whatItCannotHoldIsRefused() {
        assertThatThrownBy(() -> message.writeObject(new Object())).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.writeObject(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void aReceivedBodyIsReadOnlyAndGoneWhenCleared() throws JMSException {
        BytesMessage received = received(new byte[] {0, 0, 0, 5});
        assertThatThrownBy(() -> received.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
        assertThat(received.readInt()).isEqualTo(5);
        received.reset();
        assertThat(received.readInt()).isEqualTo(5);
        assertThat(received.getBody(byte[].class)).containsExactly(0, 0, 0, 5);
        assertThatThrownBy(() -> received.getBody(String.class)).isInstanceOf(MessageFormatException.class);
        assertThat(received.isBodyAssignableTo(String.class)).isFalse();
        received.clearBody();
        received.reset();
        assertThat(received.getBodyLength()).isZero();
        assertThat(received.isBodyAssignableTo(String.class)).isTrue();
    }

    @Test
    void readingMoreThanTheArrayHoldsIsRefused() {
        BytesMessage received = received(new byte[4]);
        assertThatThrownBy(() -> received.readBytes(new byte[2], 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> received.readBytes(new byte[2], -1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static BytesMessage received(byte[] body) {
        Delivery delivery = new Delivery(
                1, 1, 1, MessageBuilder.to(Address.queue("q")).bytes(body).build(), 1, false);
        return new ClientBytesMessage(delivery, null);
    }
}
