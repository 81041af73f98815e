package dev.turnstone.server.config;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

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
    private static final Set<String> SECRET_WORDS =
            Set.of("password", "passcode", "passphrase", "passwd", "pwd", "secret", "token", "credential", "apikey");
    /** What plug-ins are given: nobody here knows what it is. */
    private static final Pattern OF_PLUGINS = Pattern.compile("security\\.[^.]+\\.options\\..*");

    /** The value, or something in place of what nobody should see. */
    public String shown() {
        return isSecret(name) && !text.isEmpty() ? MASK : text;
    }

    /** True if a setting of that name may hold what nobody should see; the name of a file is none of that. */
    static boolean isSecret(String name) {
        String last =
                name.substring(name.lastIndexOf('.') + 1).replace("\"", "").toLowerCase(Locale.ROOT);
        String letters = last.replaceAll("[^a-z]", "");
        return OF_PLUGINS.matcher(name).matches()
                || SECRET_WORDS.stream().anyMatch(letters::contains) && !last.endsWith("file");
    }
}
