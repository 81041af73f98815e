package dev.turnstone.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Principal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** Whatever a stranger sends as a login: it is refused in words, and nothing else happens. */
final class LoginFuzzTest {
    private static final String PASSWORD = "wonderland";
    private static final SlowChecks CHECKS = SlowChecks.asking(Path.of("data"), "test");
    private static final LoginThrottle THROTTLE = new LoginThrottle(
            new ThrottleSettings(Integer.MAX_VALUE, Integer.MAX_VALUE, 0, 1_000, 100, 1_000, 1_000),
            () -> 0,
            Path.of("data"));

    private static Logins logins;
    private static String token;

    @BeforeContainer
    static void start() throws IOException, JOSEException {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("k").generate();
        Path keys = Files.createTempFile("keys", ".json");
        Files.writeString(keys, new JWKSet(key.toPublicJWK()).toString());
        SignedJWT signed = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k").build(),
                new JWTClaimsSet.Builder()
                        .issuer("i")
                        .audience("a")
                        .subject("alice")
                        .expirationTime(Date.from(Instant.now().plusSeconds(3_600)))
                        .build());
        signed.sign(new ECDSASigner(key));
        token = signed.serialize();
        TokenUsers tokens = new TokenUsers(new JwtSettings(keys.toString(), "i", "a", "sub", "roles", 0), CHECKS);
        Files.delete(keys);
        User alice = new User("alice", PasswordHash.of(PASSWORD, 1_000, new SecureRandom()), Set.of());
        logins = new Logins(new FileUsers(Map.of("alice", alice), CHECKS), List.of(tokens), null, false, THROTTLE);
    }

    @AfterContainer
    static void stop() {
        THROTTLE.close();
        CHECKS.close();
    }

    private static @Nullable Principal principalOf(Login login) {
        try {
            return logins.authenticate(login).toCompletableFuture().join();
        } catch (CompletionException e) {
            assertThat(e.getCause()).isInstanceOf(BrokerException.class);
            String password = login.password();
            if (password != null && password.length() > 3) {
                assertThat(e.getCause().getMessage()).doesNotContain(password);
            }
            return null;
        }
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(40),
                Arbitraries.of(
                        "alice",
                        "",
                        "ALICE",
                        "alice ",
                        "anonymous",
                        "%u",
                        "*",
                        "CN=alice",
                        PASSWORD.toUpperCase(java.util.Locale.ROOT)),
                Arbitraries.strings().withChars("eyJ.-_AZ09").ofMaxLength(60));
    }

    @Property(tries = 300)
    void nobodyGetsInWithoutAPassword(
            @ForAll("texts") String user,
            @ForAll("texts") String password,
            @ForAll("texts") String remote,
            @ForAll("texts") String subject) {
        assertThat(principalOf(new Login(user, password, null, "test", remote))).isNull();
        assertThat(principalOf(new Login(null, password, null, "test", remote))).isNull();
        Principal certified = principalOf(new Login(null, null, null, "test", remote, subject));
        assertThat(certified == null || subject.equals("CN=alice")).isTrue();
    }

    @Property(tries = 300)
    void aTokenWithAnyCharacterChangedIsWorthNothing(@ForAll int place, @ForAll("tokenChars") char other) {
        int at = Math.floorMod(place, token.length() - 1);
        String changed = token.substring(0, at) + other + token.substring(at + 1);
        Principal principal = principalOf(new Login(null, changed, null, "test", "vm"));
        assertThat(principal == null).isEqualTo(!changed.equals(token));
    }

    @Provide
    Arbitrary<Character> tokenChars() {
        return Arbitraries.chars().with("ABCxyz019-_.");
    }
}
