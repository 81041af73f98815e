package dev.turnstone.itests.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
import dev.turnstone.server.security.JwtSettings;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompRefusedException;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A token in place of a password, and what happens when its time is over. */
final class TokenTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String ISSUER = "https://login.example.org";

    @TempDir
    Path folder;

    private ECKey key;
    private SecuredBroker broker;

    @BeforeEach
    void start() throws IOException, JOSEException {
        key = new ECKeyGenerator(Curve.P_256).keyID("k").generate();
        Path keys = folder.resolve("keys.json");
        Files.writeString(keys, new JWKSet(key.toPublicJWK()).toString());
        broker = new SecuredBroker(folder, new JwtSettings(keys.toString(), ISSUER, "turnstone", "sub", "roles", 0));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private String token(String user, long seconds) throws JOSEException {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k").build(),
                new JWTClaimsSet.Builder()
                        .issuer(ISSUER)
                        .audience("turnstone")
                        .subject(user)
                        .claim("roles", List.of("clerks"))
                        .expirationTime(Date.from(Instant.now().plusSeconds(seconds)))
                        .build());
        token.sign(new ECDSASigner(key));
        return token.serialize();
    }

    @Test
    void aTokenIsThePasscodeAndItsRolesHold() throws IOException, JOSEException {
        try (StompClient carol = broker.stomp("passcode", token("carol", 600))) {
            carol.sendConfirmed("/queue/orders.new", "one");
            carol.sendConfirmed("/queue/inbox.carol", "mine");
            carol.subscribe("s", "/queue/orders.new", "auto");
            assertThat(carol.message(PATIENCE).text()).isEqualTo("one");
            assertThatThrownBy(() -> carol.subscribe("t", "/queue/inbox.alice", "auto"))
                    .hasMessageContaining("user 'carol' may not consume from queue:inbox.alice");
        }
        broker.stompAs("alice", SecuredBroker.ALICE).disconnect();
    }

    @Test
    void aTokenThatIsOverOrForgedIsRefused() throws JOSEException {
        String over = token("carol", -5);
        assertThatThrownBy(() -> broker.stomp("passcode", over))
                .isInstanceOf(StompRefusedException.class)
                .hasMessageContaining("the token has expired")
                .message()
                .doesNotContain(over);
        String good = token("carol", 600);
        String forged = good.substring(0, good.length() - 8) + "AAAAAAAA";
        assertThatThrownBy(() -> broker.jms().createConnection(null, forged).start())
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("not signed by one of the issuer's keys")
                .message()
                .doesNotContain(forged);
    }

    @Test
    void aStompConnectionEndsWithItsToken() throws IOException, JOSEException {
        try (StompClient carol = broker.stomp("login", "carol", "passcode", token("carol", 3))) {
            carol.sendConfirmed("/queue/orders.new", "one");
            assertThat(carol.awaitError(PATIENCE).header("message")).isEqualTo("the login of user 'carol' has expired");
        }
    }

    @Test
    void anMqttConnectionEndsWithItsToken() throws IOException, JOSEException {
        try (MqttPeer carol =
                MqttPeer.connect(broker.mqttPort(), MqttLogin.v5("c").user("carol", token("carol", 3)))) {
            assertThat(carol.awaitClose()).as("not authorized").isEqualTo(0x87);
        }
        try (MqttPeer carol =
                MqttPeer.connect(broker.mqttPort(), MqttLogin.v3("c").user("carol", token("carol", 3)))) {
            assertThat(carol.awaitClose()).as("3.1.1 has no word for it").isEqualTo(-1);
        }
    }

    @Test
    void anOpenWireConnectionEndsWithItsToken() throws JMSException, JOSEException {
        List<JMSException> heard = new CopyOnWriteArrayList<>();
        try (Connection carol = broker.activeMq().createConnection("carol", token("carol", 5))) {
            carol.setExceptionListener(heard::add);
            carol.start();
            await().atMost(PATIENCE)
                    .until(() -> heard.stream()
                            .anyMatch(one -> one.getMessage().contains("the login of user 'carol' has expired")));
        }
    }

    @Test
    void aJmsConnectionEndsWithItsToken() throws JMSException, JOSEException {
        List<JMSException> heard = new CopyOnWriteArrayList<>();
        try (Connection carol = broker.jms().createConnection("carol", token("carol", 3))) {
            carol.setExceptionListener(heard::add);
            carol.start();
            await().atMost(PATIENCE).until(() -> !heard.isEmpty());
            assertThat(heard.get(0)).hasMessageContaining("the login of user 'carol' has expired");
        }
    }
}
