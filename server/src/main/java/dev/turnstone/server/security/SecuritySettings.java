package dev.turnstone.server.security;

import dev.turnstone.server.config.Configuration;
import dev.turnstone.server.config.Setting;
import dev.turnstone.server.config.WrongSetting;
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
 * @param authenticator {@code authenticator}: a plug-in that checks logins; null for none
 * @param authorizer {@code authorizer}: a plug-in that decides; null for none
 * @param anonymous {@code anonymous}: the roles of those who give no name; null if they do not get in
 * @param permissions {@code permissions}: who may do what; null if everybody who gets in may do everything
 * @param audit {@code audit}: where the audit log is; null for {@code audit.log} in the data folder
 * @param passwords {@code passwords}
 * @param throttle {@code throttle}
 */
public record SecuritySettings(
        @Setting(
                value = "the users file; see [security.md](security.md) for all of `security`",
                standardInWords = "none",
                live = true)
        @Nullable
        Path users,

        @Setting(value = "tokens in place of passwords", live = true) @Nullable
        JwtSettings jwt,

        @Setting(value = "a directory that knows users", live = true) @Nullable
        LdapSettings ldap,

        @Setting(value = "a plug-in that checks logins, in place of users, tokens and directory", live = true) @Nullable
        ProviderSettings authenticator,

        @Setting(value = "a plug-in that decides who may do what, in place of permissions", live = true) @Nullable
        ProviderSettings authorizer,

        @Setting(
                value = "a list of the roles of those who give no name; only from this machine, unless `insecure`",
                standardInWords = "they do not get in",
                live = true)
        @Nullable
        Set<String> anonymous,

        @Setting(value = "who may do what", live = true) @Nullable
        List<Permission> permissions,

        @Setting(value = "where the audit log is", standardInWords = "`audit.log` in the data folder") @Nullable
        Path audit,

        PasswordSettings passwords,
        ThrottleSettings throttle) {
    /** No users. */
    public static final SecuritySettings NONE = Configuration.standard(SecuritySettings.class);

    /** Keeps copies. */
    public SecuritySettings {
        anonymous = anonymous == null ? null : Set.copyOf(anonymous);
        if (authenticator != null && (users != null || jwt != null || ldap != null)) {
            throw new WrongSetting(
                    "authenticator", "is the only one that checks logins: take users, jwt and ldap away");
        }
        if (authorizer != null && permissions != null) {
            throw new WrongSetting("authorizer", "decides in place of permissions: take these away");
        }
        permissions = permissions == null ? null : List.copyOf(permissions);
    }

    /** True if there is anybody who could log in by name. */
    public boolean hasUsers() {
        return users != null || jwt != null || ldap != null || authenticator != null;
    }

    /** True if nothing is configured that the security of a broker without users does not have. */
    boolean isNone() {
        return !hasUsers() && anonymous == null && permissions == null && authorizer == null;
    }
}
