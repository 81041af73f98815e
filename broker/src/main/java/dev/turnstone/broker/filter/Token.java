package dev.turnstone.broker.filter;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One word, literal or sign of a selector, and where it stands in the text (Jakarta Messaging 3.1 §3.8.1.1).
 *
 * @param kind what it is
 * @param text as it was written; a word that is no identifier in upper case
 * @param start its first character's place
 * @param end the place after its last character
 */
record Token(Kind kind, String text, int start, int end) {
    enum Kind {
        /** What names a header field or property. */
        IDENTIFIER,
        /** An operator that is a word, and TRUE, FALSE and NULL. */
        RESERVED,
        /** A text in quotes. */
        TEXT,
        NUMBER,
        /** Anything else: one or two characters. */
        SIGN
    }

    private static final List<String> RESERVED =
            List.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

    boolean is(String wanted) {
        return (kind == Kind.RESERVED || kind == Kind.SIGN) && text.equals(wanted);
    }

    /**
     * The tokens of a selector, in order.
     *
     * @throws BrokerException INVALID_SELECTOR for comments, which SQL has and selectors have not, and double quotes
     */
    static List<Token> of(String selector) {
        List<Token> tokens = new ArrayList<>();
        int at = 0;
        while (at < selector.length()) {
            char c = selector.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
                continue;
            }
            Token token = next(selector, at, c);
            tokens.add(token);
            at = token.end();
        }
        return tokens;
    }

    private static Token next(String selector, int at, char c) {
        if (c == '\'') {
            return of(Kind.TEXT, selector, at, endOfText(selector, at));
        } else if (Character.isJavaIdentifierStart(c)) {
            return word(selector, at);
        } else if (isDigit(c) || (c == '.' && at + 1 < selector.length() && isDigit(selector.charAt(at + 1)))) {
            return of(Kind.NUMBER, selector, at, endOfNumber(selector, at));
        }
        String two = selector.substring(at, Math.min(at + 2, selector.length()));
        if (c == '"' || two.equals("--") || two.equals("/*")) {
            throw refused(
                    selector,
                    c == '"' ? "a text stands between single quotes" : "comments and '" + two + "' are not supported");
        }
        return of(Kind.SIGN, selector, at, at + 1);
    }

    private static Token of(Kind kind, String selector, int start, int end) {
        return new Token(kind, selector.substring(start, end), start, end);
    }

    private static Token word(String selector, int start) {
        int end = start + 1;
        while (end < selector.length() && Character.isJavaIdentifierPart(selector.charAt(end))) {
            end++;
        }
        String upper = selector.substring(start, end).toUpperCase(Locale.ROOT);
        return RESERVED.contains(upper)
                ? new Token(Kind.RESERVED, upper, start, end)
                : of(Kind.IDENTIFIER, selector, start, end);
    }

    private static int endOfText(String selector, int start) {
        for (int at = start + 1; at < selector.length(); at++) {
            if (selector.charAt(at) == '\'') {
                if (at + 1 == selector.length() || selector.charAt(at + 1) != '\'') {
                    return at + 1;
                }
                // Two quotes are one quote within the text.
                at++;
            }
        }
        throw refused(selector, "a text has no end");
    }

    private static int endOfNumber(String selector, int start) {
        int end = start;
        while (end < selector.length() && isNumberPart(selector, start, end)) {
            end++;
        }
        return end;
    }

    private static boolean isNumberPart(String selector, int start, int at) {
        char c = selector.charAt(at);
        boolean afterExponent = at > start && Character.toUpperCase(selector.charAt(at - 1)) == 'E';
        return c == '.' || c == '_' || Character.isLetterOrDigit(c) || (afterExponent && (c == '+' || c == '-'));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    static BrokerException refused(String selector, String why) {
        return new BrokerException(
                ErrorCode.INVALID_SELECTOR, "the selector '" + selector + "' does not parse: " + why);
    }
}
