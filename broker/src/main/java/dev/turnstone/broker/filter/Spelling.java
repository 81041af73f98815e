package dev.turnstone.broker.filter;

import dev.turnstone.port.BrokerException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Spells identifiers and numbers of a selector as the library reads them: the specification takes all identifiers and
 * numbers of Java (Jakarta Messaging 3.1 §3.8.1.1), the library fewer. Any thread.
 */
final class Spelling {
    /** Begins what stands for an identifier that the library does not read; hexadecimal digits follow. */
    private static final String ALIAS = "$spelt$";

    /** Words of the library's own that mean nothing to the specification. */
    private static final Set<String> LIBRARY_WORDS = Set.of("XPATH", "XQUERY");

    private static final Pattern BINARY = Pattern.compile("(?i)0b([01]+)l?");
    private static final Pattern FLOATING = Pattern.compile("(?i)((?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?)([fd])");
    private static final Pattern LONG = Pattern.compile("(?i)(0x[0-9a-f]+|\\d+)l");
    private static final Pattern SEPARATORS = Pattern.compile("(?<=[0-9])_+(?=[0-9])");
    private static final Pattern HEX_SEPARATORS = Pattern.compile("(?<=[0-9a-fA-F])_+(?=[0-9a-fA-F])");

    private Spelling() {}

    static String identifier(String name) {
        boolean plain = !name.startsWith(ALIAS) && !LIBRARY_WORDS.contains(name.toUpperCase(Locale.ROOT));
        for (int i = 0; plain && i < name.length(); i++) {
            char c = name.charAt(i);
            plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
        }
        if (plain) {
            return name;
        }
        StringBuilder alias = new StringBuilder(ALIAS);
        for (int i = 0; i < name.length(); i++) {
            alias.append(HexFormat.of().toHexDigits(name.charAt(i)));
        }
        return alias.toString();
    }

    /** What {@link #identifier} was made of. */
    static String name(String identifier) {
        if (!identifier.startsWith(ALIAS)) {
            return identifier;
        }
        StringBuilder name = new StringBuilder();
        for (int at = ALIAS.length(); at + 4 <= identifier.length(); at += 4) {
            name.append((char) HexFormat.fromHexDigits(identifier, at, at + 4));
        }
        return name.toString();
    }

    /**
     * A number; what is none stays as it is, for the library to refuse.
     *
     * @throws BrokerException INVALID_SELECTOR if it is beyond its type's range
     */
    static String number(String literal, String selector) {
        boolean hex = literal.regionMatches(true, 0, "0x", 0, 2);
        String digits = (hex ? HEX_SEPARATORS : SEPARATORS).matcher(literal).replaceAll("");
        try {
            Matcher binary = BINARY.matcher(digits);
            if (binary.matches()) {
                return Long.toString(Long.parseLong(binary.group(1), 2));
            }
            Matcher floating = FLOATING.matcher(digits);
            if (floating.matches()) {
                return floating(floating);
            }
            Matcher whole = LONG.matcher(digits);
            return whole.matches() ? whole.group(1) : digits;
        } catch (NumberFormatException e) {
            throw Token.refused(selector, literal + " is out of range");
        }
    }

    private static String floating(Matcher literal) {
        String digits = literal.group(1);
        double value = literal.group(2).equalsIgnoreCase("f") ? Float.parseFloat(digits) : Double.parseDouble(digits);
        if (Double.isInfinite(value)) {
            throw new NumberFormatException("infinite");
        }
        return Double.toString(value);
    }
}
