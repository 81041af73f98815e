package dev.turnstone.server.security;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * Which tokens are taken in place of a password.
 *
 * @param keys setting {@code security.jwt.keys}: the issuer's public keys (JWKS, RFC 7517): a file, or an https URL
 * @param issuer setting {@code security.jwt.issuer}: what the claim {@code iss} must be
 * @param audience setting {@code security.jwt.audience}: what the claim {@code aud} must hold
 * @param userClaim setting {@code security.jwt.userClaim}: which claim is the user's name
 * @param rolesClaim setting {@code security.jwt.rolesClaim}: which claim holds the roles, a list or one text with
 *     spaces; dots lead into objects
 * @param clockSkewMs setting {@code security.jwt.clockSkewMs}: how far clocks may differ, milliseconds
 */
public record JwtSettings(
        String keys, String issuer, String audience, String userClaim, String rolesClaim, int clockSkewMs) {
    /** The subject. */
    public static final String USER_CLAIM = "sub";

    /** What most issuers can be told to fill. */
    public static final String ROLES_CLAIM = "roles";

    /** Half a minute. */
    public static final int CLOCK_SKEW_MS = 30_000;

    private static final String HTTPS = "https://";
    private static final String HTTP = "http://";

    /**
     * Checks where the keys are.
     *
     * @throws IllegalArgumentException if it is a URL that others could answer in the issuer's place
     */
    public static String checkKeys(String keys) {
        if (!isUrl(keys)) {
            return keys;
        }
        try {
            URI uri = new URI(keys);
            if (uri.getHost() == null) {
                throw new IllegalArgumentException("a URL without a host");
            }
            if (keys.startsWith(HTTP) && !isLoopback(uri.getHost())) {
                throw new IllegalArgumentException("keys that come over http could be anybody's; use https or a file");
            }
            return keys;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("not a URL: " + e.getReason(), e);
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
