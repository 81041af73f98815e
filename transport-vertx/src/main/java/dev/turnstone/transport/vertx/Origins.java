package dev.turnstone.transport.vertx;

import java.util.Set;
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
    private static final String ALL = "*";

    private final Set<String> allowed;

    Origins(Iterable<String> allowed) {
        Set<String> all = new java.util.TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        allowed.forEach(all::add);
        this.allowed = all;
    }

    boolean allow(@Nullable String origin) {
        return origin == null
                || allowed.contains(ALL)
                || allowed.contains(origin)
                || THIS_MACHINE.matcher(origin).matches();
    }
}
