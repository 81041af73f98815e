package dev.turnstone.port;

import java.util.ArrayList;
import java.util.List;

/**
 * Where messages are sent to and consumed from: a kind and a list of levels. Immutable; equal when kind and levels are.
 *
 * <p>The canonical text joins the levels with dots. A level that itself holds a dot, or would read as a wildcard, or as
 * an escape, is written with {@code %2E}, {@code %2A}, {@code %3E}, {@code %3A} and {@code %25}, so that names from
 * every protocol round-trip without collision; any other percent sign stands for itself. Levels may be empty, the whole
 * name may not.
 */
public final class Address {
    /** The longest name, in UTF-8 bytes; limit {@code address.bytesMax}. */
    public static final int NAME_BYTES_MAX = 4096;

    private static final String TEMPORARY = "$temporary";

    private final AddressKind kind;
    private final String name;
    private final int hash;

    private Address(AddressKind kind, String name) {
        this.kind = kind;
        this.name = name;
        this.hash = 31 * name.hashCode() + (kind == AddressKind.QUEUE ? 0 : 1);
    }

    /** The queue with this canonical name. See {@link #parse}. */
    public static Address queue(String name) {
        return parse(AddressKind.QUEUE, name);
    }

    /** The topic with this canonical name. See {@link #parse}. */
    public static Address topic(String name) {
        return parse(AddressKind.TOPIC, name);
    }

    /**
     * The address with this dotted name.
     *
     * @throws BrokerException INVALID_ADDRESS if the name is empty, too long, holds a control character, or a level is
     *     an unescaped wildcard ({@code *} or {@code >})
     */
    public static Address parse(AddressKind kind, String name) {
        if (name.isEmpty()) {
            throw new BrokerException(ErrorCode.INVALID_ADDRESS, "the name of a destination must not be empty");
        }
        // Three UTF-8 bytes for a char is the most there can be, so only long names are counted exactly.
        if (name.length() > NAME_BYTES_MAX / 3 && Utf8.length(name) > NAME_BYTES_MAX) {
            throw new BrokerException(
                    ErrorCode.INVALID_ADDRESS, "a destination's name is longer than " + NAME_BYTES_MAX + " bytes");
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c < ' ' || c == 0x7f) {
                throw new BrokerException(
                        ErrorCode.INVALID_ADDRESS, "a destination's name holds the control character " + (int) c);
            }
            if ((c == '*' || c == '>') && isWholeLevel(name, i)) {
                throw new BrokerException(
                        ErrorCode.INVALID_ADDRESS,
                        "the destination '" + name + "' holds the wildcard '" + c + "' where one name is needed");
            }
        }
        return new Address(kind, name);
    }

    /** The address with these levels, each taken literally and escaped where needed. */
    public static Address of(AddressKind kind, List<String> levels) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < levels.size(); i++) {
            if (i > 0) {
                text.append('.');
            }
            escape(levels.get(i), text);
        }
        return parse(kind, text.toString());
    }

    /** What the address does with a message. */
    public AddressKind kind() {
        return kind;
    }

    /** The canonical text, without the kind. */
    public String name() {
        return name;
    }

    /** The levels, unescaped. */
    public List<String> levels() {
        List<String> levels = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= name.length(); i++) {
            if (i == name.length() || name.charAt(i) == '.') {
                levels.add(unescape(name.substring(start, i)));
                start = i + 1;
            }
        }
        return List.copyOf(levels);
    }

    /** True for a destination that lives only as long as the connection that made it (Jakarta Messaging 3.1 §6.2.2). */
    public boolean isTemporary() {
        return name.startsWith(TEMPORARY) && name.startsWith(".", TEMPORARY.length());
    }

    /** The temporary destination of a connection that has this local name. */
    public static Address temporary(AddressKind kind, String connectionId, String localName) {
        return of(kind, List.of(TEMPORARY, connectionId, localName));
    }

    private static boolean isWholeLevel(String name, int i) {
        return (i == 0 || name.charAt(i - 1) == '.') && (i + 1 == name.length() || name.charAt(i + 1) == '.');
    }

    private static void escape(String level, StringBuilder text) {
        boolean wildcard = level.equals("*") || level.equals(">");
        for (int i = 0; i < level.length(); i++) {
            char c = level.charAt(i);
            if (c == '.') {
                text.append("%2E");
            } else if (wildcard) {
                text.append(c == '*' ? "%2A" : "%3E");
            } else if (c == ':' && level.startsWith("::", i)) {
                text.append("%3A");
            } else if (c == '%' && escapedAt(level, i) != 0) {
                text.append("%25");
            } else {
                text.append(c);
            }
        }
    }

    private static String unescape(String level) {
        if (level.indexOf('%') < 0) {
            return level;
        }
        StringBuilder text = new StringBuilder(level.length());
        for (int i = 0; i < level.length(); i++) {
            char escaped = escapedAt(level, i);
            if (escaped != 0) {
                text.append(escaped);
                i += 2;
            } else {
                text.append(level.charAt(i));
            }
        }
        return text.toString();
    }

    /** The character that the escape at this place stands for, or 0 if there is none. */
    private static char escapedAt(String text, int at) {
        if (text.charAt(at) != '%' || at + 2 >= text.length()) {
            return 0;
        }
        return switch (text.substring(at + 1, at + 3)) {
            case "2E" -> '.';
            case "2A" -> '*';
            case "3E" -> '>';
            case "3A" -> ':';
            case "25" -> '%';
            default -> 0;
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Address that && hash == that.hash && kind == that.kind && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return (kind == AddressKind.QUEUE ? "queue:" : "topic:") + name;
    }
}
