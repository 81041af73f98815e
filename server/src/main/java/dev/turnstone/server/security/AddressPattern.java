package dev.turnstone.server.security;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses a permission is about: levels with dots between them, {@code *} for any one level, {@code >} at the
 * end for any number of levels, {@code %u} for the user's name and {@code %c} for the client identifier within a level;
 * {@code queue:} or {@code topic:} before it for one kind only. What is put in for {@code %u} stands for itself,
 * whatever it holds. Immutable.
 */
public final class AddressPattern {
    private static final String ANY = "*";
    private static final String REST = ">";
    private static final String QUEUE = "queue:";
    private static final String TOPIC = "topic:";

    private final String written;
    private final @Nullable AddressKind kind;
    private final List<String> levels;
    private final boolean rest;

    private AddressPattern(String written, @Nullable AddressKind kind, List<String> levels, boolean rest) {
        this.written = written;
        this.kind = kind;
        this.levels = levels;
        this.rest = rest;
    }

    /**
     * Reads the written form.
     *
     * @throws IllegalArgumentException if it is not of that form
     */
    static AddressPattern parse(String written) {
        AddressKind kind =
                written.startsWith(QUEUE) ? AddressKind.QUEUE : written.startsWith(TOPIC) ? AddressKind.TOPIC : null;
        String name = kind == null ? written : written.substring(QUEUE.length());
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an address pattern must not be empty");
        }
        List<String> levels = new ArrayList<>(List.of(name.split("\\.", -1)));
        boolean rest = levels.get(levels.size() - 1).equals(REST);
        if (rest) {
            levels.remove(levels.size() - 1);
        }
        if (levels.contains(REST)) {
            throw new IllegalArgumentException("'>' stands for the rest of an address and can only be the last level");
        }
        levels.forEach(AddressPattern::checkLevel);
        return new AddressPattern(written, kind, List.copyOf(levels), rest);
    }

    private static void checkLevel(String level) {
        boolean mixed = level.length() > 1 && (level.contains(ANY) || level.contains(REST));
        if (mixed) {
            throw new IllegalArgumentException(
                    "in '" + level + "' the wildcard is not a level of its own; '*' stands for one whole level");
        }
        for (int i = level.indexOf('%'); i >= 0; i = level.indexOf('%', i + 1)) {
            if (!level.startsWith("%u", i) && !level.startsWith("%c", i) && !isEscape(level, i)) {
                throw new IllegalArgumentException(
                        "in '" + level + "' after %: %u is the user, %c the client identifier, %25 a percent sign");
            }
        }
    }

    private static boolean isEscape(String level, int at) {
        return escaped(level, at) != 0;
    }

    /** As addresses escape what would read as something else. */
    private static char escaped(String level, int at) {
        if (at + 3 > level.length()) {
            return 0;
        }
        return switch (level.substring(at, at + 3)) {
            case "%2E" -> '.';
            case "%2A" -> '*';
            case "%3E" -> '>';
            case "%3A" -> ':';
            case "%25" -> '%';
            default -> 0;
        };
    }

    /**
     * True if the address is one of these, for that user and client identifier; of a pattern, if all that it stands for
     * is.
     */
    boolean matches(Address address, String user, @Nullable String clientId) {
        if (kind != null && kind != address.kind()) {
            return false;
        }
        List<String> names = address.levels();
        // In the canonical text a level that reads as a wildcard is one.
        List<String> wildcards = address.isPattern() ? List.of(address.name().split("\\.", -1)) : names;
        boolean open = address.isPattern() && wildcards.get(names.size() - 1).equals(REST);
        int count = open ? names.size() - 1 : names.size();
        if (rest ? count < levels.size() : open || count != levels.size()) {
            return false;
        }
        for (int i = 0; i < levels.size(); i++) {
            String level = levels.get(i);
            boolean any = address.isPattern() && wildcards.get(i).equals(ANY);
            if (!level.equals(ANY) && (any || !names.get(i).equals(filledIn(level, user, clientId)))) {
                return false;
            }
        }
        return true;
    }

    /** The level with everything put in; null if there is no client identifier to put in. */
    private static @Nullable String filledIn(String level, String user, @Nullable String clientId) {
        if (level.indexOf('%') < 0) {
            return level;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < level.length(); i++) {
            char c = level.charAt(i);
            if (c != '%') {
                text.append(c);
            } else if (level.charAt(i + 1) == 'u') {
                text.append(user);
                i++;
            } else if (level.charAt(i + 1) == 'c') {
                if (clientId == null) {
                    return null;
                }
                text.append(clientId);
                i++;
            } else {
                text.append(escaped(level, i));
                i += 2;
            }
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return written;
    }
}
