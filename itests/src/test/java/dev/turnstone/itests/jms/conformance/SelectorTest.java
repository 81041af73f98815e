package dev.turnstone.itests.jms.conformance;

import static dev.turnstone.itests.jms.conformance.Messaging.assertNothingFor;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveText;
import static dev.turnstone.itests.jms.conformance.Messaging.receiveTexts;
import static dev.turnstone.itests.jms.conformance.Messaging.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Jakarta Messaging 3.1 §3.8: message selection. */
@EveryClient
final class SelectorTest {
    static final List<String> MATCHING = List.of(
            "country = 'UK'",
            "country <> 'DE'",
            "country IN ('UK', 'US')",
            "country NOT IN ('DE')",
            "phone LIKE '12%3'",
            "word LIKE 'l_se'",
            "word NOT LIKE 'x%'",
            "under LIKE '\\_%' ESCAPE '\\'",
            "escaped LIKE 'a\\_b' ESCAPE '\\'",
            "quoted = 'it''s'",
            "age BETWEEN 15 AND 19",
            "age = 17.0",
            "age NOT BETWEEN 18 AND 20",
            "age + 3 * 2 = 23",
            "(age + 3) * 2 = 40",
            "-age = -17",
            "+age = 17",
            "weight / 2 = 1.25",
            "weight * 2 = 5",
            "weight > 2 AND weight < 3",
            "age >= 17 AND age <= 17",
            "on",
            "on = TRUE",
            "NOT (on = false)",
            "on <> FALSE",
            "absent IS NULL",
            "age IS NOT NULL",
            "big = 9007199254740993",
            "weight = 2.5E0",
            "age > 1.6e1",
            "age < 7E3",
            "age = 17 OR absent = 1",
            "JMSType = 'car'",
            "JMSCorrelationID = 'c-1'",
            "JMSPriority = 4",
            "JMSDeliveryMode = 'PERSISTENT'",
            "JMSTimestamp > 0",
            "JMSMessageID IS NOT NULL",
            "JMSMessageID LIKE 'ID:%'",
            "JMSXGroupID = 'g'",
            "country = 'UK' and age = 17 or age = 1",
            "NOT (absent > 1 AND age = 4)",
            "\tage\n=\f17 ",
            "NOT age = 16",
            "NOT age = 16 AND NOT age BETWEEN 1 AND 16",
            "age=17",
            "age = 0x11",
            "age = 021",
            "age = 17L",
            "age > 1.6e+1 AND age < 1.8E1",
            "weight = 2.5D",
            "weight > 2. AND weight > -95.7",
            "weight >= +2.5",
            "age > -57.9E2",
            "age = 1 + 4 * 4",
            "age - 1 - 1 = 15",
            "age - -1 = 18",
            "age * 2 - 4 > 29",
            "age BETWEEN 10 + 5 AND 2 * 10",
            "nOt age BeTwEeN 18 aNd 20",
            "country Like 'U_' Or age Is NULL",
            "under LIKE '%'",
            "lines LIKE 'a%d'",
            "lines LIKE 'a_b.c%'",
            "lines LIKE '%.c*d'",
            "escaped LIKE 'a!_b' ESCAPE '!'",
            "empty = ''",
            "empty LIKE ''",
            "empty LIKE '%'",
            "quoted LIKE 'it''_'",
            "country IN ('US','it''s','UK')",
            "_x = 1 AND $y = 2 AND größe = 3",
            "on AND NOT (on = FALSE) AND TRUE",
            "(((age = 17)))",
            "NOT NOT on",
            "JMSCorrelationID LIKE 'c%'",
            "JMSMessageID <> 'ID:none'",
            "JMSDeliveryMode <> 'NON_PERSISTENT'",
            "JMSTimestamp < 9223372036854775807",
            "JMSReplyTo IS NULL",
            "JMSXGroupSeq IS NULL",
            "JMSX_none IS NULL AND JMS_none IS NULL",
            "absent = 1 OR NOT absent = 1 OR on",
            "NOT (absent = 1 AND age = 1)");

    static final List<String> NOT_MATCHING = List.of(
            "country = 'uk'",
            "country <> 'UK'",
            "country NOT IN ('UK', 'US')",
            "phone LIKE '12%4'",
            "phone NOT LIKE '12%3'",
            "word LIKE 'l_'",
            "word LIKE 'LOSE'",
            "escaped LIKE 'a\\%b' ESCAPE '\\'",
            "age NOT BETWEEN 15 AND 19",
            "age BETWEEN 19 AND 15",
            "on = FALSE",
            "NOT on",
            "Country = 'UK'",
            "absent = 1",
            "absent <> 1",
            "NOT (absent = 1)",
            "absent NOT IN ('a')",
            "absent NOT LIKE 'a%'",
            "NOT (absent + 1 > 0)",
            "NOT (absent > 1 AND age = 17)",
            "absent",
            "NOT absent",
            "absent BETWEEN 1 AND 2",
            "NOT (absent BETWEEN 1 AND 2)",
            "absent IS NOT NULL",
            "age IS NULL",
            "five = 5",
            "five > 1",
            "big = 9007199254740992",
            "JMSType = 'bike'",
            "JMSPriority > 4",
            "JMSDeliveryMode = 'NON_PERSISTENT'",
            "on = 'true'",
            "country = 17",
            "age = '17'",
            "absent = 1 OR age = 1",
            "absent = 1 AND age = 17",
            "age = TRUE",
            "country + 1 > 0",
            "age LIKE '17'",
            "five IN ('6')",
            "lines LIKE 'a.b%'",
            "lines LIKE 'A%'",
            "empty IS NULL",
            "absent LIKE '%'",
            "NOT (absent LIKE '%')",
            "absent IN ('a')",
            "absent < 1 OR absent >= 1",
            "NOT (absent IS NULL)",
            "JMSType IS NULL",
            "JMSCorrelationID IS NULL",
            "JMSType <> 'car'",
            "AGE = 17",
            "FALSE",
            "NOT TRUE",
            "age = 17 AND FALSE");

    static final List<String> INVALID = List.of(
            "age = ",
            "age == 17",
            "(age = 17",
            "age = 17)",
            "(a='y' AND ( OR ))",
            "n > 4 AND",
            "a LIKE 5",
            "country IN ()",
            "country IN (17)",
            "age BETWEEN 1",
            "age NOT 17",
            "AND",
            "LIKE 'a'",
            "a = 'open",
            "a LIKE 'x' ESCAPE 'xy'",
            "a IS 1",
            "age = 17 age = 17",
            "a b c",
            "NULL = 1",
            "IN = 1",
            "a-b-",
            "1a = 3",
            "'a' LIKE 'a'",
            "TRUE IS NULL",
            "country = 'UK' -- comment",
            "country = \"UK\"",
            "NOT",
            "()",
            "age BETWEEN 1 OR 2",
            "age IN ('a' 'b')",
            "country IN 'UK'",
            "country NOT LIKE",
            "country LIKE 'a' ESCAPE ''",
            "country IS NOT",
            "between = 1",
            "escape LIKE 'x'",
            "country > 'A'",
            "on > FALSE",
            "age => 17",
            "age != 17",
            "a.b = 1",
            "= 17",
            "age = 17 /* comment */");

    @RegisterExtension
    final Messaging jms;

    private Session session;
    private Queue queue;

    SelectorTest(Client client) {
        jms = new Messaging(client);
    }

    @BeforeEach
    void open() throws JMSException {
        session = jms.session();
        queue = jms.queue();
    }

    private Message sample() throws JMSException {
        Message message = session.createTextMessage("sample");
        message.setStringProperty("country", "UK");
        message.setStringProperty("phone", "12993");
        message.setStringProperty("word", "lose");
        message.setStringProperty("under", "_foo");
        message.setStringProperty("escaped", "a_b");
        message.setStringProperty("quoted", "it's");
        message.setStringProperty("five", "5");
        message.setStringProperty("lines", "a\nb.c*d");
        message.setStringProperty("empty", "");
        message.setIntProperty("_x", 1);
        message.setIntProperty("$y", 2);
        message.setIntProperty("größe", 3);
        message.setIntProperty("age", 17);
        message.setLongProperty("big", 9007199254740993L);
        message.setDoubleProperty("weight", 2.5);
        message.setBooleanProperty("on", true);
        message.setStringProperty("JMSXGroupID", "g");
        message.setJMSType("car");
        message.setJMSCorrelationID("c-1");
        return message;
    }

    /** Whether a queue's only message, the sample, is given to a consumer with this selector. */
    private boolean matches(String selector) throws JMSException {
        Queue own = jms.queue();
        session.createProducer(own).send(sample());
        try (MessageConsumer consumer = session.createConsumer(jms.client().asking(session, own), selector)) {
            return consumer.receiveNoWait() != null;
        }
    }

    @ParameterizedTest
    @FieldSource("MATCHING")
    void theseMatch(String selector) throws JMSException {
        assertThat(matches(selector)).isTrue();
    }

    @ParameterizedTest
    @FieldSource("NOT_MATCHING")
    void theseDoNotMatch(String selector) throws JMSException {
        assertThat(matches(selector)).isFalse();
    }

    @Test
    void aComparisonOfUnlikeTypesIsFalseAndItsNegationTrue() throws JMSException {
        assertThat(matches("NOT (five = 5)")).isTrue();
    }

    @ParameterizedTest
    @FieldSource("INVALID")
    void theseAreRefusedWhenPresented(String selector) throws JMSException {
        Topic topic = jms.topic();
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> session.createConsumer(queue, selector));
        assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> session.createConsumer(topic, selector, true));
        send(session, queue, "still alive");
        assertThat(receiveText(session.createConsumer(queue))).isEqualTo("still alive");
    }

    @Test
    void anEmptyOrNullSelectorSelectsEverything() throws JMSException {
        MessageConsumer empty = session.createConsumer(queue, "");
        send(session, queue, "1");
        assertThat(receiveText(empty)).isEqualTo("1");
        empty.close();
        MessageConsumer none = session.createConsumer(queue, null);
        send(session, queue, "2");
        assertThat(receiveText(none)).isEqualTo("2");
        assertThat(empty(none.getMessageSelector())).isTrue();
    }

    private static boolean empty(String selector) {
        return selector == null || selector.isEmpty();
    }

    @Test
    void theConsumerTellsItsSelector() throws JMSException {
        assertThat(session.createConsumer(queue, "age = 1").getMessageSelector())
                .isEqualTo("age = 1");
    }

    @Test
    void messagesThatAQueueConsumerDoesNotSelectStayForOthers() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        for (int i = 1; i <= 6; i++) {
            Message message = session.createTextMessage("" + i);
            message.setIntProperty("n", i);
            producer.send(message);
        }
        try (MessageConsumer even = session.createConsumer(queue, "n = 2 OR n = 4 OR n = 6")) {
            assertThat(receiveTexts(even, 3)).containsExactly("2", "4", "6");
            assertNothingFor(even);
        }
        assertThat(receiveTexts(session.createConsumer(queue), 3)).containsExactly("1", "3", "5");
    }

    @Test
    void aSubscriptionTakesOnlyWhatItsSelectorMatches() throws JMSException {
        Topic topic = jms.topic();
        MessageConsumer red = session.createConsumer(topic, "colour = 'red'");
        MessageConsumer all = session.createConsumer(topic);
        MessageProducer producer = session.createProducer(topic);
        for (String colour : new String[] {"blue", "red"}) {
            Message message = session.createTextMessage(colour);
            message.setStringProperty("colour", colour);
            producer.send(message);
        }
        assertThat(receiveTexts(all, 2)).containsExactly("blue", "red");
        assertThat(receiveText(red)).isEqualTo("red");
        assertNothingFor(red);
    }

    @Test
    void headersOfTheSendAreSelectable() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createTextMessage("slow"), DeliveryMode.PERSISTENT, 1, 0);
        producer.send(session.createTextMessage("quick"), DeliveryMode.NON_PERSISTENT, 8, 0);
        assertThat(receiveText(session.createConsumer(queue, "JMSPriority > 4 AND JMSDeliveryMode = 'NON_PERSISTENT'")))
                .isEqualTo("quick");
        assertThat(receiveText(session.createConsumer(queue, "JMSPriority < 4")))
                .isEqualTo("slow");
    }
}
