package dev.turnstone.server.config;

import java.util.Locale;
import java.util.Set;

/**
 * A setting as it holds.
 *
 * @param name its full name, with indexes and chosen names
 * @param text its value, as one would write it; empty for none
 * @param origin where that was written
 * @param live whether a change takes effect at SIGHUP
 */
public record Effective(String name, String text, Origin origin, boolean live) {
    private static final String MASK = "******";
    private static final Set<String> SECRET_WORDS = Set.of("password", "passcode", "secret", "token", "credential");

    /** The value, or something in place of what nobody should see. */
    public String shown() {
        return isSecret(name) && !text.isEmpty() ? MASK : text;
    }

    /** True if a setting of that name may hold what nobody should see; the name of a file is none of that. */
    static boolean isSecret(String name) {
        String last =
                name.substring(name.lastIndexOf('.') + 1).replace("\"", "").toLowerCase(Locale.ROOT);
        return SECRET_WORDS.stream().anyMatch(last::contains) && !last.endsWith("file");
    }
}
