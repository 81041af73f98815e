package dev.turnstone.server.security;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings under {@code security}, checked one by one.
 *
 * @param users {@code users}: the users file; null for none
 * @param jwt {@code jwt}: tokens; null for none
 * @param ldap {@code ldap}: a directory; null for none
 * @param anonymousRoles {@code anonymous}: the roles of those who give no name; null if they do not get in
 * @param permissions {@code permissions}: who may do what; null if everybody who gets in may do everything
 * @param audit {@code audit}: where the audit log is; null for {@code audit.log} in the data folder
 * @param passwords {@code passwords}
 * @param throttle {@code throttle}
 */
public record SecuritySettings(
        @Nullable Path users,
        @Nullable JwtSettings jwt,
        @Nullable LdapSettings ldap,
        @Nullable Set<String> anonymousRoles,
        @Nullable List<Permission> permissions,
        @Nullable Path audit,
        PasswordSettings passwords,
        ThrottleSettings throttle) {
    /** No users. */
    public static final SecuritySettings NONE = new SecuritySettings(
            null, null, null, null, null, null, PasswordSettings.DEFAULTS, ThrottleSettings.DEFAULTS);

    /** Keeps copies. */
    public SecuritySettings {
        anonymousRoles = anonymousRoles == null ? null : Set.copyOf(anonymousRoles);
        permissions = permissions == null ? null : List.copyOf(permissions);
    }

    /** True if there is anybody who could log in by name. */
    public boolean hasUsers() {
        return users != null || jwt != null || ldap != null;
    }

    /** True if nothing is configured that the security of a broker without users does not have. */
    boolean isNone() {
        return !hasUsers() && anonymousRoles == null && permissions == null;
    }
}
