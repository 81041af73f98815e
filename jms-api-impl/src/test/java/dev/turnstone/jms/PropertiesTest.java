package dev.turnstone.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.MessageBuilder;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PropertiesTest {
    private static final Map<String, Object> VALUES = Map.of(
            "boolean", true, "byte", (byte) 7, "short", (short) 7, "int", 7, "long", 7L, "float", 7f, "double", 7d,
            "String", "7");

    private final Message message = new ClientPlainMessage();

    private interface Reading {
        Object of(Message message) throws JMSException;
    }

    private static final Map<String, Reading> READINGS = Map.of(
            "boolean", m -> m.getBooleanProperty("p"),
            "byte", m -> m.getByteProperty("p"),
            "short", m -> m.getShortProperty("p"),
            "int", m -> m.getIntProperty("p"),
            "long", m -> m.getLongProperty("p"),
            "float", m -> m.getFloatProperty("p"),
            "double", m -> m.getDoubleProperty("p"),
            "String", m -> m.getStringProperty("p"));

    @ParameterizedTest
    @CsvSource({
        "boolean, boolean String",
        "byte, byte short int long String",
        "short, short int long String",
        "int, int long String",
        "long, long String",
        "float, float double String",
        "double, double String",
        "String, boolean byte short int long float double String"
    })
    void aPropertyIsReadAsTheTypesThatTheTableAllowsAndAsNoOther(String written, String readable) throws JMSException {
        List<String> allowed = List.of(readable.split(" "));
        message.setObjectProperty("p", VALUES.get(written));
        for (Map.Entry<String, Reading> reading : READINGS.entrySet()) {
            if (allowed.contains(reading.getKey())) {
                assertThat(reading.getValue().of(message).toString()).isIn("7", "7.0", "true", "false");
            } else {
                assertThatExceptionOfType(MessageFormatException.class)
                        .as(written + " as " + reading.getKey())
                        .isThrownBy(() -> reading.getValue().of(message));
            }
        }
    }

    @Test
    void anUnsetPropertyIsReadAsNullIs() throws JMSException {
        assertThat(message.getObjectProperty("p")).isNull();
        assertThat(message.getStringProperty("p")).isNull();
        assertThat(message.getBooleanProperty("p")).isFalse();
        assertThatThrownBy(() -> message.getByteProperty("p")).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> message.getShortProperty("p")).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> message.getIntProperty("p")).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> message.getLongProperty("p")).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> message.getFloatProperty("p")).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> message.getDoubleProperty("p")).isInstanceOf(NullPointerException.class);
    }

    @Test
    void textThatIsNoNumberIsRefusedAsTheTypesOwnParserDoes() throws JMSException {
        message.setStringProperty("p", "seven");
        assertThatThrownBy(() -> message.getIntProperty("p")).isInstanceOf(NumberFormatException.class);
    }

    @Test
    void aCharacterIsNoProperty() {
        assertThatThrownBy(() -> message.setObjectProperty("p", 'c')).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> message.setObjectProperty("p", new byte[1]))
                .isInstanceOf(MessageFormatException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "1a", "a-b", "NOT", "NULL", "TRUE", "ESCAPE", "LIKE"})
    void aNameThatASelectorCouldNotUseIsRefused(String name) {
        assertThatThrownBy(() -> message.setIntProperty(name, 1)).isInstanceOf(JMSException.class);
    }

    @Test
    void anEmptyOrMissingNameIsAnIllegalArgument() {
        assertThatThrownBy(() -> message.setIntProperty("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> message.setIntProperty(null, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aReceivedMessageListsItsPropertiesAndTheDeliveryCount() throws JMSException {
        Message received = received();
        List<Object> names = new ArrayList<>(Collections.list((Enumeration<?>) received.getPropertyNames()));
        assertThat(names).containsExactlyInAnyOrder("a", "n", "JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount");
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(3);
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(9);
        assertThat(received.propertyExists("n")).isTrue();
        assertThat(received.getObjectProperty("n")).isNull();
    }

    @Test
    void thePropertiesOfAReceivedMessageAreReadOnlyUntilTheyAreCleared() throws JMSException {
        Message received = received();
        assertThatThrownBy(() -> received.setIntProperty("a", 2)).isInstanceOf(MessageNotWriteableException.class);
        received.clearProperties();
        assertThat(received.propertyExists("a")).isFalse();
        received.setIntProperty("a", 2);
        assertThat(received.getIntProperty("a")).isEqualTo(2);
    }

    private static Message received() throws JMSException {
        MessageBuilder builder = MessageBuilder.to(Address.queue("q"))
                .property("a", 1)
                .property("n", null)
                .group("g", 9);
        return Messages.of(new Delivery(1, 1, 1, builder.build(), 3, true), null, AllowedClasses.NONE);
    }
}
