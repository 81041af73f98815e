package dev.turnstone.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SelectorTest {
    private static final Message MESSAGE = MessageBuilder.to(Address.queue("q"))
            .id("ID:1")
            .priority(7)
            .timestampMs(1_000)
            .correlationId("c")
            .type("t")
            .group("g", 3)
            .property("n", 5)
            .property("s", "a_b")
            .property("text", "5")
            .property("flag", true)
            .property("big", (1L << 53) + 1)
            .property("d", 2.5)
            .property("f", 1.5f)
            .property("nothing", null)
            .property("fraction", "2.5")
            .property("most", Integer.MAX_VALUE)
            .property("lines", "a\nb")
            .property("percent", "10%")
            .property("quote", "it's")
            .property("dots", "a.c")
            .property("größe", 3)
            .property("xpath", "p")
            .property("XQuery", "q")
            .property("$spelt$", 1)
            .property("_n", 2)
            .build();

    private static boolean matches(String selector) {
        return Objects.requireNonNull(Selector.compile(selector)).matches(MESSAGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "n = 5",
                "n <> 4 AND s = 'a_b'",
                "n BETWEEN 5 AND 6",
                "d > 2 AND d < 3",
                "f = 1.5",
                "n + 1 = 6",
                "flag",
                "flag = TRUE",
                "s LIKE 'a%'",
                "s LIKE 'a\\_b' ESCAPE '\\'",
                "s IN ('x', 'a_b')",
                "x IS NULL",
                "nothing IS NULL",
                "n IS NOT NULL",
                "NOT (x > 1 AND n = 4)",
                "n = 5 OR x = 1",
                "JMSPriority = 7",
                "JMSTimestamp = 1000",
                "JMSMessageID = 'ID:1'",
                "JMSCorrelationID = 'c'",
                "JMSType = 't'",
                "JMSDeliveryMode = 'PERSISTENT'",
                "JMSXGroupID = 'g' AND JMSXGroupSeq = 3",
                "big = 9007199254740993",
                "big <> 9007199254740992",
                "big > 9007199254740992",
                "NOT (text = 5)",
                "NOT n = 4",
                "not n = 4 and NOT n = 6",
                "NOT n > 6 AND n = 5",
                "NOT n BETWEEN 1 AND 2",
                "NOT n BETWEEN 1 AND 2 AND n = 5",
                "NOT n = 4 OR x = 1",
                "NOT NOT n = 5",
                "NOT(n = 4)",
                "NOT (n + 1) * 2 = 3",
                "NOT n NOT IN ('a', 'b') OR n = 5",
                "NOT (NOT flag OR NOT s LIKE 'a%')",
                "NOT s = 'NOT x'",
                "NOT s NOT LIKE 'a%' AND NOT x IS NOT NULL",
                "convert_string_expressions:NOT n = 4",
                "n<>4 AND n>=5 AND n<=5",
                "17 / 2 = 8",
                "-17 / 2 = -8",
                "17.0 / 2 = 8.5",
                "17 / 2. = 8.5",
                "n = 5 AND n / 2 = 2 AND 1 / 2 = 0",
                "x = 1 OR flag AND NOT (n / 2 = 2.5) OR 7 / 0 = 1",
                "n / 2 BETWEEN 2 AND 2.4",
                "-(n / 2) = -2",
                "n / 0 = 1 OR n = 5",
                "s + 1 = 2 OR n = 5",
                "d / 2 = 1.25",
                "most + 1 = 2147483648",
                "most * 4 > 0",
                "big - 1 = 9007199254740992",
                "big / 1 = 9007199254740993",
                "big * 4096 > 9007199254740993",
                "big BETWEEN 9007199254740993 AND 9007199254740993",
                "NOT big BETWEEN 9007199254740994 AND 9007199254740999",
                "big = 9007199254740993L",
                "n = 0x5 AND n = 05",
                "n = 5.0 AND d = 2.5e0 AND n = 5E0",
                "lines LIKE 'a%b'",
                "lines LIKE 'a_b'",
                "percent LIKE '10!%' ESCAPE '!'",
                "percent NOT LIKE '10!_' ESCAPE '!'",
                "NOT percent LIKE '1\\%'",
                "quote = 'it''s'",
                "dots LIKE 'a.c'",
                "dots NOT LIKE 'abc'",
                "größe = 3 AND NOT größe = 4",
                "größe BETWEEN 2 AND 4 AND größe IS NOT NULL",
                "xpath = 'p' AND XQuery LIKE '_'",
                "$spelt$ = 1 AND _n = 2",
                "d = 2.5D AND d = 2.5d AND d > 2f AND d < 1e1F AND n = 5D",
                "f = 1.5f AND d = .25e1d",
                "n = 0b101 AND n < 1_000 AND n < 0x1_0L AND n = 05L",
                "convert_string_expressions:text = 5",
                "convert_string_expressions:text > 4 AND text < 5.5",
                "convert_string_expressions:text BETWEEN 4 AND 6",
                "convert_string_expressions:text + 1 = 6",
                "convert_string_expressions:fraction > 2 AND fraction < 3 AND 2 < fraction",
                "convert_string_expressions:s = 'a_b' AND flag = TRUE AND NOT (x > 1 AND n = 4)",
                "convert_string_expressions:text / 2 = 2",
                "convert_string_expressions:NOT text = 4",
                "convert_string_expressions:s + 1 = 2 OR text = 5",
            })
    void theseAreTrueForTheMessage(String selector) {
        assertThat(matches(selector)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "n = 4",
                "n",
                "NOT (x = 1)",
                "x <> 1",
                "x NOT IN ('a')",
                "x NOT LIKE 'a%'",
                "NOT (x + 1 > 0)",
                "NOT (x > 1 AND n = 5)",
                "text = 5",
                "big = 9007199254740992",
                "s + 1 = 2",
                "flag > 1",
                "-s = 1",
                "n LIKE '5'",
                "JMSType = 'T'",
                "missing",
                "NOT missing",
                "NOT n = 5",
                "NOT n = 4 AND n = 4",
                "NOT NOT n = 4",
                "NOT NOT NOT flag",
                "NOT x = 1",
                "NOT x BETWEEN 1 AND 2",
                "17 / 2 = 8.5",
                "n / 0 = 1",
                "NOT (n / 0 = 1)",
                "NOT (s + 1 = 2)",
                "dots LIKE 'a_d'",
                "text > 4",
                "NOT (x LIKE 'a%')",
                "NOT (x IN ('a'))",
                "convert_string_expressions:s = 5",
                "convert_string_expressions:text = 4",
                "percent LIKE '10!%' ESCAPE '%'",
            })
    void theseAreFalseOrUnknownForTheMessage(String selector) {
        assertThat(matches(selector)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a='y' AND ( OR ))",
                "n > 4 AND",
                "a LIKE 5",
                "= 1",
                "a = 'open",
                "a IN ()",
                ")",
                "s > 'a'",
                "'a' LIKE 'a'",
                "'a' NOT LIKE 'a'",
                "5 IN ('5')",
                "(s) LIKE 'a'",
                "TRUE IS NULL",
                "IS NULL",
                "s = 'a' -- comment",
                "n = 5 /* comment */",
                "n = 5--3",
                "s = \"a\"",
                "NOT",
                "n = 5 AND NOT",
                "(NOT)",
                "s LIKE 'a' ESCAPE 'ab'",
                "s LIKE 'a' ESCAPE ''",
                "s LIKE 'a' ESCAPE n",
                "n = 1e999d",
                "n = 1_",
                "n = 5x",
                "n = 5xl",
                "n = 1.5L",
                "n = 1e5L",
                "n = 5_f",
                "n = 1_e5",
                "n = 0b2",
                "n = 99e99f",
            })
    void theseDoNotParse(String selector) {
        assertThatThrownBy(() -> Selector.compile(selector))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining(selector)
                .extracting("code")
                .isEqualTo(ErrorCode.INVALID_SELECTOR);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 1_000, 2_000, 20_000})
    void aSelectorNestedBeyondReasonIsRefusedAndNeverOverflowsLater(int depth) {
        for (String nested : new String[] {
            "(".repeat(depth) + "n = 5" + ")".repeat(depth),
            "NOT ".repeat(2 * depth) + "(n = 5)",
            "n" + " + 1".repeat(depth) + " > 0",
            "n = 5" + " OR n=4".repeat(depth),
        }) {
            try {
                assertThat(matches(nested)).isTrue();
            } catch (BrokerException refusal) {
                assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_SELECTOR);
                assertThat(depth).as("refused").isGreaterThan(10);
            }
        }
    }

    @Test
    void aCorrelationOfBytesIsItsText() {
        Message message = MessageBuilder.to(Address.queue("q"))
                .correlationBytes("grün".getBytes(StandardCharsets.UTF_8))
                .build();
        Selector selector = Objects.requireNonNull(Selector.compile("JMSCorrelationID = 'grün'"));
        assertThat(selector.matches(message)).isTrue();
    }

    /** Going back for each percent sign, as a regular expression does, this takes longer than anybody lives. */
    @Test
    void aPatternTakesNoLongerThanItsTextAndItselfAreLong() {
        Selector selector = Objects.requireNonNull(Selector.compile("p LIKE '%a%a%a%a%a%a%b'"));
        assertThat(selector.matches(withText("a".repeat(20_000)))).isFalse();
        assertThat(selector.matches(withText("a".repeat(20_000) + "b"))).isTrue();
    }

    private static Message withText(String p) {
        return MessageBuilder.to(Address.queue("q")).property("p", p).build();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "abcbcd; a%bcd; true",
                "abcbc; a%bcd; false",
                "ab; %%a%%b%%; true",
                "a; a%; true",
                "a; a_; false",
                "aXbXc; a_b_c; true",
                "a😀b; a_b; true",
                "😀; %😀%; true",
                "it's; i%''s; true",
                "a%b; a!%b; true",
                "aXb; a!%b; false",
                "a!b; a!!b; true",
                "a!b; a!b; true",
                "a.b; a\\Db; false",
                "aib; AIB; false",
            })
    void likeIsAsTheSpecificationHasIt(String text, String pattern, boolean expected) {
        String like = "p LIKE '" + pattern + "' ESCAPE '!'";
        assertThat(Objects.requireNonNull(Selector.compile(like)).matches(withText(text)))
                .isEqualTo(expected);
        Selector not =
                Objects.requireNonNull(Selector.compile("NOT (x = 1) OR p NOT LIKE '" + pattern + "' ESCAPE '!'"));
        assertThat(not.matches(withText(text))).isNotEqualTo(expected);
    }

    @Test
    void noTextSelectsEverything() {
        assertThat(Selector.compile(null)).isNull();
        assertThat(Selector.compile(" ")).isNull();
    }
}
