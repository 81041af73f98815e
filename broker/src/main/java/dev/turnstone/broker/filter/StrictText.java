package dev.turnstone.broker.filter;

import dev.turnstone.port.BrokerException;
import java.util.List;

/**
 * Makes of a selector the text that the library reads as the specification does (Jakarta Messaging 3.1 §3.8.1.1): it
 * refuses what the library would take though the specification does not know it, spells what the library does not read
 * ({@link Spelling}), writes patterns as {@link Like} reads them, and puts the operand of each NOT in parentheses,
 * since the library would let NOT bind tighter than a comparison. One selector's compilation.
 */
final class StrictText {
    private final String selector;
    private final List<Token> tokens;
    /** What to write in place of each token's text, or around it. */
    private final String[] written;

    private StrictText(String selector) {
        this.selector = selector;
        tokens = Token.of(selector);
        written = new String[tokens.size()];
        for (int i = 0; i < written.length; i++) {
            written[i] = spelt(tokens.get(i));
        }
        for (int i = 0; i < written.length; i++) {
            if (is(i, "LIKE") && isText(i + 1)) {
                encodePattern(i + 1);
            }
        }
    }

    private boolean isText(int i) {
        return i < tokens.size() && tokens.get(i).kind() == Token.Kind.TEXT;
    }

    /** A pattern as {@link Like} reads it; what is not right stays, for the library to refuse. */
    private void encodePattern(int i) {
        int escape = -1;
        if (is(i + 1, "ESCAPE")) {
            String by = isText(i + 2) ? content(i + 2) : "";
            if (by.length() != 1) {
                return;
            }
            escape = by.charAt(0);
            written[i + 1] = "";
            written[i + 2] = "";
        }
        written[i] = "'" + Like.encoded(content(i), escape) + "'";
    }

    private String content(int i) {
        String text = tokens.get(i).text();
        return text.substring(1, text.length() - 1).replace("''", "'");
    }

    private String spelt(Token token) {
        return switch (token.kind()) {
            case IDENTIFIER -> Spelling.identifier(token.text());
            case NUMBER -> Spelling.number(token.text(), selector);
            default -> selector.substring(token.start(), token.end());
        };
    }

    /**
     * The text for the library.
     *
     * @throws BrokerException INVALID_SELECTOR for what the specification does not know
     */
    static String of(String selector) {
        StrictText text = new StrictText(selector);
        text.checkLeftSides();
        text.delimitNegations();
        return text.joined();
    }

    private String joined() {
        StringBuilder all = new StringBuilder(selector.length());
        int from = 0;
        for (int i = 0; i < written.length; i++) {
            all.append(selector, from, tokens.get(i).start()).append(written[i]);
            from = tokens.get(i).end();
        }
        return all.toString();
    }

    /** LIKE, IN and IS ask something of an identifier, not of a literal or an expression. */
    private void checkLeftSides() {
        for (int i = 0; i < tokens.size(); i++) {
            if (is(i, "LIKE") || is(i, "IN") || is(i, "IS")) {
                int left = is(i - 1, "NOT") ? i - 2 : i - 1;
                if (left < 0 || tokens.get(left).kind() != Token.Kind.IDENTIFIER) {
                    throw Token.refused(
                            selector,
                            "there is no identifier before " + tokens.get(i).text());
                }
            }
        }
    }

    private void delimitNegations() {
        int i = 0;
        while (i < tokens.size()) {
            if (isNegation(i)) {
                int operand = i;
                while (is(operand, "NOT")) {
                    written[operand] = "";
                    operand++;
                }
                // An even number of negations is none, in three-valued logic too.
                boolean negates = (operand - i) % 2 == 1;
                delimit(operand, endOf(operand), negates ? "NOT" : "");
                i = operand;
            } else {
                i++;
            }
        }
    }

    /** A NOT before a condition; not that of NOT LIKE, NOT IN, NOT BETWEEN and IS NOT NULL, which follow something. */
    private boolean isNegation(int i) {
        // A colon ends the library's own prefixes.
        return is(i, "NOT") && (i == 0 || is(i - 1, "(") || is(i - 1, "AND") || is(i - 1, "OR") || is(i - 1, ":"));
    }

    /** Where the operand that begins there ends: before the next AND, OR or parenthesis of its depth. */
    private int endOf(int operand) {
        int depth = 0;
        int betweens = 0;
        for (int i = operand; i < tokens.size(); i++) {
            if (is(i, "(")) {
                depth++;
            } else if (is(i, ")")) {
                depth--;
                if (depth < 0) {
                    return i;
                }
            } else if (depth == 0 && is(i, "BETWEEN")) {
                betweens++;
            } else if (depth == 0 && is(i, "AND") && betweens > 0) {
                betweens--;
            } else if (depth == 0 && (is(i, "AND") || is(i, "OR"))) {
                return i;
            }
        }
        return tokens.size();
    }

    private void delimit(int start, int end, String prefix) {
        if (start == end) {
            throw Token.refused(selector, "there is no condition after NOT");
        }
        boolean delimited = is(start, "(") && closing(start) == end - 1;
        written[start] = prefix + (delimited ? " " : " (") + written[start];
        if (!delimited) {
            written[end - 1] += ")";
        }
    }

    private int closing(int opening) {
        int depth = 0;
        for (int i = opening; i < tokens.size(); i++) {
            if (is(i, "(")) {
                depth++;
            } else if (is(i, ")")) {
                depth--;
                if (depth == 0) {
                    return i;
                }
            }
        }
        return tokens.size();
    }

    private boolean is(int i, String wanted) {
        return i >= 0 && i < tokens.size() && tokens.get(i).is(wanted);
    }
}
