package dev.turnstone.server.security;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.spi.Principal;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One user of the users file.
 *
 * @param name unique; no colon, comma, white space or control character
 * @param hash of the password; null for one who logs in by certificate only
 * @param roles what permissions are granted to
 */
record User(String name, @Nullable PasswordHash hash, Set<String> roles) {
    static final int NAME_CHARS_MAX = 200;
    /** In place of the hash of one who has no password. */
    static final String NO_PASSWORD = "-";

    private static final Pattern NAME = Pattern.compile("[^\\s:,#\\p{Cntrl}][^\\s:,\\p{Cntrl}]*");

    /** Checks the names. */
    User {
        checkName("user's name", name);
        if (name.equals(Principal.ANONYMOUS)) {
            throw invalid("'" + name + "' is the name of those who give none, no user can have it");
        }
        roles.forEach(role -> checkName("role's name", role));
        roles = Set.copyOf(roles);
    }

    private static void checkName(String what, String name) {
        if (name.length() > NAME_CHARS_MAX || !NAME.matcher(name).matches()) {
            throw invalid("a " + what + " has 1 to " + NAME_CHARS_MAX
                    + " characters, no space, colon, comma or control character, and does not start with #");
        }
    }

    private static BrokerException invalid(String message) {
        return new BrokerException(ErrorCode.INVALID_CONFIGURATION, message);
    }

    /** A line of the users file. */
    String line() {
        return name + ":" + (hash == null ? NO_PASSWORD : hash) + ":" + String.join(",", new TreeSet<>(roles));
    }

    /** Leaves the hash out. */
    @Override
    public String toString() {
        return "User[" + name + ", " + new TreeSet<>(roles) + "]";
    }
}
