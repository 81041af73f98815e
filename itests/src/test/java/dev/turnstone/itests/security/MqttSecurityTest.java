package dev.turnstone.itests.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.server.security.Permission;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.stomp.StompClient;
import io.netty.handler.codec.mqtt.MqttMessageType;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users and permissions in MQTT's words; M08 (h). */
class MqttSecurityTest {
    private static final Duration MOMENT = Duration.ofMillis(400);

    @TempDir
    Path folder;

    private SecuredBroker broker;

    @BeforeEach
    void start() {
        broker = new SecuredBroker(folder);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private MqttPeer connect(MqttLogin login) throws IOException {
        return MqttPeer.connect(broker.mqttPort(), login);
    }

    private static MqttLogin alice(MqttLogin login) {
        return login.user("alice", SecuredBroker.ALICE);
    }

    private static MqttLogin bob(MqttLogin login) {
        return login.user("bob", SecuredBroker.BOB);
    }

    private int refusal(MqttLogin login) throws IOException {
        try (MqttPeer peer = MqttPeer.open(broker.mqttPort())) {
            return peer.login(login).variableHeader().connectReturnCode().byteValue() & 0xff;
        }
    }

    @Test
    void whoIsUnknownDoesNotGetIn() throws IOException {
        assertThat(refusal(MqttLogin.v5("c").user("alice", "wrong"))).isEqualTo(0x86);
        assertThat(refusal(MqttLogin.v3("c").user("alice", "wrong"))).isEqualTo(4);
        assertThat(refusal(MqttLogin.v5("c"))).isEqualTo(0x86);
    }

    @Test
    void whatIsNotAllowedIsRefusedWithTheReason() throws IOException {
        try (MqttPeer peer = connect(bob(MqttLogin.v5("b")))) {
            peer.publish("orders/new", "x", 1, 1);
            assertThat(peer.await(MqttMessageType.PUBACK, 1)).isEqualTo(0x87);
            peer.publish("orders/new", "x", 2, 2);
            assertThat(peer.await(MqttMessageType.PUBREC, 2)).isEqualTo(0x87);
            peer.publish("orders/new", "x", 0, 0);
            peer.publish("inbox/bob", "x", 2, 2);
            assertThat(peer.await(MqttMessageType.PUBREC, 2)).isZero();
            assertThat(peer.subscribe("orders/new", 1)).isEqualTo(0x87);
            assertThat(peer.subscribe("inbox/bob", 1)).isEqualTo(1);
        }
        try (MqttPeer peer = connect(bob(MqttLogin.v3("b")))) {
            assertThat(peer.subscribe("orders/new", 1)).isEqualTo(0x80);
            peer.publish("orders/new", "x", 1, 1);
            assertThat(peer.awaitClose()).as("3.1.1 has no word for it").isEqualTo(-1);
        }
        await().untilAsserted(() -> assertThat(broker.auditText()).contains("may not send to topic:orders.new"));
    }

    @Test
    void aWildcardDeliversWhatIsAllowed() throws IOException {
        try (MqttPeer reader = connect(bob(MqttLogin.v5("b")));
                MqttPeer writer = connect(alice(MqttLogin.v5("a")))) {
            assertThat(reader.subscribe("#", 1)).isEqualTo(1);
            writer.publish("orders/new", "secret", 1, 1);
            writer.await(MqttMessageType.PUBACK, 1);
            reader.publish("inbox/bob", "mine", 0, 0);
            assertThat(MqttPeer.text(reader.message())).isEqualTo("mine");
        }
    }

    /** The filter stays, and what comes meanwhile is not for its client; nor does it come later. */
    @Test
    void aSubscriberWhoseRightsAreTakenAwayGetsNothingUntilTheyAreBack() throws IOException {
        Permission writes = Permission.of(List.of("clerks"), "orders.>", List.of("all"));
        Permission reads = Permission.of(List.of("*"), "orders.>", List.of("consume"));
        broker.permit(List.of(writes, reads));
        try (MqttPeer exact = connect(bob(MqttLogin.v5("exact")));
                MqttPeer wide = connect(bob(MqttLogin.v5("wide")));
                MqttPeer writer = connect(alice(MqttLogin.v5("a")))) {
            assertThat(exact.subscribe("orders/new", 1)).isEqualTo(1);
            assertThat(wide.subscribe("orders/#", 1)).isEqualTo(1);
            String[] texts = {"before", "meanwhile", "after"};
            for (int n = 0; n < texts.length; n++) {
                broker.permit(n == 1 ? List.of(writes) : List.of(writes, reads));
                writer.publish("orders/new", texts[n], 1, n + 1);
                writer.await(MqttMessageType.PUBACK, n + 1);
                if (n == 1) {
                    assertThat(exact.subscribe("orders/old", 1)).isEqualTo(0x87);
                    assertThat(exact.silent(MOMENT)).isTrue();
                    assertThat(wide.silent(MOMENT)).isTrue();
                } else {
                    assertThat(MqttPeer.text(exact.message())).isEqualTo(texts[n]);
                    assertThat(MqttPeer.text(wide.message())).isEqualTo(texts[n]);
                }
            }
        }
    }

    @Test
    void m08_aWillIsSentOnlyWhereItsClientMay() throws IOException {
        try (MqttPeer watcher = connect(alice(MqttLogin.v5("a")))) {
            watcher.subscribe("orders/#", 0);
            connect(bob(MqttLogin.v5("b")).will("orders/will", "not allowed", 1, false))
                    .close();
            assertThat(watcher.silent(MOMENT)).isTrue();
            connect(alice(MqttLogin.v5("a2")).will("orders/will", "allowed", 1, false))
                    .close();
            assertThat(MqttPeer.text(watcher.message())).isEqualTo("allowed");
        }
        await().untilAsserted(
                        () -> assertThat(broker.auditText()).contains("user 'bob' may not send to topic:orders.will"));
    }

    /** What a pattern says of the client identifier holds for its will, too, which is sent when it has gone. */
    @Test
    void m08_aClientsWillGoesWhereItsIdentifierMay() throws IOException {
        String own = "user 'bob' may not send to topic:device.own";
        String anothers = "user 'bob' may not send to topic:device.another";
        try (MqttPeer peer = connect(bob(MqttLogin.v5("own")).will("device/own", "dead", 1, true))) {
            peer.publish("device/own", "alive", 1, 1);
            assertThat(peer.await(MqttMessageType.PUBACK, 1))
                    .as("nobody subscribes")
                    .isIn(0, 0x10);
            peer.publish("device/another", "x", 1, 2);
            assertThat(peer.await(MqttMessageType.PUBACK, 2)).isEqualTo(0x87);
        }
        connect(bob(MqttLogin.v5("own")).will("device/another", "dead", 1, false))
                .close();
        await().untilAsserted(() -> assertThat(broker.auditText().split(anothers, -1))
                .as("by itself, and by its will")
                .hasSize(3));
        assertThat(broker.auditText()).doesNotContain(own);
    }

    @Test
    void aSessionBelongsToItsUser() throws IOException {
        try (MqttPeer mine = connect(alice(MqttLogin.v5("c").expiry(100)))) {
            assertThat(refusal(bob(MqttLogin.v5("c").keep(100)))).isEqualTo(0x87);
            mine.raw("c000");
            mine.await(MqttMessageType.PINGRESP);
            mine.disconnect();
        }
        assertThat(refusal(bob(MqttLogin.v5("c").keep(100)))).isEqualTo(0x87);
        assertThat(refusal(alice(MqttLogin.v5("c").keep(100)))).isZero();
    }

    /** Refused until the client that had the identifier before is gone. */
    private Connection bobsPhone() throws JMSException {
        Connection made = broker.jms().createConnection("bob", SecuredBroker.BOB);
        try {
            made.setClientID("phone");
            made.start();
            return made;
        } catch (JMSException e) {
            made.close();
            throw e;
        }
    }

    @Test
    void aSessionsQueueIsItsUsersInOtherProtocolsToo() throws IOException, JMSException {
        try (MqttPeer phone = connect(alice(MqttLogin.v5("phone").expiry(100)))) {
            assertThat(phone.subscribe("orders/new", 1)).isEqualTo(1);
            phone.disconnect();
        }
        try (StompClient alice = broker.stompAs("alice", SecuredBroker.ALICE)) {
            alice.sendConfirmed("/topic/orders.new", "one");
        }
        String anothers = "the subscription 'mqtt session' belongs to another user than 'bob'";
        try (Connection bob = await().ignoreExceptions().until(this::bobsPhone, made -> true)) {
            Session session = bob.createSession();
            Queue queue = session.createQueue("::phone.mqtt session");
            assertThatThrownBy(
                            () -> session.createBrowser(queue).getEnumeration().hasMoreElements())
                    .hasMessage(anothers);
            assertThatThrownBy(() -> session.createConsumer(queue)).hasMessage(anothers);
            assertThatThrownBy(() -> session.unsubscribe("mqtt session")).hasMessage(anothers);
        }
        String[] login = {"login", "bob", "passcode", SecuredBroker.BOB, "client-id", "phone"};
        try (StompClient bob = broker.stomp(login)) {
            assertThatThrownBy(() -> bob.subscribe("s", "/queue/::phone.mqtt session", "auto"))
                    .hasMessageContaining(anothers);
        }
        try (MqttPeer phone = connect(alice(MqttLogin.v5("phone").keep(100)))) {
            assertThat(MqttPeer.text(phone.message())).isEqualTo("one");
        }
    }

    @Test
    void aUserWhoIsRemovedIsDisconnected() throws IOException {
        try (MqttPeer peer = connect(bob(MqttLogin.v5("b")))) {
            broker.users.remove("bob");
            assertThat(peer.awaitClose()).isEqualTo(0x87);
        }
    }
}
