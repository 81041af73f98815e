package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jakarta Messaging 3.1 §3.5.4, table 3-2: as what a property can be read. */
@EveryClient
final class PropertyConversionTest {
    /** Reads a property as one type. */
    private interface Reading {
        Object of(Message message, String name) throws JMSException;
    }

    private static final Map<String, Reading> READINGS = Map.of(
            "boolean", Message::getBooleanProperty,
            "byte", Message::getByteProperty,
            "short", Message::getShortProperty,
            "int", Message::getIntProperty,
            "long", Message::getLongProperty,
            "float", Message::getFloatProperty,
            "double", Message::getDoubleProperty,
            "String", Message::getStringProperty);

    /** The rows of the table: a value, and what it is in each type that it can be read as. */
    private static final Map<Object, Map<String, Object>> ROWS = Map.of(
            true,
            Map.of("boolean", true, "String", "true"),
            (byte) 7,
            Map.of("byte", (byte) 7, "short", (short) 7, "int", 7, "long", 7L, "String", "7"),
            (short) 8,
            Map.of("short", (short) 8, "int", 8, "long", 8L, "String", "8"),
            9,
            Map.of("int", 9, "long", 9L, "String", "9"),
            10L,
            Map.of("long", 10L, "String", "10"),
            1.5f,
            Map.of("float", 1.5f, "double", 1.5d, "String", "1.5"),
            2.5d,
            Map.of("double", 2.5d, "String", "2.5"));

    @RegisterExtension
    final Messaging jms;

    PropertyConversionTest(Client client) {
        jms = new Messaging(client);
    }

    private List<Message> beforeAndAfterSending(Object value) throws JMSException {
        TextMessage message = jms.session().createTextMessage();
        message.setObjectProperty("p", value);
        return List.of(message, jms.exchanged(message, TextMessage.class));
    }

    @Test
    void valuesAreReadAsTheTableSays() throws JMSException {
        SoftAssertions all = new SoftAssertions();
        for (Map.Entry<Object, Map<String, Object>> row : ROWS.entrySet()) {
            for (Message message : beforeAndAfterSending(row.getKey())) {
                for (Map.Entry<String, Reading> reading : READINGS.entrySet()) {
                    Object expected = row.getValue().get(reading.getKey());
                    String cell = row.getKey().getClass().getSimpleName() + " as " + reading.getKey();
                    if (expected == null) {
                        all.assertThatThrownBy(() -> reading.getValue().of(message, "p"))
                                .as(cell)
                                .isInstanceOf(MessageFormatException.class);
                    } else {
                        all.assertThat(reading.getValue().of(message, "p"))
                                .as(cell)
                                .isEqualTo(expected);
                    }
                }
            }
        }
        all.assertAll();
    }

    @Test
    void textIsReadAsWhateverItSays() throws JMSException {
        for (Message message : beforeAndAfterSending("12")) {
            assertThat(message.getByteProperty("p")).isEqualTo((byte) 12);
            assertThat(message.getShortProperty("p")).isEqualTo((short) 12);
            assertThat(message.getIntProperty("p")).isEqualTo(12);
            assertThat(message.getLongProperty("p")).isEqualTo(12);
            assertThat(message.getFloatProperty("p")).isEqualTo(12);
            assertThat(message.getDoubleProperty("p")).isEqualTo(12);
            assertThat(message.getStringProperty("p")).isEqualTo("12");
            assertThat(message.getBooleanProperty("p")).isFalse();
        }
        for (Message message : beforeAndAfterSending("TRUE")) {
            assertThat(message.getBooleanProperty("p")).isTrue();
        }
    }

    @Test
    void textThatIsNoNumberIsANumberFormatException() throws JMSException {
        for (Message message : beforeAndAfterSending("not a number")) {
            for (String type : List.of("byte", "short", "int", "long", "float", "double")) {
                assertThatExceptionOfType(NumberFormatException.class)
                        .as(type)
                        .isThrownBy(() -> READINGS.get(type).of(message, "p"));
            }
        }
        for (Message message : beforeAndAfterSending("300")) {
            assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> message.getByteProperty("p"));
        }
    }

    @Test
    void anAbsentPropertyIsReadAsNull() throws JMSException {
        TextMessage sent = jms.session().createTextMessage();
        for (Message message : List.of(sent, jms.exchanged(sent, TextMessage.class))) {
            assertThat(message.getBooleanProperty("absent")).isFalse();
            assertThat(message.getStringProperty("absent")).isNull();
            assertThat(message.getObjectProperty("absent")).isNull();
            for (String type : List.of("byte", "short", "int", "long")) {
                assertThatExceptionOfType(NumberFormatException.class)
                        .as(type)
                        .isThrownBy(() -> READINGS.get(type).of(message, "absent"));
            }
            // As Float.valueOf(null) and Double.valueOf(null) do.
            assertThatNullPointerException().isThrownBy(() -> message.getFloatProperty("absent"));
            assertThatNullPointerException().isThrownBy(() -> message.getDoubleProperty("absent"));
        }
    }
}
