package dev.turnstone.server.security;

import dev.turnstone.server.config.Setting;
import dev.turnstone.server.config.WrongSetting;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Which tokens are taken in place of a password.
 *
 * @param keys setting {@code security.jwt.keys}: the issuer's public keys (JWKS, RFC 7517): a file, or an https URL;
 *     null to ask the issuer where they are (OpenID Connect Discovery)
 * @param issuer setting {@code security.jwt.issuer}: what the claim {@code iss} must be
 * @param audience setting {@code security.jwt.audience}: what the claim {@code aud} must hold
 * @param userClaim setting {@code security.jwt.userClaim}: which claim is the user's name
 * @param rolesClaim setting {@code security.jwt.rolesClaim}: which claim holds the roles, a list or one text with
 *     spaces; dots lead into objects
 * @param clockSkewMs setting {@code security.jwt.clockSkewMs}: how far clocks may differ, milliseconds
 */
public record JwtSettings(
        @Setting(
                value = "the keys (JWKS) of who issues tokens: a file, or an https URL",
                standardInWords = "where the issuer's `/.well-known/openid-configuration` says")
        @Nullable
        String keys,

        @Setting(value = "what a token's `iss` must be", required = true)
        String issuer,

        @Setting(value = "what a token's `aud` must hold", required = true)
        String audience,

        @Setting(value = "which claim is the user's name", standard = "sub")
        String userClaim,

        @Setting(value = "which claim holds the roles; dots lead into objects", standard = "roles")
        String rolesClaim,

        @Setting(value = "how far clocks may differ", standard = "30000", least = 0, most = 600_000)
        int clockSkewMs) {
    private static final String HTTPS = "https://";
    private static final String HTTP = "http://";

    /** Checks where the keys are: nobody else can answer in the issuer's place. */
    public JwtSettings {
        if (keys == null) {
            if (!isUrl(issuer)) {
                throw new WrongSetting(
                        "issuer",
                        "'" + issuer + "': not a URL that could be asked for the keys; keys has to name them");
            }
            checkUrl("issuer", issuer);
        } else if (isUrl(keys)) {
            checkUrl("keys", keys);
        }
    }

    private static void checkUrl(String setting, String keys) {
        try {
            URI uri = new URI(keys);
            if (uri.getHost() == null) {
                throw new WrongSetting(setting, "'" + keys + "': a URL without a host");
            }
            if (keys.startsWith(HTTP) && !isLoopback(uri.getHost())) {
                throw new WrongSetting(
                        setting, "'" + keys + "': keys that come over http could be anybody's; use https or a file");
            }
        } catch (URISyntaxException e) {
            throw new WrongSetting(setting, "'" + keys + "': not a URL: " + e.getReason());
        }
    }

    /** True if the keys are fetched, false if they are in a file. */
    static boolean isUrl(String keys) {
        return keys.startsWith(HTTPS) || keys.startsWith(HTTP);
    }

    static boolean isLoopback(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d{1,3}){3}");
    }
}
