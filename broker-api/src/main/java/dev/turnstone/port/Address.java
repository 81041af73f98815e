package dev.turnstone.port;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Where messages are sent to and consumed from: a kind and a list of levels; or a pattern of such. Immutable; equal
 * when kind and levels are.
 *
 * <p>The canonical text joins the levels with dots. A level that itself holds a dot, or would read as a wildcard, or as
 * an escape, is written with {@code %2E}, {@code %2A}, {@code %3E}, {@code %3A}, {@code %2C} and {@code %25}, so that
 * names from every protocol round-trip without collision; any other percent sign stands for itself. Levels may be
 * empty, the whole name may not.
 *
 * <p>In a pattern, {@code *} as a level stands for any one level, empty or not, and {@code >} as the last level for any
 * number of levels, none included: {@code a.>} is {@code a}, {@code a.b} and {@code a.b.c}. A pattern whose first level
 * is a wildcard leaves out what begins with a dollar sign, which belongs to the broker.
 *
 * <p>Two colons stand between a topic and one of its subscriptions, whose queue that is: {@code prices::client.name},
 * or {@code prices::name} for one without client identifier. The topic may be left out.
 *
 * <p>Commas stand between the members of a composite destination, which can be sent to: each member gets the message.
 * {@code queue:} or {@code topic:} before a member gives its kind, which else is that of the whole. A comma within a
 * level is written {@code %2C}.
 */
public final class Address {
    /** The longest name, in UTF-8 bytes; limit {@code address.bytesMax}. */
    public static final int NAME_BYTES_MAX = 4096;

    private static final String TEMPORARY = "$temporary";
    private static final String SUBSCRIPTION = "::";
    private static final char MEMBERS = ',';
    private static final String[] QUEUE_MARKS = {"queue://", "queue:", "/queue/"};
    private static final String[] TOPIC_MARKS = {"topic://", "topic:", "/topic/"};

    private final AddressKind kind;
    private final String name;
    private final boolean pattern;
    private final int hash;

    private Address(AddressKind kind, String name, boolean pattern) {
        this.kind = kind;
        this.name = name;
        this.pattern = pattern;
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
        String canonical = canonical(name);
        int wildcard = wildcardAt(canonical);
        if (wildcard >= 0) {
            throw new BrokerException(
                    ErrorCode.INVALID_ADDRESS,
                    "the destination '" + name + "' holds the wildcard '" + canonical.charAt(wildcard)
                            + "' where one name is needed");
        }
        Address address = new Address(kind, canonical, false);
        if (address.isComposite()) {
            // Each must be a name.
            address.members();
        }
        return address;
    }

    /**
     * The address, or the pattern of addresses, with this dotted name.
     *
     * @throws BrokerException as {@link #parse}, but for wildcards; INVALID_ADDRESS if {@code >} is not the last level
     */
    public static Address pattern(AddressKind kind, String name) {
        String canonical = canonical(name);
        int wildcard = wildcardAt(canonical);
        if (wildcard < 0) {
            return new Address(kind, canonical, false);
        }
        for (int i = wildcard; i < canonical.length() - 1; i++) {
            if (canonical.charAt(i) == '>' && isWholeLevel(canonical, i)) {
                throw new BrokerException(
                        ErrorCode.INVALID_ADDRESS,
                        "in '" + name + "' the wildcard '>' is not the last level; it stands for the whole rest");
            }
        }
        return new Address(kind, canonical, true);
    }

    /**
     * The address, or pattern, with these levels, each taken literally but those that are a wildcard.
     *
     * @param anyOne the level that stands for any one level; {@code +} in MQTT
     * @param anyRest the level that, at the end, stands for any number of levels; {@code #} in MQTT
     * @throws BrokerException as {@link #pattern(AddressKind, String)}
     */
    public static Address pattern(AddressKind kind, List<String> levels, String anyOne, String anyRest) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < levels.size(); i++) {
            if (i > 0) {
                text.append('.');
            }
            String level = levels.get(i);
            if (level.equals(anyOne)) {
                text.append('*');
            } else if (level.equals(anyRest)) {
                text.append('>');
            } else {
                escape(level, text);
            }
        }
        return pattern(kind, text.toString());
    }

    /** The name with every level escaped in the one way, so that equal levels are equal names. */
    private static String canonical(String name) {
        check(name);
        if (name.indexOf('%') < 0) {
            return name;
        }
        int mark = name.indexOf(SUBSCRIPTION);
        return mark < 0
                ? canonicalLevels(name)
                : canonicalLevels(name.substring(0, mark))
                        + SUBSCRIPTION
                        + canonicalLevels(name.substring(mark + SUBSCRIPTION.length()));
    }

    private static String canonicalLevels(String name) {
        StringBuilder text = new StringBuilder(name.length());
        int start = 0;
        for (int end = name.indexOf('.'); start <= name.length(); end = name.indexOf('.', start)) {
            String level = name.substring(start, end < 0 ? name.length() : end);
            if (start > 0) {
                text.append('.');
            }
            if (level.indexOf('%') < 0) {
                text.append(level);
            } else {
                escape(unescape(level), text);
            }
            start += level.length() + 1;
        }
        return text.toString();
    }

    private static void check(String name) {
        if (name.isEmpty()) {
            throw new BrokerException(ErrorCode.INVALID_ADDRESS, "the name of a destination must not be empty");
        }
        if (name.endsWith(SUBSCRIPTION)) {
            throw new BrokerException(
                    ErrorCode.INVALID_ADDRESS, "in '" + name + "' the name of the subscription is missing after '::'");
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
        }
    }

    /** Where the first level that is a wildcard is, or -1. */
    private static int wildcardAt(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if ((c == '*' || c == '>') && isWholeLevel(name, i)) {
                return i;
            }
        }
        return -1;
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

    /** True if it is a pattern, which messages can be consumed from but not sent to. */
    public boolean isPattern() {
        return pattern;
    }

    /**
     * True if an address, which is no pattern, is this one, or one of this pattern. Allocates nothing. Names are
     * compared as they are escaped, which is in one way only.
     */
    public boolean matches(Address other) {
        if (kind != other.kind) {
            return false;
        }
        return pattern ? matches(other.name) : name.equals(other.name);
    }

    private boolean matches(String other) {
        if (other.charAt(0) == '$' && isWholeLevel(name, 0)) {
            char first = name.charAt(0);
            if (first == '*' || first == '>') {
                return false;
            }
        }
        int mine = 0;
        int theirs = 0;
        while (mine <= name.length()) {
            int myEnd = levelEnd(name, mine);
            if (isLevel(name, mine, myEnd, '>')) {
                return true;
            }
            if (theirs > other.length()) {
                return false;
            }
            int theirEnd = levelEnd(other, theirs);
            if (!isLevel(name, mine, myEnd, '*')
                    && !(myEnd - mine == theirEnd - theirs && name.regionMatches(mine, other, theirs, myEnd - mine))) {
                return false;
            }
            mine = myEnd + 1;
            theirs = theirEnd + 1;
        }
        return theirs > other.length();
    }

    private static int levelEnd(String name, int start) {
        int dot = name.indexOf('.', start);
        return dot < 0 ? name.length() : dot;
    }

    private static boolean isLevel(String name, int start, int end, char only) {
        return end == start + 1 && name.charAt(start) == only;
    }

    /** The levels, unescaped; a pattern's wildcards are {@code *} and {@code >}. */
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

    /** The queue of a subscription, whatever topics it is of. */
    public static Address subscription(SubscriptionName name) {
        StringBuilder text = new StringBuilder(SUBSCRIPTION);
        if (name.clientId() != null) {
            escape(name.clientId(), text);
            text.append('.');
        }
        escape(name.name(), text);
        return queue(text.toString());
    }

    /** True if it is the queue of a subscription: it can be consumed from and browsed, not sent to. */
    public boolean isSubscription() {
        return name.contains(SUBSCRIPTION);
    }

    /** Of a subscription's queue: the canonical name of the topic before the colons, which may be empty. */
    public String subscriptionTopic() {
        return name.substring(0, name.indexOf(SUBSCRIPTION));
    }

    /** Of a subscription's queue: the subscription. The first of several levels is the client identifier. */
    public SubscriptionName subscriptionName() {
        String text = name.substring(name.indexOf(SUBSCRIPTION) + SUBSCRIPTION.length());
        int dot = text.indexOf('.');
        return dot < 0 || dot == text.length() - 1
                ? new SubscriptionName(null, unescape(text))
                : new SubscriptionName(unescape(text.substring(0, dot)), unescape(text.substring(dot + 1)));
    }

    /** True if it is several destinations at once, which can be sent to but not consumed from. */
    public boolean isComposite() {
        return name.indexOf(MEMBERS) >= 0 && !isSubscription();
    }

    /** The destinations of a composite one, each once; this one alone if it is none. */
    public List<Address> members() {
        if (!isComposite()) {
            return List.of(this);
        }
        Set<Address> members = new LinkedHashSet<>();
        for (String member : name.split(String.valueOf(MEMBERS), -1)) {
            members.add(member(member.strip()));
        }
        return List.copyOf(members);
    }

    private Address member(String text) {
        for (String mark : QUEUE_MARKS) {
            if (text.startsWith(mark)) {
                return queue(text.substring(mark.length()));
            }
        }
        for (String mark : TOPIC_MARKS) {
            if (text.startsWith(mark)) {
                return topic(text.substring(mark.length()));
            }
        }
        return parse(kind, text);
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
            } else if (c == MEMBERS) {
                text.append("%2C");
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
            case "2C" -> ',';
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
