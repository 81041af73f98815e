package dev.turnstone.broker.filter;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Message;
import org.apache.activemq.artemis.selector.filter.BooleanExpression;
import org.apache.activemq.artemis.selector.filter.FilterException;
import org.apache.activemq.artemis.selector.impl.SelectorParser;
import org.jspecify.annotations.Nullable;

/** A compiled Jakarta Messaging selector (3.1 §3.8.1). Immutable; one thread at a time. */
public final class Selector {
    /** The longest selector: parser and evaluation go as deep as it nests. */
    public static final int CHARS_MAX = 8_192;

    /** What a selector begins with for which texts count as the numbers, or booleans, that they show. */
    private static final String TEXTS_AS_NUMBERS = "convert_string_expressions:";

    private final String text;
    private final BooleanExpression expression;

    private Selector(String text, BooleanExpression expression) {
        this.text = text;
        this.expression = expression;
    }

    /**
     * Compiles a selector; null for null or an empty text, which select every message.
     *
     * @throws BrokerException INVALID_SELECTOR if it does not parse
     */
    public static @Nullable Selector compile(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        if (text.length() > CHARS_MAX) {
            throw new BrokerException(
                    ErrorCode.INVALID_SELECTOR,
                    "a selector of " + text.length() + " characters, more than " + CHARS_MAX);
        }
        try {
            BooleanExpression parsed = SelectorParser.parse(StrictText.of(text));
            return new Selector(text, (BooleanExpression) Arithmetic.exact(parsed, text.startsWith(TEXTS_AS_NUMBERS)));
        } catch (FilterException e) {
            throw new BrokerException(ErrorCode.INVALID_SELECTOR, "the selector '" + text + "' does not parse", e);
        }
    }

    /** True if the selector is true for the message; false if it is false or unknown. */
    public boolean matches(Message message) {
        try {
            return expression.matches(new SelectedMessage(message));
        } catch (FilterException | RuntimeException e) {
            // A selector that parses can still meet values that it cannot compare: that is unknown, so no match. The
            // library says so in several ways.
            return false;
        }
    }

    /** As it was given. */
    public String text() {
        return text;
    }
}
