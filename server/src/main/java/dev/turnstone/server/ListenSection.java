package dev.turnstone.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the setting {@code listen}: a list of {@code PROTOCOL=HOST:PORT}, or of entries that have this as {@code at}
 * and settings of the listener besides. Which settings there are is the protocol's to say. Any thread.
 */
final class ListenSection {
    static final String LISTEN = "listen";

    private static final String AT = "at";
    private static final Pattern ENTRY = Pattern.compile("listen(\\[\\d+])(?:\\..+)?");

    private ListenSection() {}

    /** Whether a name, without the indexes of lists, is one of a listener's own settings. */
    static boolean isListenersOwn(String plain) {
        return plain.startsWith(LISTEN + ".");
    }

    /**
     * Reads it from all that the file holds, by name.
     *
     * @throws StartException if a value is wrong
     */
    static List<ListenAddress> read(Path file, Map<String, String> written) {
        String one = written.get(LISTEN);
        if (one != null) {
            // A list of plain texts comes as one text too.
            return Arrays.stream(one.split(",", -1))
                    .map(String::strip)
                    .filter(at -> !at.isEmpty())
                    .map(at -> address(file, LISTEN, at))
                    .toList();
        }
        List<ListenAddress> addresses = new ArrayList<>();
        for (String place : places(file, written)) {
            addresses.add(entry(file, place, written));
        }
        return addresses;
    }

    /** {@code listen[0]}, {@code listen[1]} and so on. */
    private static Set<String> places(Path file, Map<String, String> written) {
        Set<String> places = inOrder();
        for (String name : written.keySet()) {
            Matcher entry = ENTRY.matcher(name);
            if (entry.matches()) {
                places.add(LISTEN + entry.group(1));
            } else if (isListenersOwn(name)) {
                throw new StartException(file + ": " + LISTEN
                        + " is a list: each listener starts with '- ', and is PROTOCOL=HOST:PORT or has that as '" + AT
                        + "'");
            }
        }
        return places;
    }

    private static ListenAddress entry(Path file, String place, Map<String, String> written) {
        String plain = written.get(place);
        if (plain != null) {
            return address(file, place, plain);
        }
        Map<String, String> settings = new TreeMap<>();
        written.forEach((name, value) -> {
            // Of a list of values there is the text with commas too, and that is what the listener gets.
            if (name.startsWith(place + ".") && !name.endsWith("]")) {
                settings.put(name.substring(place.length() + 1), value);
            }
        });
        String at = settings.remove(AT);
        if (at == null) {
            throw new StartException(file + ": " + place + "." + AT + " is missing: PROTOCOL=HOST:PORT");
        }
        return address(file, place + "." + AT, at).with(settings);
    }

    private static ListenAddress address(Path file, String name, String written) {
        try {
            return ListenAddress.parse(written.strip());
        } catch (StartException e) {
            throw new StartException(file + ": " + name + ": " + e.getMessage(), e);
        }
    }

    /** The tenth behind the ninth. */
    private static Set<String> inOrder() {
        return new TreeSet<>(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
    }
}
