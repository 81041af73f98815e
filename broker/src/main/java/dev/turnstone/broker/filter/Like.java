package dev.turnstone.broker.filter;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.selector.filter.BooleanExpression;
import org.apache.activemq.artemis.selector.filter.Expression;
import org.apache.activemq.artemis.selector.filter.FilterException;
import org.apache.activemq.artemis.selector.filter.Filterable;
import org.apache.activemq.artemis.selector.filter.UnaryExpression;
import org.jspecify.annotations.Nullable;

/**
 * LIKE (Jakarta Messaging 3.1 §3.8.1.1) in steps of the text's length times the pattern's at most, where the library
 * takes a regular expression that goes back for each {@code %}: a few of them keep it busy for ever. Immutable.
 */
final class Like extends UnaryExpression implements BooleanExpression {
    /** Any characters, in the encoded form and in the pattern. */
    private static final char ANY = 'w';

    private static final char ONE = 'o';
    private static final int ANY_CHARACTERS = -1;
    private static final int ONE_CHARACTER = -2;

    /** The library shows no pattern; its class of this expression is not public. */
    private static final Class<?> LIBRARY;

    private static final Field PATTERN;

    /** What each place takes: a code point, one of any kind, or any number of them. */
    private final int[] places;

    static {
        try {
            LIBRARY = Class.forName("org.apache.activemq.artemis.selector.filter.ComparisonExpression$LikeExpression");
            PATTERN = LIBRARY.getDeclaredField("likePattern");
            PATTERN.setAccessible(true);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Like(Expression right, int[] places) {
        super(right);
        this.places = places;
    }

    /**
     * What stands for a pattern in the text that the library compiles: a text that it takes as it is.
     *
     * @param escape the character that takes its meaning from a special one behind it; negative for none
     */
    static String encoded(String pattern, int escape) {
        StringBuilder encoded = new StringBuilder(4 * pattern.length());
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == escape && escapes(pattern, i + 1, escape)) {
                i++;
                encoded.append(HexFormat.of().toHexDigits(pattern.charAt(i)));
            } else if (c == '%') {
                encoded.append(ANY);
            } else if (c == '_') {
                encoded.append(ONE);
            } else {
                encoded.append(HexFormat.of().toHexDigits(c));
            }
        }
        return encoded.toString();
    }

    private static boolean escapes(String pattern, int next, int escape) {
        if (next == pattern.length()) {
            return false;
        }
        char c = pattern.charAt(next);
        return c == '%' || c == '_' || c == escape;
    }

    /** The same in place of the library's expression, whose pattern is {@link #encoded}; any other as it is. */
    static Expression inPlaceOf(Expression expression) {
        if (!LIBRARY.isInstance(expression)) {
            return expression;
        }
        try {
            String pattern = ((Pattern) PATTERN.get(expression)).pattern();
            String encoded = pattern.substring("\\A".length(), pattern.length() - "\\z".length());
            return new Like(((UnaryExpression) expression).getRight(), decoded(encoded));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the selector library hides its pattern", e);
        }
    }

    private static int[] decoded(String encoded) {
        StringBuilder texts = new StringBuilder();
        int[] places = new int[encoded.length()];
        int count = 0;
        int at = 0;
        while (at < encoded.length()) {
            char c = encoded.charAt(at);
            if (c == ANY || c == ONE) {
                places[count++] = c == ANY ? ANY_CHARACTERS : ONE_CHARACTER;
                at++;
                continue;
            }
            texts.setLength(0);
            for (; at < encoded.length() && encoded.charAt(at) != ANY && encoded.charAt(at) != ONE; at += 4) {
                texts.append((char) HexFormat.fromHexDigits(encoded, at, at + 4));
            }
            int[] points = texts.codePoints().toArray();
            System.arraycopy(points, 0, places, count, points.length);
            count += points.length;
        }
        return Arrays.copyOf(places, count);
    }

    @Override
    public String getExpressionSymbol() {
        return "LIKE";
    }

    @Override
    public @Nullable Object evaluate(Filterable message) throws FilterException {
        Object value = right.evaluate(message);
        return value == null ? null : value instanceof String text && matches(text);
    }

    @Override
    public boolean matches(Filterable message) throws FilterException {
        return Boolean.TRUE.equals(evaluate(message));
    }

    /** Goes back to the last {@code %} only: what matched before it need not be looked for again. */
    private boolean matches(String text) {
        int at = 0;
        int place = 0;
        int anyPlace = -1;
        int anyAt = 0;
        while (at < text.length()) {
            int c = text.codePointAt(at);
            if (place < places.length && places[place] == ANY_CHARACTERS) {
                anyPlace = place++;
                anyAt = at;
            } else if (place < places.length && (places[place] == ONE_CHARACTER || places[place] == c)) {
                place++;
                at += Character.charCount(c);
            } else if (anyPlace >= 0) {
                anyAt += Character.charCount(text.codePointAt(anyAt));
                at = anyAt;
                place = anyPlace + 1;
            } else {
                return false;
            }
        }
        while (place < places.length && places[place] == ANY_CHARACTERS) {
            place++;
        }
        return place == places.length;
    }
}
