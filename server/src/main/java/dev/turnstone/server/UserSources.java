package dev.turnstone.server;

import dev.turnstone.server.security.JwtSettings;
import dev.turnstone.server.security.LdapSettings;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the settings under {@code security.jwt} and {@code security.ldap}. Any thread. */
final class UserSources {
    private static final String JWT = "security.jwt";
    private static final String KEYS = JWT + ".keys";
    private static final String ISSUER = JWT + ".issuer";
    private static final String AUDIENCE = JWT + ".audience";
    private static final String USER_CLAIM = JWT + ".userClaim";
    private static final String ROLES_CLAIM = JWT + ".rolesClaim";
    private static final String CLOCK_SKEW_MS = JWT + ".clockSkewMs";
    private static final String LDAP = "security.ldap";
    private static final String URL = LDAP + ".url";
    private static final String USER_DN = LDAP + ".userDn";
    private static final String GROUPS = LDAP + ".groups";
    private static final String GROUP_FILTER = LDAP + ".groupFilter";
    private static final String GROUP_NAME = LDAP + ".groupName";
    private static final String TIMEOUT_MS = LDAP + ".timeoutMs";
    private static final String SESSION_MAX_MS = LDAP + ".sessionMaxMs";

    /** All settings here. */
    static final Set<String> KNOWN = Set.of(
            KEYS,
            ISSUER,
            AUDIENCE,
            USER_CLAIM,
            ROLES_CLAIM,
            CLOCK_SKEW_MS,
            URL,
            USER_DN,
            GROUPS,
            GROUP_FILTER,
            GROUP_NAME,
            TIMEOUT_MS,
            SESSION_MAX_MS);

    private UserSources() {}

    /** The settings of tokens, or null if there are none. */
    static @Nullable JwtSettings jwt(WrittenSettings written) {
        if (!written.hasAny(JWT)) {
            return null;
        }
        return new JwtSettings(
                written.required(KEYS, JwtSettings::checkKeys),
                written.required(ISSUER, Function.identity()),
                written.required(AUDIENCE, Function.identity()),
                written.value(USER_CLAIM, Function.identity()).orElse(JwtSettings.USER_CLAIM),
                written.value(ROLES_CLAIM, Function.identity()).orElse(JwtSettings.ROLES_CLAIM),
                written.number(CLOCK_SKEW_MS, JwtSettings.CLOCK_SKEW_MS, 0, 600_000));
    }

    /** The settings of the directory, or null if there are none. */
    static @Nullable LdapSettings ldap(WrittenSettings written) {
        if (!written.hasAny(LDAP)) {
            return null;
        }
        return new LdapSettings(
                written.required(URL, LdapSettings::checkUrl),
                written.required(USER_DN, LdapSettings::checkUserDn),
                written.value(GROUPS, Function.identity()).orElse(null),
                written.value(GROUP_FILTER, LdapSettings::checkGroupFilter).orElse(LdapSettings.GROUP_FILTER),
                written.value(GROUP_NAME, Function.identity()).orElse(LdapSettings.GROUP_NAME),
                written.number(TIMEOUT_MS, LdapSettings.TIMEOUT_MS, 1, 60_000),
                written.number(SESSION_MAX_MS, LdapSettings.SESSION_MAX_MS, 1_000, Integer.MAX_VALUE));
    }
}
