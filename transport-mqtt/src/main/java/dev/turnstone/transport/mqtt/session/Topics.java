package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.transport.mqtt.codec.MqttException;
import dev.turnstone.transport.mqtt.codec.ReasonCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Topics as MQTT writes them: {@code a/b} is the topic whose levels are {@code a} and {@code b}. A level of another
 * protocol may hold what MQTT cannot write, {@code /}, {@code +} and {@code #}: these are {@code %2F}, {@code %2B} and
 * {@code %23} here, and such a text itself has {@code %25} in place of its percent sign. Each topic has one name in
 * MQTT, and each name is one topic. Remembers the last one each way: most clients use one. One thread.
 */
final class Topics {
    /** What stands for the wildcards among levels; no text of MQTT holds U+0000. */
    private static final String ANY_ONE = "\0+";

    private static final String ANY_REST = "\0#";

    private String lastName = "";
    private @Nullable Address lastAddress;
    private @Nullable Address lastShown;
    private String lastShownName = "";

    /**
     * The topic with this name.
     *
     * @throws MqttException TOPIC_NAME_INVALID if it is not the name of one topic (MQTT 5 §3.3.2.1)
     * @throws BrokerException INVALID_ADDRESS if it is not taken here
     */
    Address address(String name) {
        Address last = lastAddress;
        if (last != null && name.equals(lastName)) {
            return last;
        }
        if (name.isEmpty() || name.indexOf('+') >= 0 || name.indexOf('#') >= 0) {
            throw new MqttException(ReasonCode.TOPIC_NAME_INVALID, "'" + name + "' is not the name of one topic");
        }
        if (name.startsWith("$SYS/") || name.startsWith("$share/")) {
            throw new BrokerException(ErrorCode.INVALID_ADDRESS, "'" + name + "' belongs to the broker");
        }
        Address address = Address.of(AddressKind.TOPIC, literal(name));
        lastName = name;
        lastAddress = address;
        return address;
    }

    private static List<String> literal(String name) {
        List<String> levels = split(name);
        levels.replaceAll(Topics::unescape);
        return levels;
    }

    /**
     * Checks what a filter has to be (MQTT 5 §4.7.1).
     *
     * @throws MqttException MALFORMED_PACKET
     */
    static void check(String filter) {
        List<String> levels = split(filter);
        for (int i = 0; i < levels.size(); i++) {
            String level = levels.get(i);
            boolean wildcard = level.indexOf('+') >= 0 || level.indexOf('#') >= 0;
            if (filter.isEmpty() || wildcard && (level.length() > 1 || level.equals("#") && i < levels.size() - 1)) {
                throw new MqttException(
                        ReasonCode.MALFORMED_PACKET,
                        "'" + filter + "' is no topic filter: a wildcard is a whole level, and # the last one");
            }
        }
    }

    /**
     * The topics that a filter, which was checked, stands for.
     *
     * @throws BrokerException INVALID_ADDRESS if it is not taken here
     */
    static Address filter(String filter) {
        List<String> levels = split(filter);
        levels.replaceAll(level -> switch (level) {
            case "+" -> ANY_ONE;
            case "#" -> ANY_REST;
            default -> unescape(level);
        });
        return Address.pattern(AddressKind.TOPIC, levels, ANY_ONE, ANY_REST);
    }

    /** The name of a topic. */
    String name(Address topic) {
        if (!topic.equals(lastShown)) {
            lastShownName = text(topic);
            lastShown = topic;
        }
        return lastShownName;
    }

    private static String text(Address topic) {
        StringBuilder name = new StringBuilder();
        String separator = "";
        for (String level : topic.levels()) {
            name.append(separator);
            escape(level, name);
            separator = "/";
        }
        return name.toString();
    }

    private static List<String> split(String name) {
        List<String> levels = new ArrayList<>();
        int start = 0;
        for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', start)) {
            levels.add(name.substring(start, slash));
            start = slash + 1;
        }
        levels.add(name.substring(start));
        return levels;
    }

    private static void escape(String level, StringBuilder name) {
        for (int i = 0; i < level.length(); i++) {
            char c = level.charAt(i);
            switch (c) {
                case '/' -> name.append("%2F");
                case '+' -> name.append("%2B");
                case '#' -> name.append("%23");
                case '%' -> name.append(escapedAt(level, i + 1) > 0 ? "%25" : "%");
                default -> name.append(c);
            }
        }
    }

    private static String unescape(String level) {
        if (level.indexOf('%') < 0) {
            return level;
        }
        StringBuilder text = new StringBuilder(level.length());
        for (int i = 0; i < level.length(); i++) {
            char c = level.charAt(i);
            int depth = c == '%' ? escapedAt(level, i + 1) : 0;
            if (depth == 0) {
                text.append(c);
                continue;
            }
            // One layer is taken away: the character itself if it is the last, else one "25".
            text.append(depth > 1 ? '%' : character(level.charAt(i + 1), level.charAt(i + 2)));
            i += 2;
        }
        return text.toString();
    }

    private static char character(char high, char low) {
        if (high == '2' && low == 'F') {
            return '/';
        }
        return low == 'B' ? '+' : '#';
    }

    /**
     * How often the character behind a percent sign is escaped: 0 if what follows is no escape, 1 for {@code 2F},
     * {@code 2B} and {@code 23}, one more for each {@code 25} before that. So escaping adds one and unescaping takes
     * one away, and neither makes two texts equal.
     */
    private static int escapedAt(String text, int from) {
        int depth = 1;
        int at = from;
        while (text.startsWith("25", at)) {
            depth++;
            at += 2;
        }
        return text.startsWith("2F", at) || text.startsWith("2B", at) || text.startsWith("23", at) ? depth : 0;
    }
}
