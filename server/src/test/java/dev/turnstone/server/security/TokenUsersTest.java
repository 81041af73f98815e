package dev.turnstone.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSetBasedJWKSource;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetSourceWrapper;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.RefreshAheadCachingJWKSetSource;
import com.nimbusds.jose.jwk.source.URLBasedJWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Principal;
import dev.turnstone.testkit.transport.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TokenUsersTest {
    private static final String ISSUER = "https://login.example.org";
    private static final String AUDIENCE = "turnstone";

    @TempDir
    Path folder;

    private final SlowChecks checks = SlowChecks.asking(Path.of("data"), "test");
    private final RSAKey rsa = rsaKey("first");
    private TokenUsers tokens;

    private static RSAKey rsaKey(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void publishKeys() throws IOException {
        Path keys = folder.resolve("keys.json");
        Files.writeString(keys, new JWKSet(rsa.toPublicJWK()).toString());
        tokens = tokens(keys.toString(), "roles");
    }

    @AfterEach
    void close() {
        checks.close();
    }

    private TokenUsers tokens(String keys, String rolesClaim) {
        return new TokenUsers(new JwtSettings(keys, ISSUER, AUDIENCE, "sub", rolesClaim, 1_000), checks);
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(AUDIENCE)
                .subject("alice")
                .claim("roles", List.of("clerks", "night shift"))
                .expirationTime(Date.from(Instant.now().plusSeconds(60)));
    }

    private static String signed(JWTClaimsSet claims, JWSAlgorithm algorithm, String keyId, JWSSigner signer)
            throws JOSEException {
        SignedJWT token =
                new SignedJWT(new JWSHeader.Builder(algorithm).keyID(keyId).build(), claims);
        token.sign(signer);
        return token.serialize();
    }

    private String signed(JWTClaimsSet.Builder claims) throws JOSEException {
        return signed(claims.build(), JWSAlgorithm.RS256, "first", new RSASSASigner(rsa));
    }

    private Principal login(@Nullable String user, String token) {
        Login login = new Login(user, token, null, "test", "10.0.0.1:1");
        assertThat(tokens.claims(login, false)).isTrue();
        return tokens.authenticate(login).toCompletableFuture().join();
    }

    private void assertRefused(String message, @Nullable String user, String token) {
        assertRefused(ErrorCode.UNAUTHENTICATED, message, user, token);
    }

    private void assertRefused(ErrorCode code, String message, @Nullable String user, String token) {
        assertThatThrownBy(() -> login(user, token))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageStartingWith(message)
                .message()
                .doesNotContain(token);
    }

    @Test
    void aGoodTokenBringsUserRolesAndExpiry() throws JOSEException {
        Instant expiry = Instant.now().plusSeconds(60).truncatedTo(ChronoUnit.SECONDS);
        Principal principal = login(null, signed(claims().expirationTime(Date.from(expiry))));
        assertThat(principal.name()).isEqualTo("alice");
        assertThat(principal.roles()).containsExactlyInAnyOrder("clerks", "night shift");
        assertThat(principal.expiresAtMs()).isEqualTo(expiry.toEpochMilli() + 1_000);
        assertThat(login("alice", signed(claims())).name()).isEqualTo("alice");
        assertThat(login("", signed(claims())).name()).isEqualTo("alice");
    }

    @Test
    void rolesMayLieDeeperAndBeOneText() throws JOSEException {
        tokens = tokens(folder.resolve("keys.json").toString(), "realm_access.roles");
        Map<String, Object> access = Map.of("roles", List.of("admins"));
        assertThat(login(null, signed(claims().claim("realm_access", access))).roles())
                .containsExactly("admins");
        tokens = tokens(folder.resolve("keys.json").toString(), "scope");
        assertThat(login(null, signed(claims().claim("scope", " send  send consume ")))
                        .roles())
                .containsExactlyInAnyOrder("send", "consume");
        assertThat(login(null, signed(claims())).roles()).isEmpty();
    }

    @Test
    void whatIsNotMeantForThisBrokerIsRefused() throws JOSEException {
        String message = "the token is not for this broker";
        assertRefused(message, null, signed(claims().issuer("https://other.example.org")));
        assertRefused(message, null, signed(claims().audience("another-service")));
        assertRefused(message, null, signed(claims().expirationTime(null)));
        assertRefused(message, null, signed(claims().subject(null)));
        assertRefused(
                message,
                null,
                signed(claims().notBeforeTime(Date.from(Instant.now().plusSeconds(60)))));
        assertRefused(
                "the token has expired",
                null,
                signed(claims().expirationTime(Date.from(Instant.now().minusSeconds(5)))));
        assertRefused("the token is another user's", "bob", signed(claims()));
        assertRefused("a user's name has", null, signed(claims().subject("anonymous")));
        assertRefused("a user's name has", null, signed(claims().subject("x\ny")));
    }

    @Test
    void whatTheIssuerHasNotSignedIsRefused() throws Exception {
        String message = "the token is not signed by one of the issuer's keys";
        RSAKey stranger = rsaKey("first");
        assertRefused(message, null, signed(claims().build(), JWSAlgorithm.RS256, "first", new RSASSASigner(stranger)));
        assertRefused(message, null, signed(claims().build(), JWSAlgorithm.RS256, "second", new RSASSASigner(rsa)));
        // The public key, taken for a shared secret.
        byte[] publicKey = rsa.toRSAPublicKey().getEncoded();
        assertRefused(message, null, signed(claims().build(), JWSAlgorithm.HS256, "first", new MACSigner(publicKey)));
        String good = signed(claims());
        String[] parts = good.split("\\.");
        String forged = java.util.Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(claims().subject("root").build().toString().getBytes(StandardCharsets.UTF_8));
        assertRefused(message, null, parts[0] + "." + forged + "." + parts[2]);
        String header = java.util.Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8));
        assertRefused(message, null, header + "." + parts[1] + "." + parts[2]);
        Login unsigned = new Login(null, new PlainJWT(claims().build()).serialize(), null, "test", "vm");
        assertThat(tokens.claims(unsigned, false)).isFalse();
    }

    @Test
    void aTokenOfAnotherTypeIsRefused() throws JOSEException {
        SignedJWT other = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID("first")
                        .type(new JOSEObjectType("logout+jwt"))
                        .build(),
                claims().build());
        other.sign(new RSASSASigner(rsa));
        assertRefused("the token is not signed", null, other.serialize());
    }

    @Test
    void aPasswordIsNoToken() {
        for (String password : List.of("secret", "a.b.c", "eyJ", "eyJhbGciOiJub25lIn0..", "eyJ.x.y z")) {
            assertThat(tokens.claims(new Login("alice", password, null, "test", "vm"), false))
                    .as(password)
                    .isFalse();
        }
    }

    @Test
    void keysFromAUrlAreFetchedAndFetchedAgainWhenTheyRotate() throws Exception {
        ECKey second = new ECKeyGenerator(Curve.P_256).keyID("second").generate();
        AtomicReference<String> published = new AtomicReference<>(new JWKSet(rsa.toPublicJWK()).toString());
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        serve(server, "/keys", published);
        server.start();
        try {
            tokens = tokens("http://127.0.0.1:" + server.getAddress().getPort() + "/keys", "roles");
            assertThat(login(null, signed(claims())).name()).isEqualTo("alice");
            published.set(new JWKSet(List.of(rsa.toPublicJWK(), second.toPublicJWK())).toString());
            String rotated = signed(claims().build(), JWSAlgorithm.ES256, "second", new ECDSASigner(second));
            assertThat(login(null, rotated).name()).isEqualTo("alice");
        } finally {
            server.stop(0);
        }
    }

    /** Nimbus' cache that does so has a thread which nobody ends, and which would keep a JVM alive. */
    @Test
    void keysAreNotFetchedAheadOfTime() throws IOException {
        JWKSource<SecurityContext> keys = TokenUsers.fetched(
                URI.create("https://login.example.org/keys").toURL(), new DefaultResourceRetriever());
        JWKSetSource<SecurityContext> source = ((JWKSetBasedJWKSource<SecurityContext>) keys).getJWKSetSource();
        while (source instanceof JWKSetSourceWrapper<SecurityContext> wrapper) {
            assertThat(source).isNotInstanceOf(RefreshAheadCachingJWKSetSource.class);
            source = wrapper.getSource();
        }
        assertThat(source).isInstanceOf(URLBasedJWKSetSource.class);
    }

    /** OpenID Connect: the issuer says where its keys are, and may move them. */
    @Test
    void theIssuerSaysWhereItsKeysAre() throws Exception {
        ECKey second = new ECKeyGenerator(Curve.P_256).keyID("second").generate();
        AtomicReference<String> document = new AtomicReference<>("");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String issuer = "http://127.0.0.1:" + server.getAddress().getPort() + "/realm";
        serve(server, "/realm/.well-known/openid-configuration", document);
        serve(server, "/keys", new AtomicReference<>(new JWKSet(rsa.toPublicJWK()).toString()));
        serve(server, "/moved", new AtomicReference<>(new JWKSet(second.toPublicJWK()).toString()));
        server.start();
        String keys = issuer.replace("/realm", "/keys");
        String ours = signed(claims().issuer(issuer));
        try {
            tokens = new TokenUsers(new JwtSettings(null, issuer, AUDIENCE, "sub", "roles", 1_000), checks);
            for (String wrong : List.of(
                    "nonsense",
                    "{}",
                    discovery(issuer + "/other", keys),
                    discovery(issuer, "http://keys.example.org/keys"))) {
                document.set(wrong);
                assertRefused(ErrorCode.LIMIT_EXCEEDED, "the token cannot be checked now", null, ours);
            }
            document.set(discovery(issuer, keys));
            assertThat(login(null, ours).name()).isEqualTo("alice");
            server.removeContext("/keys");
            document.set(discovery(issuer, issuer.replace("/realm", "/moved")));
            JWTClaimsSet claims = claims().issuer(issuer).build();
            String moved = signed(claims, JWSAlgorithm.ES256, "second", new ECDSASigner(second));
            assertThat(login(null, moved).name()).isEqualTo("alice");
        } finally {
            server.stop(0);
        }
    }

    private static String discovery(String issuer, String keys) {
        return "{\"issuer\":\"" + issuer + "\",\"jwks_uri\":\"" + keys + "\"}";
    }

    private static void serve(HttpServer server, String path, AtomicReference<String> text) {
        server.createContext(path, exchange -> {
            byte[] body = text.get().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    @Test
    void anIssuerThatCannotBeAskedNeedsKeys() {
        for (String issuer : List.of("us", "http://login.example.org", "https://")) {
            assertThatThrownBy(() -> new JwtSettings(null, issuer, AUDIENCE, "sub", "roles", 0))
                    .as(issuer)
                    .isInstanceOf(dev.turnstone.server.config.WrongSetting.class);
        }
    }

    @Test
    void withoutTheIssuersKeysNobodyGetsIn() throws Exception {
        int port = Ports.free();
        tokens = tokens("http://127.0.0.1:" + port + "/keys", "roles");
        assertRefused(ErrorCode.LIMIT_EXCEEDED, "the token cannot be checked now", null, signed(claims()));
    }

    @Test
    void aFileThatHoldsNoKeysIsRefusedAtTheStart() throws IOException {
        Path broken = folder.resolve("broken.json");
        for (String text : List.of("{}", "[]", "{\"keys\":[]}", "hello")) {
            Files.writeString(broken, text);
            assertThatThrownBy(() -> tokens(broken.toString(), "roles"))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageStartingWith(broken + ": ");
        }
        assertThatThrownBy(() -> tokens(folder.resolve("absent.json").toString(), "roles"))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void onlyItsOwnPrincipalsAreRenewed() throws JOSEException {
        Principal principal = login(null, signed(claims()));
        assertThat(tokens.renew(principal)).isEqualTo(principal);
        assertThat(tokens.renew(Principal.anonymous(java.util.Set.of()))).isNull();
    }
}
