package dev.turnstone.server.security;

import java.net.URI;
import java.net.URISyntaxException;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import org.jspecify.annotations.Nullable;

/**
 * Which directory knows users and checks their passwords.
 *
 * @param url setting {@code security.ldap.url}: {@code ldaps://host:636}; {@code ldap://} to this machine only
 * @param userDn setting {@code security.ldap.userDn}: a user's entry, with {@code %u} for the name
 * @param groups setting {@code security.ldap.groups}: below which entry groups are looked for; null for no roles
 * @param groupFilter setting {@code security.ldap.groupFilter}: which groups are a user's; {@code %d} is the user's
 *     entry, {@code %u} the name
 * @param groupName setting {@code security.ldap.groupName}: which attribute of a group is the role's name
 * @param timeoutMs setting {@code security.ldap.timeoutMs}: how long the directory may take to answer, milliseconds
 * @param sessionMaxMs setting {@code security.ldap.sessionMaxMs}: after which time a connection ends and has to log in
 *     again, since a directory does not tell who was removed; milliseconds
 */
public record LdapSettings(
        String url,
        String userDn,
        @Nullable String groups,
        String groupFilter,
        String groupName,
        int timeoutMs,
        int sessionMaxMs) {
    /** As {@code groupOfNames} has it. */
    public static final String GROUP_FILTER = "(member=%d)";

    /** The common name. */
    public static final String GROUP_NAME = "cn";

    /** Five seconds. */
    public static final int TIMEOUT_MS = 5_000;

    /** A day. */
    public static final int SESSION_MAX_MS = 86_400_000;

    /**
     * Checks the directory's URL.
     *
     * @throws IllegalArgumentException if passwords would travel as they are
     */
    public static String checkUrl(String url) {
        try {
            URI uri = new URI(url);
            String scheme = String.valueOf(uri.getScheme());
            if (uri.getHost() == null || !(scheme.equals("ldaps") || scheme.equals("ldap"))) {
                throw new IllegalArgumentException("not of the form ldaps://HOST:PORT");
            }
            if (scheme.equals("ldap") && !JwtSettings.isLoopback(uri.getHost())) {
                throw new IllegalArgumentException("passwords would travel as they are; use ldaps");
            }
            return url;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("not a URL: " + e.getReason(), e);
        }
    }

    /**
     * Checks the pattern of users' entries.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static String checkUserDn(String userDn) {
        if (!userDn.contains("%u")) {
            throw new IllegalArgumentException("without %u it is the same for every user");
        }
        try {
            LdapName parsed = new LdapName(userDn.replace("%u", "x"));
            if (parsed.isEmpty()) {
                throw new IllegalArgumentException("empty");
            }
            return userDn;
        } catch (InvalidNameException e) {
            throw new IllegalArgumentException("not a distinguished name", e);
        }
    }

    /**
     * Checks the filter of groups.
     *
     * @throws IllegalArgumentException if it is the same for every user
     */
    public static String checkGroupFilter(String filter) {
        if (!filter.contains("%d") && !filter.contains("%u")) {
            throw new IllegalArgumentException("without %d or %u it is the same for every user");
        }
        return filter;
    }
}
