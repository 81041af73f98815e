package dev.turnstone.itests.jms.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.TextMessage;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jakarta Messaging 3.1 §3.5: message properties, all but the conversions. */
@EveryClient
final class MessagePropertiesTest {
    @RegisterExtension
    final Messaging jms;

    private TextMessage message;

    MessagePropertiesTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void create() throws JMSException {
        message = jms.session().createTextMessage("body");
    }

    private static List<Object> namesIn(Message message) throws JMSException {
        return Messaging.elements(message.getPropertyNames());
    }

    private static void fill(Message message) throws JMSException {
        message.setBooleanProperty("aBoolean", true);
        message.setByteProperty("aByte", Byte.MIN_VALUE);
        message.setShortProperty("aShort", Short.MAX_VALUE);
        message.setIntProperty("anInt", Integer.MIN_VALUE);
        message.setLongProperty("aLong", Long.MAX_VALUE);
        message.setFloatProperty("aFloat", Float.MIN_VALUE);
        message.setDoubleProperty("aDouble", Double.MAX_VALUE);
        message.setStringProperty("aString", "text – ü 😀");
        message.setStringProperty("aNull", null);
    }

    @Test
    void everyTypeArrivesAsSet() throws JMSException {
        fill(message);
        TextMessage received = jms.exchanged(message, TextMessage.class);
        assertThat(received.getBooleanProperty("aBoolean")).isTrue();
        assertThat(received.getByteProperty("aByte")).isEqualTo(Byte.MIN_VALUE);
        assertThat(received.getShortProperty("aShort")).isEqualTo(Short.MAX_VALUE);
        assertThat(received.getIntProperty("anInt")).isEqualTo(Integer.MIN_VALUE);
        assertThat(received.getLongProperty("aLong")).isEqualTo(Long.MAX_VALUE);
        assertThat(received.getFloatProperty("aFloat")).isEqualTo(Float.MIN_VALUE);
        assertThat(received.getDoubleProperty("aDouble")).isEqualTo(Double.MAX_VALUE);
        assertThat(received.getStringProperty("aString")).isEqualTo("text – ü 😀");
        assertThat(received.getStringProperty("aNull")).isNull();
        assertThat(received.propertyExists("aNull")).isTrue();
        assertThat(received.propertyExists("another")).isFalse();
    }

    @Test
    void objectsKeepTheirClass() throws JMSException {
        Object[] values = {true, (byte) 1, (short) 2, 3, 4L, 5.5f, 6.5d, "seven"};
        for (Object value : values) {
            message.setObjectProperty(value.getClass().getSimpleName(), value);
        }
        Message received = jms.exchanged(message, TextMessage.class);
        for (Object value : values) {
            assertThat(received.getObjectProperty(value.getClass().getSimpleName()))
                    .isEqualTo(value);
        }
        assertThat(received.getObjectProperty("absent")).isNull();
    }

    @Test
    void objectsOfOtherClassesAreRefused() {
        for (Object value : new Object[] {Instant.EPOCH, 'c', new byte[1], List.of("a")}) {
            assertThatExceptionOfType(MessageFormatException.class)
                    .isThrownBy(() -> message.setObjectProperty("other", value));
        }
    }

    @Test
    void namesAreListedWithoutHeaders() throws JMSException {
        fill(message);
        message.setJMSType("type");
        assertThat(namesIn(message))
                .map(String.class::cast)
                .containsExactlyInAnyOrder(
                        "aBoolean", "aByte", "aShort", "anInt", "aLong", "aFloat", "aDouble", "aString", "aNull");
        assertThat(namesIn(jms.exchanged(message, TextMessage.class)))
                .map(String.class::cast)
                .contains("aBoolean", "aString", "JMSXDeliveryCount")
                .allMatch(name -> !name.startsWith("JMS") || name.startsWith("JMSX"));
    }

    @Test
    void clearingLeavesTheBodyAndAllowsNewProperties() throws JMSException {
        fill(message);
        message.clearProperties();
        assertThat(namesIn(message)).isEmpty();
        assertThat(message.getText()).isEqualTo("body");
        message.setIntProperty("next", 1);
        assertThat(message.getIntProperty("next")).isEqualTo(1);
    }

    @Test
    void aReceivedMessagesPropertiesAreReadOnlyUntilCleared() throws JMSException {
        fill(message);
        TextMessage received = jms.exchanged(message, TextMessage.class);
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> received.setBooleanProperty("a", true));
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> received.setByteProperty("a", (byte) 1));
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> received.setShortProperty("a", (short) 1));
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> received.setIntProperty("a", 1));
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> received.setLongProperty("a", 1));
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> received.setFloatProperty("a", 1));
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> received.setDoubleProperty("a", 1));
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> received.setStringProperty("a", "1"));
        assertThatExceptionOfType(MessageNotWriteableException.class)
                .isThrownBy(() -> received.setObjectProperty("a", 1));

        received.clearProperties();
        received.setIntProperty("a", 1);
        assertThat(received.getIntProperty("a")).isEqualTo(1);
        assertThat(received.getText()).isEqualTo("body");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "a-b", "a.b", "a b", "a:b", "NULL", "TRUE", "FALSE", "NOT", "AND", "OR"})
    void namesThatAreNoIdentifiersAreRefused(String name) {
        assertRefused(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"BETWEEN", "LIKE", "IN", "IS", "ESCAPE"})
    void reservedWordsAreNoNames(String name) {
        assertRefused(name);
    }

    private void assertRefused(String name) {
        assertThatExceptionOfType(Exception.class)
                .isThrownBy(() -> message.setIntProperty(name, 1))
                .isInstanceOfAny(JMSException.class, IllegalArgumentException.class);
    }

    @Test
    void emptyAndNullNamesAreIllegalArguments() {
        for (String name : new String[] {"", null}) {
            assertThatIllegalArgumentException().isThrownBy(() -> message.setBooleanProperty(name, true));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setByteProperty(name, (byte) 1));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setShortProperty(name, (short) 1));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setIntProperty(name, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setLongProperty(name, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setFloatProperty(name, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setDoubleProperty(name, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setStringProperty(name, "1"));
            assertThatIllegalArgumentException().isThrownBy(() -> message.setObjectProperty(name, 1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"_a", "$a", "ä", "a1", "JMSXGroupIDs", "nullable", "JMS_vendor"})
    void namesThatAreIdentifiersAreTaken(String name) throws JMSException {
        message.setStringProperty(name, "value");
        assertThat(jms.exchanged(message, TextMessage.class).getStringProperty(name))
                .isEqualTo("value");
    }

    @Test
    void groupPropertiesAreTheClientsToSet() throws JMSException {
        message.setStringProperty("JMSXGroupID", "orders");
        message.setIntProperty("JMSXGroupSeq", 3);
        Message received = jms.exchanged(message, TextMessage.class);
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("orders");
        assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(3);
    }

    @Test
    void theFirstDeliveryIsCountedAsOne() throws JMSException {
        Message received = jms.exchanged(message, TextMessage.class);
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(received.propertyExists("JMSXDeliveryCount")).isTrue();
        assertThat(received.getJMSRedelivered()).isFalse();
    }

    @Test
    void aPlaceInAGroupIsThereIfItWasSetAndOnlyThen() throws JMSException {
        message.setStringProperty("JMSXGroupID", "orders");
        assertThat(jms.exchanged(message, TextMessage.class).propertyExists("JMSXGroupSeq"))
                .isFalse();
        message.setIntProperty("JMSXGroupSeq", 0);
        assertThat(jms.exchanged(message, TextMessage.class).getObjectProperty("JMSXGroupSeq"))
                .isEqualTo(0);
        message.clearProperties();
        message.setIntProperty("JMSXGroupSeq", 4);
        Message alone = jms.exchanged(message, TextMessage.class);
        assertThat(alone.getObjectProperty("JMSXGroupSeq")).isEqualTo(4);
        assertThat(alone.propertyExists("JMSXGroupID")).isFalse();
    }
}
