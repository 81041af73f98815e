package dev.turnstone.itests.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.IntegerProperty;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttUnsubAckMessage;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients that come back to what was on its way to them, with other filters or terms, or to nothing. */
class MqttReturnTest {
    private static final Duration MOMENT = Duration.ofMillis(300);
    private static final long LONG_S = 1_000;

    @RegisterExtension
    final MqttBroker broker = new MqttBroker();

    private void restart() {
        broker.stop();
        broker.start();
    }

    private void publish(String topic, int qos, int count) throws IOException {
        MqttPeer publisher = broker.connect(MqttLogin.v3("publisher"));
        for (int n = 1; n <= count; n++) {
            publisher.publish(topic, "m" + n, qos, n);
            publisher.await(qos == 2 ? MqttMessageType.PUBREC : MqttMessageType.PUBACK, n);
        }
        publisher.disconnect();
    }

    private static int qos(MqttPublishMessage message) {
        return message.fixedHeader().qosLevel().value();
    }

    /** MQTT-3.8.4-8. */
    @Test
    void theQosOfWhatWaitsIsThatOfItsFilterThoughThatIsSubscribedToAnew() throws IOException {
        MqttLogin login = MqttLogin.v3("c").keep(LONG_S);
        MqttPeer first = broker.connect(login);
        first.subscribe("t", 1);
        first.disconnect();
        publish("t", 2, 1);
        MqttPeer second = broker.connect(login);
        MqttPublishMessage out = second.message();
        second.subscribe("t", 1);
        second.close();
        restart();
        MqttPublishMessage again = broker.connect(login).message();
        assertThat(List.of(qos(out), qos(again))).containsExactly(1, 1);
        assertThat(again.variableHeader().packetId())
                .isEqualTo(out.variableHeader().packetId());
    }

    @Test
    void whatIsOnItsWayKeepsItsQosThoughItsFilterIsGone() throws IOException {
        MqttLogin login = MqttLogin.v5("c").keep(LONG_S);
        MqttPeer first = broker.connect(login);
        first.subscribe("a/#", 2);
        first.subscribe("a/+", 1);
        publish("a/b", 2, 1);
        MqttPublishMessage out = first.message();
        first.send(MqttMessageBuilders.unsubscribe()
                .messageId(9)
                .addTopicFilter("a/#")
                .build());
        first.await(MqttMessageType.UNSUBACK);
        first.close();
        restart();
        MqttPublishMessage again = broker.connect(login).message();
        assertThat(List.of(qos(out), qos(again))).containsExactly(2, 2);
        assertThat(again.variableHeader().packetId())
                .isEqualTo(out.variableHeader().packetId());
    }

    /** MQTT-4.4.0-1: whether it has expired meanwhile or not. */
    @Test
    void whatIsOnItsWayComesAgainThoughItHasExpired() throws IOException {
        MqttLogin login = MqttLogin.v5("c").keep(LONG_S);
        MqttPeer first = broker.connect(login);
        first.subscribe("t", 2);
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher"));
        MqttProperties expiring = new MqttProperties();
        expiring.add(new IntegerProperty(0x02, 1));
        publisher.publish("t", "m", 2, 1, false, false, expiring);
        publisher.await(MqttMessageType.PUBREC, 1);
        int id = first.message().variableHeader().packetId();
        first.close();
        long sent = System.nanoTime();
        Awaitility.await().until(() -> System.nanoTime() - sent > 1_200_000_000L);
        MqttPublishMessage again = broker.connect(login).message();
        assertThat(again.fixedHeader().isDup()).isTrue();
        assertThat(again.variableHeader().packetId()).isEqualTo(id);
    }

    @Test
    void aSmallerReceiveMaximumHoldsForWhatIsOwedToo() throws IOException {
        MqttPeer first = broker.connect(MqttLogin.v5("c").keep(LONG_S).property(0x21, 100));
        first.subscribe("t", 2);
        publish("t", 2, 10);
        List<Integer> ids = new ArrayList<>();
        for (int n = 0; n < 10; n++) {
            ids.add(first.message().variableHeader().packetId());
        }
        for (int id : ids) {
            first.ack(MqttMessageType.PUBREC, id);
            first.await(MqttMessageType.PUBREL, id);
        }
        first.close();
        publish("t", 2, 10);
        MqttPeer back = broker.connect(MqttLogin.v5("c").keep(LONG_S).property(0x21, 3));
        for (int id : ids) {
            back.await(MqttMessageType.PUBREL, id);
        }
        for (int id : ids) {
            back.ack(MqttMessageType.PUBCOMP, id);
        }
        for (int n = 1; n <= 3; n++) {
            assertThat(MqttPeer.text(back.message())).isEqualTo("m" + n);
        }
        assertThat(back.silent(MOMENT)).as("three are out").isTrue();
    }

    /** MQTT-4.6.0-6: what is delivered at QoS 0, whatever it was sent at. */
    @Test
    void atQos0NothingOvertakesWhatMustBeSettledFirst() throws IOException {
        MqttLogin login = MqttLogin.v5("c").keep(LONG_S);
        MqttPeer first = broker.connect(login);
        first.subscribe("t", 0);
        first.disconnect();
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher"));
        for (int n = 1; n <= 9; n++) {
            publisher.publish("t", "m" + n, n % 3 == 0 ? 0 : 1, n % 3 == 0 ? 0 : n);
        }
        publisher.publish("elsewhere", "", 2, 10);
        for (int n = 1; n <= 9; n++) {
            if (n % 3 != 0) {
                publisher.await(MqttMessageType.PUBACK, n);
            }
        }
        publisher.await(MqttMessageType.PUBREC, 10);
        MqttPeer back = broker.connect(login);
        List<String> texts = new ArrayList<>();
        for (int n = 1; n <= 9; n++) {
            texts.add(MqttPeer.text(back.message()));
        }
        assertThat(texts).containsExactly("m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9");
    }

    @Test
    void theMaximumPacketSizeIsThatOfTheConnectionThatThereIs() throws IOException {
        MqttPeer first = broker.connect(MqttLogin.v5("c").keep(LONG_S));
        first.subscribe("t", 2);
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher"));
        String large = "x".repeat(500);
        publisher.publish("t", large, 2, 1);
        publisher.publish("t", "small", 2, 2);
        assertThat(MqttPeer.text(first.message())).isEqualTo(large);
        assertThat(MqttPeer.text(first.message())).isEqualTo("small");
        first.close();
        MqttPeer narrow = broker.connect(MqttLogin.v5("c").keep(LONG_S).property(0x27, 200));
        assertThat(MqttPeer.text(narrow.message()))
                .as("the large one counts as delivered")
                .isEqualTo("small");
        narrow.close();
        publisher.publish("t", large + "y", 2, 3);
        MqttPeer wide = broker.connect(MqttLogin.v5("c").keep(LONG_S));
        MqttPublishMessage again = wide.message();
        assertThat(MqttPeer.text(again)).isEqualTo("small");
        assertThat(again.fixedHeader().isDup()).isTrue();
        assertThat(MqttPeer.text(wide.message())).isEqualTo(large + "y");
        assertThat(wide.silent(MOMENT)).isTrue();
    }

    private int addresses() {
        return broker.broker().report(1).toCompletableFuture().join().addresses();
    }

    @Test
    void aSessionThatEndsWithItsConnectionHasAQueueFromItsFirstFilterOn() throws IOException {
        int before = addresses();
        MqttPeer peer = broker.connect(MqttLogin.v5("c").property(0x21, 1));
        peer.publish("t", "nobody's", 1, 1);
        peer.await(MqttMessageType.PUBACK, 1);
        peer.send(MqttMessageBuilders.unsubscribe()
                .messageId(9)
                .addTopicFilter("t")
                .build());
        MqttUnsubAckMessage none = (MqttUnsubAckMessage) peer.await(MqttMessageType.UNSUBACK);
        assertThat(none.payload().unsubscribeReasonCodes()).containsExactly((short) 0x11);
        assertThat(addresses()).isEqualTo(before);
        peer.subscribe("t", 1);
        assertThat(addresses()).isGreaterThan(before);
        peer.subscribe("u", 1);
        publish("t", 1, 2);
        MqttPublishMessage first = peer.message();
        assertThat(peer.silent(MOMENT)).as("one may be out").isTrue();
        peer.ack(MqttMessageType.PUBACK, first.variableHeader().packetId());
        assertThat(MqttPeer.text(peer.message())).isEqualTo("m2");
        peer.close();
        Awaitility.await().until(() -> addresses() == before);
    }

    /** Not only its state is gone, but what it had subscribed to. */
    @Test
    void aCleanStartLeavesNoQueueOfTheOlderSession() throws IOException {
        int before = addresses();
        MqttPeer older = broker.connect(MqttLogin.v5("c").keep(LONG_S));
        older.subscribe("t", 1);
        older.disconnect();
        MqttPeer clean = broker.connect(MqttLogin.v5("c"));
        assertThat(addresses()).isEqualTo(before);
        clean.subscribe("u", 1);
        publish("t", 1, 1);
        assertThat(clean.silent(MOMENT)).isTrue();
    }

    @Test
    void theEndOfASessionDeletesItsQueue() throws IOException {
        int before = addresses();
        MqttPeer peer = broker.connect(MqttLogin.v5("c").expiry(1));
        peer.subscribe("t", 1);
        peer.close();
        assertThat(addresses()).isGreaterThan(before);
        Awaitility.await().until(() -> addresses() == before);
    }

    @Test
    void aSessionWhoseQueueIsGoneIsNotPresent() throws IOException {
        MqttLogin login = MqttLogin.v5("c").keep(LONG_S);
        MqttPeer first = broker.connect(login);
        first.subscribe("t", 1);
        first.publish("elsewhere", "m", 2, 7);
        first.await(MqttMessageType.PUBREC, 7);
        first.close();
        broker.broker().share();
        String url = "vm://?data=" + broker.data();
        try (JMSContext owner = new TurnstoneConnectionFactory(url).createContext()) {
            Awaitility.await().ignoreExceptions().until(() -> {
                owner.setClientID("c");
                return true;
            });
            owner.unsubscribe("mqtt session");
        }
        MqttPeer back = broker.open();
        assertThat(back.login(login).variableHeader().isSessionPresent()).isFalse();
        back.publish("t", "not a duplicate", 2, 7);
        back.await(MqttMessageType.PUBREC, 7);
        assertThat(back.silent(MOMENT)).as("no filter").isTrue();
        assertThat(back.subscribe("t", 1)).isOne();
        back.publish("t", "taken", 1, 8);
        List<MqttMessageType> types = List.of(
                back.next().fixedHeader().messageType(),
                back.next().fixedHeader().messageType());
        assertThat(types).containsExactlyInAnyOrder(MqttMessageType.PUBACK, MqttMessageType.PUBLISH);
        back.close();
        MqttPeer again = broker.open();
        assertThat(again.login(login).variableHeader().isSessionPresent()).isTrue();
    }
}
