package dev.turnstone.itests.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The case M08 but for permissions, and wills over a restart. */
class MqttWillTest {
    private static final Duration MOMENT = Duration.ofMillis(400);

    @RegisterExtension
    final MqttBroker broker = new MqttBroker();

    private MqttPeer watcher;

    @BeforeEach
    void watch() throws IOException {
        watcher = broker.connect(MqttLogin.v5("watcher").expiry(1_000));
        watcher.subscribe("will/#", 1);
    }

    private static MqttLogin device() {
        return MqttLogin.v5("device").will("will/device", "gone", 1, false);
    }

    private void awaitWill() throws IOException {
        MqttPublishMessage will = watcher.message();
        assertThat(will.variableHeader().topicName()).isEqualTo("will/device");
        assertThat(MqttPeer.text(will)).isEqualTo("gone");
        watcher.ack(MqttMessageType.PUBACK, will.variableHeader().packetId());
    }

    @Test
    void m08a_aTakeoverOfASessionThatEndsPublishesAtOnce() throws IOException {
        MqttPeer old = broker.connect(device().willDelay(30));
        MqttPeer fresh = broker.open();
        MqttConnAckMessage answer = fresh.login(MqttLogin.v5("device").keep(0));
        assertThat(answer.variableHeader().isSessionPresent()).isFalse();
        assertThat(old.awaitClose()).isEqualTo(0x8E);
        awaitWill();
    }

    @Test
    void m08b_eachAbnormalEndOfTheSessionPublishes() throws IOException {
        for (int end = 0; end < 3; end++) {
            broker.connect(device().keep(1_000)).close();
            awaitWill();
        }
    }

    /** A fault of the client's, and another connection that goes on with the session, are no orderly end either. */
    @Test
    void m08b_aFaultAndATakeoverPublishToo() throws IOException {
        MqttPeer wrong = broker.connect(device().keep(1_000));
        wrong.raw("3206 000174 0000 00");
        assertThat(wrong.awaitClose()).isEqualTo(0x82);
        awaitWill();
        MqttPeer old = broker.connect(device().keep(1_000));
        MqttPeer fresh = broker.open();
        assertThat(fresh.login(device().keep(1_000)).variableHeader().isSessionPresent())
                .isTrue();
        assertThat(old.awaitClose()).isEqualTo(0x8E);
        awaitWill();
        fresh.disconnect();
        assertThat(watcher.silent(MOMENT)).isTrue();
    }

    @Test
    void m08c_anOrderlyEndOrNoWillPublishesNothing() throws IOException {
        broker.connect(device()).disconnect();
        broker.connect(MqttLogin.v5("other")).close();
        assertThat(watcher.silent(MOMENT)).isTrue();
    }

    @Test
    void m08g_whoDisconnectsWithTheReasonForItGetsItsWillPublished() throws IOException {
        MqttPeer peer = broker.connect(device());
        peer.send(MqttMessageBuilders.disconnect().reasonCode((byte) 0x04).build());
        awaitWill();
    }

    @Test
    void whoIsRefusedHasNoWillAndLeavesNoSession() throws IOException {
        MqttPeer refused = broker.open();
        assertThat(refused.login(device().expiry(1_000).property(0x27, 8))
                        .variableHeader()
                        .connectReturnCode()
                        .byteValue())
                .isEqualTo((byte) 0x95);
        assertThat(refused.awaitClose()).isEqualTo(-1);
        assertThat(watcher.silent(MOMENT)).isTrue();
        MqttPeer back = broker.open();
        assertThat(back.login(MqttLogin.v5("device").keep(1_000))
                        .variableHeader()
                        .isSessionPresent())
                .isFalse();
        back.subscribe("t", 1);
        back.close();
        MqttPeer again = broker.open();
        again.login(device().keep(1_000).property(0x27, 8));
        assertThat(again.awaitClose()).isEqualTo(-1);
        assertThat(watcher.silent(MOMENT)).isTrue();
        assertThat(broker.open()
                        .login(MqttLogin.v5("device").keep(1_000))
                        .variableHeader()
                        .isSessionPresent())
                .as("the older session is there still")
                .isTrue();
    }

    @Test
    void aDelayedWillComesWhenTheDelayIsOver() throws IOException {
        broker.connect(device().expiry(100).willDelay(1)).close();
        assertThat(watcher.silent(Duration.ofMillis(700))).isTrue();
        awaitWill();
    }

    @Test
    void m08e_aDelayedWillComesWithTheSessionsEndAtTheLatestAlsoUnderLoad() throws IOException {
        broker.connect(device().expiry(1).willDelay(100)).close();
        MqttPeer busy = broker.connect(MqttLogin.v5("busy"));
        MqttPeer reader = broker.connect(MqttLogin.v5("reader"));
        reader.subscribe("load", 0);
        long end = System.nanoTime() + Duration.ofMillis(1_500).toNanos();
        while (System.nanoTime() < end) {
            for (int n = 0; n < 200; n++) {
                busy.publish("load", "x", 0, 0);
            }
            for (int n = 0; n < 200; n++) {
                reader.message();
            }
        }
        awaitWill();
        assertThat(watcher.silent(MOMENT)).isTrue();
    }

    @Test
    void whoIsBackInTimeIsNotMourned() throws IOException {
        broker.connect(device().expiry(100).willDelay(1)).close();
        MqttPeer back = broker.connect(MqttLogin.v5("device").keep(100));
        assertThat(watcher.silent(Duration.ofMillis(1_500))).isTrue();
        back.disconnect();
    }

    @Test
    void m08f_aCleanStartEndsTheOldSessionAndSendsItsWill() throws IOException {
        broker.connect(device().expiry(100).willDelay(50)).close();
        MqttPeer fresh = broker.open();
        assertThat(fresh.login(MqttLogin.v5("device")).variableHeader().isSessionPresent())
                .isFalse();
        awaitWill();
    }

    @Test
    void aDelayRunsOnWhileTheBrokerIsDown() throws IOException {
        broker.connect(device().expiry(100).willDelay(4)).close();
        // Until the broker has taken note of the end.
        assertThat(watcher.silent(MOMENT)).isTrue();
        watcher.close();
        broker.stop();
        Awaitility.await().pollDelay(Duration.ofSeconds(4)).until(() -> true);
        broker.start();
        long began = System.nanoTime();
        watcher = broker.connect(MqttLogin.v5("watcher").keep(1_000));
        awaitWill();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
        assertThat(watcher.silent(MOMENT)).isTrue();
    }

    @Test
    void whoWasConnectedWhenTheBrokerStoppedIsMournedAfterItsStart() throws IOException {
        broker.connect(device());
        watcher.close();
        broker.stop();
        broker.start();
        watcher = broker.connect(MqttLogin.v5("watcher").keep(1_000));
        awaitWill();
        assertThat(watcher.silent(MOMENT)).isTrue();
    }

    @Test
    void aLargeWillSurvivesARestart() throws IOException {
        String large = "x".repeat(60_000);
        broker.connect(MqttLogin.v5("device")
                        .expiry(100)
                        .will("will/device", large, 1, false)
                        .willDelay(1))
                .close();
        watcher.close();
        broker.stop();
        broker.start();
        watcher = broker.connect(MqttLogin.v5("watcher").keep(1_000));
        assertThat(MqttPeer.text(watcher.message())).isEqualTo(large);
    }

    @Test
    void aWillOfNoTopicIsRefused() throws IOException {
        for (String topic : new String[] {"", "a/+", "#"}) {
            MqttPeer peer = broker.open();
            assertThat(peer.login(MqttLogin.v5("device").will(topic, "x", 0, false))
                            .variableHeader()
                            .connectReturnCode()
                            .byteValue())
                    .isEqualTo((byte) 0x90);
        }
    }
}
