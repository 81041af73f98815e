package dev.turnstone.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a settings file holds, by name; says of a wrong value where it stands.
 *
 * @param file appears in messages
 * @param values the texts by name, those of a list by name and index
 */
record WrittenSettings(Path file, Map<String, String> values) {
    Set<String> names() {
        return values.keySet();
    }

    /** True if the name itself, or anything below it, is written. */
    boolean hasAny(String section) {
        return values.keySet().stream().anyMatch(name -> name.equals(section) || name.startsWith(section + "."));
    }

    StartException refusal(String message, @Nullable Exception cause) {
        String text = file + ": " + message;
        return cause == null ? new StartException(text) : new StartException(text, cause);
    }

    /** The value, read by a function that throws IllegalArgumentException for a wrong one. */
    <T> Optional<T> value(String name, Function<String, T> read) {
        String text = values.get(name);
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(read.apply(text));
        } catch (IllegalArgumentException e) {
            throw refusal(name + ": '" + text + "': " + e.getMessage(), e);
        }
    }

    /** The value of one that must be there. */
    <T> T required(String name, Function<String, T> read) {
        return value(name, read).orElseThrow(() -> refusal(name + " is missing", null));
    }

    int number(String name, int absent, int least, int most) {
        return value(name, number -> whole(number, least, most)).orElse(absent);
    }

    private static int whole(String text, int least, int most) {
        int number;
        try {
            number = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a whole number", e);
        }
        if (number < least || number > most) {
            throw new IllegalArgumentException("not between " + least + " and " + most);
        }
        return number;
    }

    /** The values of a list, or those of one text with commas between them; null if there is neither. */
    @Nullable
    List<String> list(String name) {
        String one = values.get(name);
        if (one != null) {
            return Arrays.stream(one.split(",", -1))
                    .map(String::strip)
                    .filter(value -> !value.isEmpty())
                    .toList();
        }
        List<String> list = new ArrayList<>();
        for (String next = values.get(name + "[0]"); next != null; next = values.get(name + "[" + list.size() + "]")) {
            list.add(next.strip());
        }
        return list.isEmpty() ? null : list;
    }

    /** The values of a list that must have some. */
    List<String> requiredList(String name) {
        List<String> list = list(name);
        if (list == null || list.isEmpty()) {
            throw refusal(name + " is missing", null);
        }
        return list;
    }
}
