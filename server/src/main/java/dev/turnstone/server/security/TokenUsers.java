package dev.turnstone.server.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.ResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.ExpiredJWTException;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Principal;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.text.ParseException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Users who bring a signed token (JWT, RFC 7519) in place of a password; their connections end with it. Any thread. */
final class TokenUsers implements UserSource {
    private static final Logger LOG = LoggerFactory.getLogger(TokenUsers.class);
    private static final String SOURCE = "jwt:";
    /** What a signed token in its compact form looks like: its header begins with a brace and a quote. */
    private static final Pattern TOKEN = Pattern.compile("eyJ[\\w-]*\\.[\\w-]+\\.[\\w-]+");

    private static final int TOKEN_CHARS_MAX = 16_384;
    private static final int ROLES_MAX = 1_000;
    private static final int FETCH_MS = 3_000;
    private static final int KEYS_BYTES_MAX = 1 << 20;
    /** Signatures by a private key only: a key that is public must not verify what a shared secret has signed. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private final JwtSettings settings;
    private final SlowChecks checks;
    private final DefaultJWTProcessor<SecurityContext> processor;

    /**
     * With keys from a file, which is read now, or from a URL, which is asked when there are tokens.
     *
     * @throws BrokerException INVALID_CONFIGURATION if the file cannot be used
     */
    TokenUsers(JwtSettings settings, SlowChecks checks) {
        this.settings = settings;
        this.checks = checks;
        this.processor = processor(settings, keys(settings));
    }

    private static DefaultJWTProcessor<SecurityContext> processor(
            JwtSettings settings, JWKSource<SecurityContext> keys) {
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
        DefaultJWTClaimsVerifier<SecurityContext> claims = new DefaultJWTClaimsVerifier<>(
                settings.audience(),
                new JWTClaimsSet.Builder().issuer(settings.issuer()).build(),
                Set.of("exp", settings.userClaim()));
        claims.setMaxClockSkew(settings.clockSkewMs() / 1_000);
        processor.setJWTClaimsSetVerifier(claims);
        return processor;
    }

    private static JWKSource<SecurityContext> keys(JwtSettings settings) {
        DefaultResourceRetriever retriever = new DefaultResourceRetriever(FETCH_MS, FETCH_MS, KEYS_BYTES_MAX);
        String place = settings.keys();
        if (place == null) {
            return new DiscoveredKeys(settings.issuer(), retriever, url -> fetched(url, retriever));
        }
        try {
            if (JwtSettings.isUrl(place)) {
                return fetched(URI.create(place).toURL(), retriever);
            }
            JWKSet keys = JWKSet.load(new File(place));
            if (keys.isEmpty()) {
                throw unusable(place, "holds no key", null);
            }
            return new ImmutableJWKSet<>(keys.toPublicJWKSet());
        } catch (MalformedURLException | ParseException e) {
            throw unusable(place, "is no set of keys (JWKS): " + e.getMessage(), e);
        } catch (IOException e) {
            throw unusable(place, "cannot be read: " + e, e);
        }
    }

    static JWKSource<SecurityContext> fetched(URL url, ResourceRetriever retriever) {
        // To refresh ahead is left out: it takes a thread that nobody ends, and that keeps a JVM alive.
        return JWKSourceBuilder.create(url, retriever)
                .retrying(true)
                .refreshAheadCache(false)
                .build();
    }

    /**
     * Checks the keys of a file; those of a URL are not asked for.
     *
     * @throws BrokerException INVALID_CONFIGURATION if the file cannot be used
     */
    static void checkKeys(JwtSettings settings) {
        JWKSource<SecurityContext> unused = keys(settings);
    }

    private static BrokerException unusable(String place, String why, @Nullable Exception cause) {
        String text = place + ": " + why;
        return cause == null
                ? new BrokerException(ErrorCode.INVALID_CONFIGURATION, text)
                : new BrokerException(ErrorCode.INVALID_CONFIGURATION, text, cause);
    }

    @Override
    public boolean claims(Login login, boolean inFile) {
        String password = login.password();
        return password != null
                && password.length() <= TOKEN_CHARS_MAX
                && TOKEN.matcher(password).matches();
    }

    @Override
    public CompletionStage<Principal> authenticate(Login login) {
        String token = String.valueOf(login.password());
        return checks.run(login, () -> principal(login.user(), verified(token)));
    }

    private JWTClaimsSet verified(String token) {
        try {
            return processor.process(token, null);
        } catch (ExpiredJWTException e) {
            throw refused("the token has expired", e);
        } catch (BadJWTException e) {
            throw refused("the token is not for this broker: " + e.getMessage(), e);
        } catch (KeySourceException e) {
            LOG.error("{}: the keys cannot be fetched, so no token can be checked", settings.issuer(), e);
            // Nobody has guessed.
            throw new BrokerException(
                    ErrorCode.LIMIT_EXCEEDED, "the token cannot be checked now; the broker's log says why", e);
        } catch (BadJOSEException | JOSEException | ParseException e) {
            throw refused("the token is not signed by one of the issuer's keys", e);
        }
    }

    private Principal principal(@Nullable String claimed, JWTClaimsSet token) {
        try {
            String name = token.getStringClaim(settings.userClaim());
            if (claimed != null && !claimed.isEmpty() && !claimed.equals(name)) {
                throw refused("the token is another user's", null);
            }
            long expiryMs = token.getExpirationTime().toInstant().toEpochMilli();
            return new Principal(UserSource.checked(name), roles(token), expiryMs + settings.clockSkewMs(), source());
        } catch (ParseException e) {
            throw refused("the token's claim " + settings.userClaim() + " is no text", e);
        }
    }

    private Set<String> roles(JWTClaimsSet token) {
        Object found = token.getClaims();
        for (String step : settings.rolesClaim().split("\\.")) {
            found = found instanceof Map<?, ?> object ? object.get(step) : null;
        }
        Set<String> roles = new HashSet<>();
        if (found instanceof String text) {
            roles.addAll(List.of(text.strip().split("\\s+")));
            roles.remove("");
        } else if (found instanceof Collection<?> list) {
            list.forEach(role -> roles.add(String.valueOf(role)));
        }
        if (roles.size() > ROLES_MAX) {
            throw refused("the token has more than " + ROLES_MAX + " roles", null);
        }
        return roles;
    }

    private String source() {
        return SOURCE + settings.issuer() + " " + settings.audience();
    }

    private static BrokerException refused(String message, @Nullable Exception cause) {
        return cause == null
                ? new BrokerException(ErrorCode.UNAUTHENTICATED, message)
                : new BrokerException(ErrorCode.UNAUTHENTICATED, message, cause);
    }

    @Override
    public @Nullable Principal renew(Principal principal) {
        return principal.source().equals(source()) ? principal : null;
    }
}
