package dev.turnstone.itests.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.IntegerProperty;
import io.netty.handler.codec.mqtt.MqttQoS;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sessions, their ends and takeovers, keep-alive: the cases M13 and M17. */
class MqttSessionTest {
    private static final Duration MOMENT = Duration.ofMillis(300);
    /** Of one with the broker's maxima, an identifier of 37 bytes, a keep-alive and without shared subscriptions. */
    private static final int CONNACK_BYTES = 2 + 2 + 1 + 5 + 2 + 3 + 40 + 3;

    @RegisterExtension
    final MqttBroker broker = new MqttBroker(Map.of("keepAliveMaxS", "30", "sessionExpiryMaxS", "5000"));

    private boolean present(MqttLogin login) throws IOException {
        MqttPeer peer = broker.open();
        boolean present = peer.login(login).variableHeader().isSessionPresent();
        peer.disconnect();
        return present;
    }

    private void publish(String text) throws IOException {
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher"));
        publisher.publish("t", text, 1, 1);
        publisher.await(MqttMessageType.PUBACK, 1);
        publisher.disconnect();
    }

    @Test
    void whatComesMeanwhileWaits() throws IOException {
        for (MqttLogin login :
                List.of(MqttLogin.v3("three").keep(1_000), MqttLogin.v5("five").keep(1_000))) {
            MqttPeer peer = broker.connect(login);
            peer.subscribe("t", 1);
            peer.disconnect();
        }
        publish("x");
        broker.stop();
        broker.start();
        for (MqttLogin login :
                List.of(MqttLogin.v3("three").keep(1_000), MqttLogin.v5("five").keep(1_000))) {
            MqttPeer back = broker.open();
            assertThat(back.login(login).variableHeader().isSessionPresent()).isTrue();
            assertThat(MqttPeer.text(back.message())).isEqualTo("x");
        }
    }

    @Test
    void m13_aCleanSessionEndsWithItsConnectionAndWithTheBroker() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v3("three"));
        peer.subscribe("t", 1);
        peer.close();
        publish("x");
        MqttPeer back = broker.open();
        assertThat(back.login(MqttLogin.v3("three").keep(0)).variableHeader().isSessionPresent())
                .isFalse();
        assertThat(back.silent(MOMENT)).isTrue();
        back.disconnect();
        MqttPeer five = broker.connect(MqttLogin.v5("five"));
        five.subscribe("t", 1);
        broker.stop();
        broker.start();
        publish("x");
        MqttPeer after = broker.open();
        assertThat(after.login(MqttLogin.v5("five").keep(0)).variableHeader().isSessionPresent())
                .isFalse();
        after.subscribe("t", 1);
        assertThat(after.silent(MOMENT)).isTrue();
    }

    @Test
    void aCleanStartForgets() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("c").expiry(1_000));
        peer.subscribe("t", 1);
        peer.close();
        publish("x");
        assertThat(present(MqttLogin.v5("c").expiry(1_000))).isFalse();
        MqttPeer back = broker.open();
        assertThat(back.login(MqttLogin.v5("c").keep(1_000)).variableHeader().isSessionPresent())
                .isTrue();
        assertThat(back.silent(MOMENT)).isTrue();
    }

    @Test
    void m13_aSessionExpiresAlsoWhileTheBrokerIsDown() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("c").expiry(1));
        peer.subscribe("t", 1);
        peer.disconnect();
        MqttPeer longer = broker.connect(MqttLogin.v5("d").expiry(1_000));
        longer.subscribe("t", 1);
        longer.disconnect();
        publish("x");
        long endNanos = System.nanoTime();
        broker.stop();
        Awaitility.await().until(() -> System.nanoTime() - endNanos > 1_300_000_000L);
        broker.start();
        MqttPeer back = broker.open();
        assertThat(back.login(MqttLogin.v5("c").keep(1)).variableHeader().isSessionPresent())
                .isFalse();
        back.subscribe("t", 1);
        assertThat(back.silent(MOMENT)).as("what waited is gone").isTrue();
        assertThat(present(MqttLogin.v5("d").keep(1))).isTrue();
    }

    @Test
    void m13_anExpiryInDisconnectIsHonoured() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("c").expiry(1_000));
        disconnect(peer, 0);
        assertThat(present(MqttLogin.v5("c").keep(1_000))).isFalse();
        MqttPeer again = broker.connect(MqttLogin.v5("c").keep(1_000));
        disconnect(again, 2_000);
        assertThat(present(MqttLogin.v5("c").keep(1_000))).isTrue();
    }

    @Test
    void m13_anExpiryInDisconnectWhereThereWasNoneIsAProtocolError() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("c"));
        MqttProperties properties = new MqttProperties();
        properties.add(new IntegerProperty(0x11, 5));
        peer.send(MqttMessageBuilders.disconnect()
                .reasonCode((byte) 0)
                .properties(properties)
                .build());
        assertThat(peer.awaitClose()).isEqualTo(0x82);
    }

    private static void disconnect(MqttPeer peer, int expiryS) throws IOException {
        MqttProperties properties = new MqttProperties();
        properties.add(new IntegerProperty(0x11, expiryS));
        peer.send(MqttMessageBuilders.disconnect()
                .reasonCode((byte) 0)
                .properties(properties)
                .build());
        assertThat(peer.awaitClose()).isEqualTo(-1);
    }

    @Test
    void limitsOfTheListenerAreTold() throws IOException {
        MqttPeer peer = broker.open();
        MqttConnAckMessage answer = peer.login(MqttLogin.v5("").keepAlive(0).expiry(0xffff_ffffL));
        MqttProperties properties = answer.variableHeader().properties();
        assertThat(properties.getProperty(0x13).value()).isEqualTo(30);
        assertThat(properties.getProperty(0x11).value()).isEqualTo(5_000);
        assertThat(properties.getProperty(0x2A).value()).isEqualTo(0);
        assertThat(properties.getProperty(0x21).value()).isEqualTo(1_000);
        assertThat(properties.getProperty(0x27).value()).isEqualTo(1_114_112);
        assertThat((String) properties.getProperty(0x12).value()).startsWith("auto-");
    }

    /** What the client has to know is not left out of CONNACK (MQTT 5 §3.2.2.3). */
    @Test
    void aClientThatTakesOnlySmallPacketsIsToldTheTermsOrIsRefused() throws IOException {
        MqttPeer small = broker.open();
        MqttConnAckMessage answer = small.login(MqttLogin.v5("").property(0x27, CONNACK_BYTES));
        assertThat(answer.variableHeader().connectReturnCode().byteValue()).isZero();
        assertThat(String.valueOf(
                        answer.variableHeader().properties().getProperty(0x12).value()))
                .startsWith("auto-");
        assertThat(answer.variableHeader().properties().getProperty(0x2A).value())
                .isEqualTo(0);
        MqttPeer smaller = broker.open();
        assertThat(smaller.login(MqttLogin.v5("").property(0x27, CONNACK_BYTES - 1))
                        .variableHeader()
                        .connectReturnCode()
                        .byteValue())
                .isEqualTo((byte) 0x95);
        assertThat(smaller.awaitClose()).isEqualTo(-1);
    }

    @Test
    void aClientIdentifierHasNoControlCharacters() throws IOException {
        for (String clientId : List.of("a\u0001b", "a\u007fb", "a\u0085b")) {
            assertThat(broker.open()
                            .login(MqttLogin.v5(clientId).will("w", "gone", 0, false))
                            .variableHeader()
                            .connectReturnCode()
                            .byteValue())
                    .isEqualTo((byte) 0x85);
            assertThat(broker.open()
                            .login(MqttLogin.v3(clientId))
                            .variableHeader()
                            .connectReturnCode()
                            .byteValue())
                    .isEqualTo((byte) 2);
        }
    }

    /** MQTT-3.1.4-3. */
    @Test
    void aClientTakesOverAlsoWhereItsUserMayHaveOneConnection() throws IOException {
        broker.stop();
        broker.start(BrokerSettings.in(broker.data()).withLimits(Limits.DEFAULTS.with(Limit.USER_CONNECTIONS_MAX, 1)));
        MqttPeer old = broker.connect(MqttLogin.v5("c").keep(1_000));
        for (int again = 0; again < 3; again++) {
            MqttPeer fresh = broker.connect(MqttLogin.v5("c").keep(1_000));
            assertThat(old.awaitClose()).isEqualTo(0x8E);
            old = fresh;
        }
    }

    @Test
    void aClientThatComesManyTimesAtOnceIsThereOnceInTheEnd() throws IOException {
        List<MqttPeer> peers = new ArrayList<>();
        for (int n = 0; n < 30; n++) {
            MqttPeer peer = broker.open();
            peer.start(MqttLogin.v5("c").keep(1_000).will("w", "gone", 1, false));
            peers.add(peer);
        }
        int[] taken = new int[1];
        List<Integer> ends = new ArrayList<>();
        for (MqttPeer peer : peers) {
            MqttConnAckMessage answer = (MqttConnAckMessage) peer.next();
            taken[0] += answer.variableHeader().connectReturnCode().byteValue() == 0 ? 1 : 0;
            ends.add(answer.variableHeader().connectReturnCode().byteValue() & 0xff);
        }
        assertThat(ends).as("accepted, or taken over before that").isSubsetOf(0, 0x89);
        assertThat(taken[0]).isPositive();
        MqttPeer last = broker.connect(MqttLogin.v5("c").keep(1_000));
        last.raw("c000");
        last.await(MqttMessageType.PINGRESP);
    }

    @Test
    void aClientThatTakesNoAnswerToItsSubscriptionsIsTold() throws IOException {
        MqttPeer small = broker.connect(MqttLogin.v5("small").property(0x27, 40));
        MqttMessageBuilders.SubscribeBuilder many =
                MqttMessageBuilders.subscribe().messageId(1);
        for (int n = 0; n < 40; n++) {
            many.addSubscription(MqttQoS.AT_MOST_ONCE, "t" + n);
        }
        small.send(many.build());
        assertThat(small.awaitClose()).isEqualTo(0x95);
    }

    @Test
    void m17_whoIsSilentIsDroppedWhateverItGets() throws IOException {
        MqttPeer quiet = broker.connect(MqttLogin.v5("quiet").keepAlive(1).will("w", "gone", 0, false));
        quiet.subscribe("t", 0);
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher"));
        publisher.subscribe("w", 0);
        CompletableFuture<Integer> end = CompletableFuture.supplyAsync(() -> {
            try {
                return quiet.awaitClose();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        long began = System.nanoTime();
        Awaitility.await().pollInterval(Duration.ofMillis(100)).until(() -> {
            publisher.publish("t", "x", 0, 0);
            return end.isDone();
        });
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isBetween(Duration.ofMillis(1_300), Duration.ofSeconds(4));
        assertThat(end.join()).isEqualTo(0x8D);
        assertThat(MqttPeer.text(publisher.message())).isEqualTo("gone");
    }

    /** The broker's limit counts in place of what the client has asked for (MQTT 5 §3.2.2.3.14). */
    @Test
    void m17_whoNeitherReadsNorSendsIsDroppedThoughItsSocketIsFull() throws IOException {
        MqttPeer watcher = broker.connect(MqttLogin.v5("watcher"));
        watcher.subscribe("will", 0);
        MqttPeer frozen = broker.connect(MqttLogin.v5("frozen").keepAlive(2).will("will", "frozen", 0, false));
        frozen.subscribe("flood", 0);
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher"));
        String large = "x".repeat(1_000_000);
        for (int n = 0; n < 30; n++) {
            publisher.publish("flood", large, 0, 0);
        }
        assertThat(MqttPeer.text(watcher.message())).isEqualTo("frozen");
    }

    @Test
    void m17_theServersKeepAliveIsToldAndHolds() throws IOException {
        int port = broker.broker()
                .listen("mqtt", MqttBroker.HOST, 0, Map.of("keepAliveMaxS", "1"))
                .port();
        for (int asked : new int[] {0, 60}) {
            try (MqttPeer quiet = MqttPeer.open(port)) {
                MqttConnAckMessage answer = quiet.login(MqttLogin.v5("quiet").keepAlive(asked));
                assertThat(answer.variableHeader()
                                .properties()
                                .getProperty(0x13)
                                .value())
                        .isEqualTo(1);
                long began = System.nanoTime();
                assertThat(quiet.awaitClose()).isEqualTo(0x8D);
                assertThat(Duration.ofNanos(System.nanoTime() - began))
                        .isBetween(Duration.ofMillis(1_300), Duration.ofSeconds(5));
            }
        }
    }

    @Test
    void m17_pingsKeepAConnection() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v3("c").keepAlive(1));
        for (int n = 0; n < 5; n++) {
            assertThat(peer.silent(Duration.ofMillis(500))).isTrue();
            peer.raw("c000");
            peer.await(MqttMessageType.PINGRESP);
        }
    }

    @Test
    void manyTakeoversAtOnceLeaveOne() throws IOException {
        List<CompletableFuture<MqttPeer>> logins = IntStream.range(0, 8)
                .mapToObj(n -> CompletableFuture.supplyAsync(() -> {
                    try {
                        MqttPeer peer = MqttPeer.open(broker.port());
                        peer.login(MqttLogin.v5("same").keep(1_000));
                        return peer;
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                }))
                .toList();
        // Only when all have logged in is it decided who stays.
        List<MqttPeer> peers = logins.stream().map(CompletableFuture::join).toList();
        int alive = 0;
        for (MqttPeer peer : peers) {
            try {
                peer.raw("c000");
                peer.await(MqttMessageType.PINGRESP);
                alive++;
            } catch (IOException e) {
                // Taken over.
            }
            if (alive == 0) {
                peer.close();
            }
        }
        assertThat(alive).isEqualTo(1);
    }

    @Test
    void messagesBeforeADisconnectAreTaken() throws IOException {
        MqttPeer subscriber = broker.connect(MqttLogin.v3("s"));
        subscriber.subscribe("t", 0);
        MqttPeer publisher = broker.connect(MqttLogin.v3("p"));
        for (int n = 0; n < 2_000; n++) {
            publisher.publish("t", "m" + n, 0, 0);
        }
        publisher.disconnect();
        for (int n = 0; n < 2_000; n++) {
            assertThat(MqttPeer.text(subscriber.message())).isEqualTo("m" + n);
        }
    }
}
