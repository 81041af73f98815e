package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageFormatException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §3.11 and MapMessage, all but the table of conversions. */
@EveryClient
final class MapMessageTest {
    @RegisterExtension
    final Messaging jms;

    private MapMessage message;

    MapMessageTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void create() throws JMSException {
        message = jms.session().createMapMessage();
    }

    @Test
    void everyTypeIsReadAsSet() throws JMSException {
        message.setBoolean("boolean", true);
        message.setByte("byte", Byte.MIN_VALUE);
        message.setShort("short", Short.MIN_VALUE);
        message.setChar("char", 'ü');
        message.setInt("int", Integer.MIN_VALUE);
        message.setLong("long", Long.MIN_VALUE);
        message.setFloat("float", Float.MIN_VALUE);
        message.setDouble("double", Double.MIN_VALUE);
        message.setString("String", "text – ü 😀");
        message.setBytes("bytes", new byte[] {1, 2});
        message.setBytes("some bytes", new byte[] {0, 1, 2, 3}, 1, 2);
        message.setString("null", null);
        MapMessage received = jms.exchanged(message, MapMessage.class);
        assertThat(received.getBoolean("boolean")).isTrue();
        assertThat(received.getByte("byte")).isEqualTo(Byte.MIN_VALUE);
        assertThat(received.getShort("short")).isEqualTo(Short.MIN_VALUE);
        assertThat(received.getChar("char")).isEqualTo('ü');
        assertThat(received.getInt("int")).isEqualTo(Integer.MIN_VALUE);
        assertThat(received.getLong("long")).isEqualTo(Long.MIN_VALUE);
        assertThat(received.getFloat("float")).isEqualTo(Float.MIN_VALUE);
        assertThat(received.getDouble("double")).isEqualTo(Double.MIN_VALUE);
        assertThat(received.getString("String")).isEqualTo("text – ü 😀");
        assertThat(received.getBytes("bytes")).containsExactly(1, 2);
        assertThat(received.getBytes("some bytes")).containsExactly(1, 2);
        assertThat(received.getString("null")).isNull();
        assertThat(received.itemExists("null")).isTrue();
        assertThat(received.itemExists("absent")).isFalse();
        assertThat(Messaging.elements(received.getMapNames()))
                .hasSize(12)
                .map(String.class::cast)
                .contains("some bytes");
    }

    @Test
    void objectsKeepTheirClass() throws JMSException {
        Object[] values = {true, (byte) 1, (short) 2, 'c', 3, 4L, 5f, 6d, "seven"};
        for (Object value : values) {
            message.setObject(value.getClass().getSimpleName(), value);
        }
        message.setObject("bytes", new byte[] {8});
        message.setObject("null", null);
        MapMessage received = jms.exchanged(message, MapMessage.class);
        for (Object value : values) {
            assertThat(received.getObject(value.getClass().getSimpleName())).isEqualTo(value);
        }
        assertThat(received.getObject("bytes")).isEqualTo(new byte[] {8});
        assertThat(received.getObject("null")).isNull();
        assertThat(received.getObject("absent")).isNull();
    }

    @Test
    void objectsOfOtherClassesAreRefused() {
        for (Object value : new Object[] {Instant.EPOCH, List.of(), new int[1]}) {
            assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> message.setObject("a", value));
        }
    }

    @Test
    void emptyAndNullNamesAreIllegalArguments() {
        for (String name : new String[] {"", null}) {
            assertThatIllegalArgumentException().isThrownBy(() -> message.setBoolean(name, true));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setByte(name, (byte) 1));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setShort(name, (short) 1));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setChar(name, 'c'));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setInt(name, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setLong(name, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setFloat(name, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setDouble(name, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setString(name, "1"));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setBytes(name, new byte[1]));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setBytes(name, new byte[1], 0, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setObject(name, 1));
        }
    }

    @Test
    void anAbsentItemIsReadAsNull() throws JMSException {
        MapMessage received = jms.exchanged(message, MapMessage.class);
        assertThat(received.getBoolean("a")).isFalse();
        assertThat(received.getString("a")).isNull();
        assertThat(received.getBytes("a")).isNull();
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> received.getByte("a"));
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> received.getShort("a"));
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> received.getInt("a"));
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> received.getLong("a"));
        assertThatNullPointerException().isThrownBy(() -> received.getFloat("a"));
        assertThatNullPointerException().isThrownBy(() -> received.getDouble("a"));
        assertThatNullPointerException().isThrownBy(() -> received.getChar("a"));
    }

    @Test
    void theLastValueOfANameCounts() throws JMSException {
        message.setInt("a", 1);
        message.setString("a", "two");
        assertThat(jms.exchanged(message, MapMessage.class).getObject("a")).isEqualTo("two");
    }

    @Test
    void bytesAreCopiedInAndOut() throws JMSException {
        byte[] bytes = {1, 2};
        message.setBytes("a", bytes);
        bytes[0] = 9;
        assertThat(message.getBytes("a")).containsExactly(1, 2);
        message.getBytes("a")[0] = 9;
        MapMessage received = jms.exchanged(message, MapMessage.class);
        received.getBytes("a")[1] = 9;
        assertThat(received.getBytes("a")).containsExactly(1, 2);
    }

    @Test
    void aNewMessageCanBeWrittenAndRead() throws JMSException {
        assertThat(Messaging.elements(message.getMapNames())).isEmpty();
        message.setInt("a", 1);
        assertThat(message.getInt("a")).isEqualTo(1);
        message.setInt("a", 2);
        assertThat(message.getInt("a")).isEqualTo(2);
    }

    @Test
    void aPartThatTheArrayDoesNotHaveIsNotSet() throws JMSException {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> message.setBytes("a", new byte[2], 1, 2));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> message.setBytes("a", new byte[2], 0, -1));
        assertThat(message.itemExists("a")).isFalse();
    }
}
