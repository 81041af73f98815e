package dev.turnstone.server.security;

import dev.turnstone.server.config.Setting;
import dev.turnstone.server.config.WrongSetting;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.function.Consumer;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import org.jspecify.annotations.Nullable;

/**
 * Which directory knows users and checks their passwords.
 *
 * @param url setting {@code security.ldap.url}: {@code ldaps://host:636}; {@code ldap://} to this machine only
 * @param startTls setting {@code security.ldap.startTls}: {@code ldap://} becomes TLS before anything is sent
 *     (StartTLS)
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
        @Setting(
                value = "the directory: `ldaps://HOST:PORT`; `ldap://` with `startTls`, or to this machine only",
                required = true)
        String url,

        @Setting(value = "TLS on an `ldap://` connection before anything else (StartTLS)", standard = "false")
        boolean startTls,

        @Setting(value = "a user's entry, with `%u` for the name", required = true)
        String userDn,

        @Setting(value = "below which entry groups are looked for, which are the roles", standardInWords = "no roles")
        @Nullable
        String groups,

        @Setting(value = "which groups are a user's; `%d` is the user's entry, `%u` the name", standard = "(member=%d)")
        String groupFilter,

        @Setting(value = "which attribute of a group is the role's name", standard = "cn")
        String groupName,

        @Setting(value = "how long the directory may take to answer", standard = "5000", least = 1, most = 60_000)
        int timeoutMs,

        @Setting(
                value = "after which time a connection ends and has to log in again",
                standard = "86400000",
                least = 1_000,
                most = Integer.MAX_VALUE)
        int sessionMaxMs) {
    /** Checks that passwords do not travel as they are, and that one user is not taken for another. */
    public LdapSettings {
        boolean secured = startTls;
        check("url", url, text -> checkUrl(text, secured));
        check("userDn", userDn, LdapSettings::checkUserDn);
        check("groupFilter", groupFilter, LdapSettings::checkGroupFilter);
    }

    private static void check(String setting, String text, Consumer<String> check) {
        try {
            check.accept(text);
        } catch (IllegalArgumentException e) {
            throw new WrongSetting(setting, "'" + text + "': " + e.getMessage());
        }
    }

    private static void checkUrl(String url, boolean startTls) {
        try {
            URI uri = new URI(url);
            String scheme = String.valueOf(uri.getScheme());
            if (uri.getHost() == null || !(scheme.equals("ldaps") || scheme.equals("ldap"))) {
                throw new IllegalArgumentException("not of the form ldaps://HOST:PORT");
            }
            if (scheme.equals("ldaps") && startTls) {
                throw new IllegalArgumentException("startTls is for ldap; with ldaps all is TLS from the start");
            }
            if (scheme.equals("ldap") && !startTls && !JwtSettings.isLoopback(uri.getHost())) {
                throw new IllegalArgumentException("passwords would travel as they are; use ldaps, or startTls");
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("not a URL: " + e.getReason(), e);
        }
    }

    private static void checkUserDn(String userDn) {
        if (!userDn.contains("%u")) {
            throw new IllegalArgumentException("without %u it is the same for every user");
        }
        try {
            LdapName parsed = new LdapName(userDn.replace("%u", "x"));
            if (parsed.isEmpty()) {
                throw new IllegalArgumentException("empty");
            }
        } catch (InvalidNameException e) {
            throw new IllegalArgumentException("not a distinguished name", e);
        }
    }

    private static void checkGroupFilter(String filter) {
        if (!filter.contains("%d") && !filter.contains("%u")) {
            throw new IllegalArgumentException("without %d or %u it is the same for every user");
        }
    }
}
