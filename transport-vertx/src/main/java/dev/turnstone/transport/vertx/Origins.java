package dev.turnstone.transport.vertx;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which web pages may connect (RFC 6455 section 10.2): a browser lets any page try, and says in {@code Origin} whose it
 * is. Programs that are no browsers name no origin. Without a list only pages that this machine serves may: any other
 * could be one that a user of this machine happens to look at, and would be let in as a program of this machine. That
 * the page's origin is the name by which the broker was called proves nothing, since who owns a name decides where it
 * points to. Immutable.
 */
final class Origins {
    private static final Pattern THIS_MACHINE =
            Pattern.compile("https?://(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d{1,5})?", Pattern.CASE_INSENSITIVE);
    /** Scheme, host and port of what somebody may have written for an origin. */
    private static final Pattern LIKE_AN_ORIGIN = Pattern.compile(
            "(?:([a-z][a-z0-9+.-]*)://)?([^\\s/?#@:*\\[]+|\\[[^\\s\\]]+])(?::(\\d{1,5}))?(?:[/?#].*)?",
            Pattern.CASE_INSENSITIVE);

    private static final Map<String, String> OWN_PORTS = Map.of("http", "80", "https", "443");
    private static final String ALL = "*";
    /** What pages without an origin send, such as files. */
    private static final String NONE = "null";

    private static final String EXAMPLE = "https://shop.example";

    private final Set<String> allowed;

    Origins(Iterable<String> allowed) {
        Set<String> all = new java.util.TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        allowed.forEach(all::add);
        this.allowed = all;
    }

    /**
     * What browsers send for the origin that is written there, an example if none can be meant: scheme, host and, if it
     * is not the scheme's own, port (RFC 6454 section 6.2). {@code *} and {@code null} stay.
     */
    static String sent(String written) {
        Matcher meant = LIKE_AN_ORIGIN.matcher(written);
        if (written.equals(ALL) || written.equals(NONE)) {
            return written;
        }
        if (!meant.matches()) {
            return EXAMPLE;
        }
        String scheme = meant.group(1) == null ? "https" : meant.group(1);
        String port = meant.group(3);
        boolean own = port == null || port.equals(OWN_PORTS.get(scheme.toLowerCase(Locale.ROOT)));
        return scheme + "://" + meant.group(2) + (own ? "" : ":" + port);
    }

    boolean allow(@Nullable String origin) {
        return origin == null
                || allowed.contains(ALL)
                || allowed.contains(origin)
                || THIS_MACHINE.matcher(origin).matches();
    }
}
