package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §3.11.3, table 3-7: as what the values of map and stream messages can be read. */
@EveryClient
final class BodyConversionTest {
    private static final List<String> TYPES =
            List.of("boolean", "byte", "short", "char", "int", "long", "float", "double", "String", "byte[]");

    private static final byte[] BYTES = {1};

    /** The rows of the table: a value, and the types that it can be read as. */
    private static final List<Row> ROWS = List.of(
            new Row(true, Set.of("boolean", "String")),
            new Row((byte) 7, Set.of("byte", "short", "int", "long", "String")),
            new Row((short) 8, Set.of("short", "int", "long", "String")),
            new Row('c', Set.of("char", "String")),
            new Row(9, Set.of("int", "long", "String")),
            new Row(10L, Set.of("long", "String")),
            new Row(1.5f, Set.of("float", "double", "String")),
            new Row(2.5d, Set.of("double", "String")),
            new Row("6", Set.of("boolean", "byte", "short", "int", "long", "float", "double", "String")),
            new Row(BYTES, Set.of("byte[]")));

    private record Row(Object value, Set<String> readable) {
        /** The value as it is read in one of the types. */
        Object as(String type) {
            return switch (type) {
                case "boolean" -> Boolean.valueOf(value.toString());
                case "byte" -> Byte.valueOf(value.toString());
                case "short" -> Short.valueOf(value.toString());
                case "int" -> Integer.valueOf(value.toString());
                case "long" -> Long.valueOf(value.toString());
                case "float" -> Float.valueOf(value.toString());
                case "double" -> Double.valueOf(value.toString());
                case "String" -> value.toString();
                default -> value;
            };
        }
    }

    /** Reads a value of a body as one type. */
    private interface Reading {
        Object now() throws JMSException;
    }

    @RegisterExtension
    final Messaging jms;

    private Session session;

    BodyConversionTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        session = jms.session();
    }

    private static Map<String, Reading> readingsOf(MapMessage message) {
        return Map.of(
                "boolean", () -> message.getBoolean("v"),
                "byte", () -> message.getByte("v"),
                "short", () -> message.getShort("v"),
                "char", () -> message.getChar("v"),
                "int", () -> message.getInt("v"),
                "long", () -> message.getLong("v"),
                "float", () -> message.getFloat("v"),
                "double", () -> message.getDouble("v"),
                "String", () -> message.getString("v"),
                "byte[]", () -> message.getBytes("v"));
    }

    private static Map<String, Reading> readingsOf(StreamMessage message) {
        return Map.of(
                "boolean", message::readBoolean,
                "byte", message::readByte,
                "short", message::readShort,
                "char", message::readChar,
                "int", message::readInt,
                "long", message::readLong,
                "float", message::readFloat,
                "double", message::readDouble,
                "String", message::readString,
                "byte[]", () -> bytesOf(message));
    }

    private static Object bytesOf(StreamMessage message) throws JMSException {
        byte[] bytes = new byte[BYTES.length];
        assertThat(message.readBytes(bytes)).isEqualTo(BYTES.length);
        return bytes;
    }

    private static void check(SoftAssertions all, Row row, String type, Reading reading) {
        String cell = row.value().getClass().getSimpleName() + " as " + type;
        if (row.readable().contains(type)) {
            all.assertThatCode(() -> assertThat(reading.now()).as(cell).isEqualTo(row.as(type)))
                    .doesNotThrowAnyException();
        } else {
            all.assertThatThrownBy(reading::now).as(cell).isInstanceOf(MessageFormatException.class);
        }
    }

    @Test
    void itemsOfAMapAreReadAsTheTableSays() throws JMSException {
        SoftAssertions all = new SoftAssertions();
        for (Row row : ROWS) {
            MapMessage sent = session.createMapMessage();
            sent.setObject("v", row.value());
            for (MapMessage message : List.of(sent, jms.exchanged(sent, MapMessage.class))) {
                TYPES.forEach(type -> check(all, row, type, readingsOf(message).get(type)));
            }
        }
        all.assertAll();
    }

    @Test
    void fieldsOfAStreamAreReadAsTheTableSays() throws JMSException {
        SoftAssertions all = new SoftAssertions();
        for (Row row : ROWS) {
            StreamMessage sent = session.createStreamMessage();
            sent.writeObject(row.value());
            StreamMessage received = jms.exchanged(sent, StreamMessage.class);
            sent.reset();
            for (StreamMessage message : List.of(sent, received)) {
                for (String type : TYPES) {
                    message.reset();
                    check(all, row, type, readingsOf(message).get(type));
                }
            }
        }
        all.assertAll();
    }

    @Test
    void textThatIsNoNumberIsANumberFormatException() throws JMSException {
        MapMessage map = session.createMapMessage();
        map.setString("v", "none");
        StreamMessage stream = session.createStreamMessage();
        stream.writeString("none");
        MapMessage mapReceived = jms.exchanged(map, MapMessage.class);
        StreamMessage streamReceived = jms.exchanged(stream, StreamMessage.class);
        for (String type : List.of("byte", "short", "int", "long", "float", "double")) {
            ThrowingCallable fromMap = readingsOf(mapReceived).get(type)::now;
            ThrowingCallable fromStream = readingsOf(streamReceived).get(type)::now;
            assertThatExceptionOfType(NumberFormatException.class).as(type).isThrownBy(fromMap);
            assertThatExceptionOfType(NumberFormatException.class).as(type).isThrownBy(fromStream);
        }
        assertThat(mapReceived.getBoolean("v")).isFalse();
        assertThat(streamReceived.readBoolean()).isFalse();
    }
}
