package dev.turnstone.itests.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The cases M01 to M04 and M06; with a kill of the broker they are in the crash campaign. */
class MqttExactlyOnceTest {
    private static final Duration MOMENT = Duration.ofMillis(300);
    private static final long LONG_S = 0xffff_ffffL;

    @RegisterExtension
    final MqttBroker broker = new MqttBroker();

    private MqttPeer subscriber() throws IOException {
        MqttPeer subscriber = broker.connect(MqttLogin.v5("subscriber").expiry(LONG_S));
        assertThat(subscriber.subscribe("t", 2)).isEqualTo(2);
        return subscriber;
    }

    /** Receives a message at QoS 2, with all four packets. */
    private static String received(MqttPeer subscriber) throws IOException {
        MqttPublishMessage message = subscriber.message();
        int packetId = message.variableHeader().packetId();
        assertThat(message.fixedHeader().qosLevel().value()).isEqualTo(2);
        subscriber.ack(MqttMessageType.PUBREC, packetId);
        subscriber.await(MqttMessageType.PUBREL, packetId);
        subscriber.ack(MqttMessageType.PUBCOMP, packetId);
        // The answer says that what came before it has been read.
        subscriber.raw("c000");
        subscriber.await(MqttMessageType.PINGRESP);
        return MqttPeer.text(message);
    }

    private static void duplicate(MqttPeer publisher, String payload, int packetId) throws IOException {
        publisher.publish("t", payload, 2, packetId, true, false, MqttProperties.NO_PROPERTIES);
    }

    @Test
    void m01_aDuplicateBeforePubrelIsAnsweredAndNotDelivered() throws IOException {
        MqttPeer subscriber = subscriber();
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher"));
        publisher.publish("t", "A", 2, 7);
        publisher.await(MqttMessageType.PUBREC, 7);
        for (int again = 0; again < 5; again++) {
            duplicate(publisher, "A", 7);
        }
        for (int again = 0; again < 5; again++) {
            assertThat(publisher.await(MqttMessageType.PUBREC, 7)).isZero();
        }
        publisher.ack(MqttMessageType.PUBREL, 7);
        assertThat(publisher.await(MqttMessageType.PUBCOMP, 7)).isZero();
        assertThat(received(subscriber)).isEqualTo("A");
        assertThat(subscriber.silent(MOMENT)).isTrue();
        publisher.publish("t", "B", 2, 7);
        publisher.await(MqttMessageType.PUBREC, 7);
        assertThat(received(subscriber)).as("the identifier is free again").isEqualTo("B");
        assertThat(publisher.silent(MOMENT)).as("each packet is answered once").isTrue();
    }

    @Test
    void m02_aDuplicateAfterAReconnectIsOneDelivery() throws IOException {
        duplicateAfter(() -> {});
    }

    @Test
    void m03_aDuplicateAfterARestartIsOneDelivery() throws IOException {
        duplicateAfter(() -> {
            broker.stop();
            broker.start();
        });
    }

    private void duplicateAfter(Runnable event) throws IOException {
        MqttPeer subscriber = subscriber();
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher").expiry(LONG_S));
        publisher.publish("t", "A", 2, 7);
        publisher.await(MqttMessageType.PUBREC, 7);
        assertThat(received(subscriber)).isEqualTo("A");
        publisher.close();
        event.run();

        MqttPeer back = broker.open();
        MqttConnAckMessage answer = back.login(MqttLogin.v5("publisher").keep(LONG_S));
        assertThat(answer.variableHeader().isSessionPresent()).isTrue();
        duplicate(back, "A", 7);
        back.await(MqttMessageType.PUBREC, 7);
        back.ack(MqttMessageType.PUBREL, 7);
        assertThat(back.await(MqttMessageType.PUBCOMP, 7)).isZero();

        MqttPeer reader = broker.connect(MqttLogin.v5("subscriber").keep(LONG_S));
        assertThat(reader.silent(MOMENT)).isTrue();
        back.publish("t", "B", 2, 7);
        back.await(MqttMessageType.PUBREC, 7);
        assertThat(received(reader)).isEqualTo("B");
    }

    @Test
    void m04_anOwedPubrelIsSentFirstAndTheMessageNotAgain() throws IOException {
        owedPubrelAfter(() -> {});
    }

    @Test
    void m04_anOwedPubrelSurvivesARestart() throws IOException {
        owedPubrelAfter(() -> {
            broker.stop();
            broker.start();
        });
    }

    private void owedPubrelAfter(Runnable event) throws IOException {
        MqttPeer subscriber = subscriber();
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher"));
        publisher.publish("t", "A", 2, 1);
        publisher.publish("t", "B", 2, 2);
        int first = subscriber.message().variableHeader().packetId();
        MqttPublishMessage second = subscriber.message();
        subscriber.ack(MqttMessageType.PUBREC, first);
        subscriber.await(MqttMessageType.PUBREL, first);
        subscriber.close();
        event.run();

        MqttPeer back = broker.open();
        assertThat(back.login(MqttLogin.v5("subscriber").keep(LONG_S))
                        .variableHeader()
                        .isSessionPresent())
                .isTrue();
        back.await(MqttMessageType.PUBREL, first);
        MqttPublishMessage again = back.message();
        assertThat(MqttPeer.text(again)).isEqualTo("B");
        assertThat(again.fixedHeader().isDup()).isTrue();
        assertThat(again.variableHeader().packetId())
                .isEqualTo(second.variableHeader().packetId());
        back.ack(MqttMessageType.PUBCOMP, first);
        assertThat(back.silent(MOMENT)).isTrue();
    }

    @Test
    void m06_aPubrelForNothingHasNoEffect() throws IOException {
        MqttPeer five = broker.connect(MqttLogin.v5("five"));
        five.ack(MqttMessageType.PUBREL, 9);
        assertThat(five.await(MqttMessageType.PUBCOMP, 9)).isEqualTo(0x92);
        MqttPeer three = broker.connect(MqttLogin.v3("three"));
        three.ack(MqttMessageType.PUBREL, 9);
        assertThat(three.await(MqttMessageType.PUBCOMP, 9)).isZero();
        five.ack(MqttMessageType.PUBREC, 4);
        assertThat(five.await(MqttMessageType.PUBREL, 4)).isEqualTo(0x92);
        five.ack(MqttMessageType.PUBACK, 4);
        five.ack(MqttMessageType.PUBCOMP, 4);
        assertThat(five.silent(MOMENT)).isTrue();
    }

    @Test
    void m06_theIdentifierZeroIsAProtocolError() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("p"));
        peer.raw("3206 000174 0000 00");
        assertThat(peer.awaitClose()).isEqualTo(0x82);
    }

    /** A client that has lost count is answered, and nothing comes twice (MQTT 5 §4.3.3). */
    @Test
    void m05_aLatePubrecIsAnswered() throws IOException {
        MqttPeer subscriber = subscriber();
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher"));
        publisher.publish("t", "A", 2, 1);
        int id = subscriber.message().variableHeader().packetId();
        for (int again = 0; again < 3; again++) {
            subscriber.ack(MqttMessageType.PUBREC, id);
            assertThat(subscriber.await(MqttMessageType.PUBREL, id)).isZero();
        }
        subscriber.ack(MqttMessageType.PUBCOMP, id);
        subscriber.raw("c000");
        subscriber.await(MqttMessageType.PINGRESP);
        subscriber.ack(MqttMessageType.PUBREC, id);
        assertThat(subscriber.await(MqttMessageType.PUBREL, id)).isEqualTo(0x92);
        subscriber.ack(MqttMessageType.PUBCOMP, id);
        publisher.await(MqttMessageType.PUBREC, 1);
        publisher.publish("t", "B", 2, 2);
        assertThat(received(subscriber)).isEqualTo("B");
        assertThat(subscriber.silent(MOMENT)).isTrue();
    }

    @Test
    void m01_m02_aDuplicateIn311IsOneDelivery() throws IOException {
        MqttLogin login = MqttLogin.v3("publisher").keep(LONG_S);
        MqttPeer subscriber = subscriber();
        MqttPeer publisher = broker.connect(login);
        for (int copy = 0; copy < 3; copy++) {
            publisher.publish("t", "A", 2, 7, copy > 0, false, MqttProperties.NO_PROPERTIES);
            publisher.await(MqttMessageType.PUBREC, 7);
        }
        publisher.close();
        MqttPeer back = broker.open();
        assertThat(back.login(login).variableHeader().isSessionPresent()).isTrue();
        duplicate(back, "A", 7);
        back.await(MqttMessageType.PUBREC, 7);
        back.ack(MqttMessageType.PUBREL, 7);
        back.await(MqttMessageType.PUBCOMP, 7);
        assertThat(received(subscriber)).isEqualTo("A");
        assertThat(subscriber.silent(MOMENT)).isTrue();
    }

    @Test
    void m12_aRetainedMessageAtQos2IsRetainedOnceAndDurably() throws IOException {
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher").expiry(LONG_S));
        for (int copy = 0; copy < 2; copy++) {
            publisher.publish("kept", "A", 2, 7, copy > 0, true, MqttProperties.NO_PROPERTIES);
            publisher.await(MqttMessageType.PUBREC, 7);
        }
        broker.stop();
        broker.start();
        MqttPeer back = broker.connect(MqttLogin.v5("publisher").keep(LONG_S));
        back.publish("kept", "A", 2, 7, true, true, MqttProperties.NO_PROPERTIES);
        back.await(MqttMessageType.PUBREC, 7);
        MqttPeer subscriber = broker.connect(MqttLogin.v5("subscriber").expiry(LONG_S));
        subscriber.subscribe("kept", 2);
        MqttPublishMessage message = subscriber.message();
        assertThat(message.fixedHeader().isRetain()).isTrue();
        int id = message.variableHeader().packetId();
        subscriber.ack(MqttMessageType.PUBREC, id);
        subscriber.await(MqttMessageType.PUBREL, id);
        subscriber.ack(MqttMessageType.PUBCOMP, id);
        assertThat(subscriber.silent(MOMENT)).isTrue();
    }

    @Test
    void qos1ComesAgainWithDupAndTheSameIdentifier() throws IOException {
        MqttPeer subscriber = broker.connect(MqttLogin.v3("subscriber").keep(LONG_S));
        assertThat(subscriber.subscribe("t", 1)).isEqualTo(1);
        MqttPeer publisher = broker.connect(MqttLogin.v3("publisher"));
        publisher.publish("t", "A", 1, 1);
        publisher.await(MqttMessageType.PUBACK, 1);
        MqttPublishMessage first = subscriber.message();
        assertThat(first.fixedHeader().isDup()).isFalse();
        subscriber.close();
        MqttPeer back = broker.connect(MqttLogin.v3("subscriber").keep(LONG_S));
        MqttPublishMessage again = back.message();
        assertThat(again.fixedHeader().isDup()).isTrue();
        assertThat(again.variableHeader().packetId())
                .isEqualTo(first.variableHeader().packetId());
        back.ack(MqttMessageType.PUBACK, again.variableHeader().packetId());
        assertThat(back.silent(MOMENT)).isTrue();
        back.disconnect();
        assertThat(broker.connect(MqttLogin.v3("subscriber").keep(LONG_S)).silent(MOMENT))
                .isTrue();
    }

    @Test
    void noMoreThanTheReceiveMaximumIsOutAndOrderIsKept() throws IOException {
        MqttPeer subscriber =
                broker.connect(MqttLogin.v5("subscriber").expiry(LONG_S).property(0x21, 3));
        subscriber.subscribe("t", 2);
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher"));
        for (int n = 1; n <= 9; n++) {
            publisher.publish("t", "m" + n, 1, n);
        }
        List<String> texts = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            List<MqttPublishMessage> out = List.of(subscriber.message(), subscriber.message(), subscriber.message());
            assertThat(subscriber.silent(Duration.ofMillis(100))).isTrue();
            for (MqttPublishMessage message : out) {
                texts.add(MqttPeer.text(message));
                subscriber.ack(MqttMessageType.PUBACK, message.variableHeader().packetId());
            }
        }
        assertThat(texts).containsExactly("m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9");
    }

    /** A place is free with PUBCOMP, or with a PUBREC that refuses (MQTT 5 §4.9). */
    @Test
    void atQos2NoMoreThanTheReceiveMaximumIsOutUntilPubcomp() throws IOException {
        MqttPeer subscriber =
                broker.connect(MqttLogin.v5("subscriber").expiry(LONG_S).property(0x21, 2));
        subscriber.subscribe("t", 2);
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher"));
        for (int n = 1; n <= 4; n++) {
            publisher.publish("t", "m" + n, 2, n);
        }
        for (int n = 1; n <= 4; n += 2) {
            MqttPublishMessage first = subscriber.message();
            MqttPublishMessage second = subscriber.message();
            assertThat(List.of(MqttPeer.text(first), MqttPeer.text(second))).containsExactly("m" + n, "m" + (n + 1));
            for (MqttPublishMessage message : List.of(first, second)) {
                int id = message.variableHeader().packetId();
                subscriber.ack(MqttMessageType.PUBREC, id);
                subscriber.await(MqttMessageType.PUBREL, id);
            }
            assertThat(subscriber.silent(Duration.ofMillis(100))).isTrue();
            for (MqttPublishMessage message : List.of(first, second)) {
                subscriber.ack(MqttMessageType.PUBCOMP, message.variableHeader().packetId());
            }
        }
        assertThat(subscriber.silent(MOMENT)).isTrue();
    }

    @Test
    void moreThanTheBrokersReceiveMaximumEndsTheConnection() throws IOException {
        MqttPeer publisher = broker.connect(MqttLogin.v5("publisher"));
        for (int n = 1; n <= 1_001; n++) {
            publisher.publish("t", "m", 2, n);
        }
        assertThat(publisher.awaitClose()).isEqualTo(0x93);
    }

    @Test
    void whereTwoPositionsSayTheSameIdentifierTheLaterMessageHasAnotherOneForGood() throws IOException {
        MqttPeer subscriber = broker.connect(MqttLogin.v3("subscriber").keep(LONG_S));
        subscriber.subscribe("t", 2);
        MqttPeer elsewhere = broker.connect(MqttLogin.v3("elsewhere").keep(LONG_S));
        elsewhere.subscribe("other", 0);
        MqttPeer publisher = broker.connect(MqttLogin.v3("publisher"));
        for (int n = 1; n <= 100; n++) {
            publisher.publish("t", "early " + n, 2, n);
        }
        List<Integer> early = ids(subscriber, 100);
        fill(publisher, elsewhere);
        for (int n = 101; n <= 900; n++) {
            publisher.publish("t", "late " + n, 2, n);
        }
        List<Integer> late = ids(subscriber, 800);
        Set<Integer> all = new HashSet<>(early);
        all.addAll(late);
        assertThat(all).as("no identifier is used twice").hasSize(900);
        assertThat(late)
                .as("some are not what their positions say")
                .isNotEqualTo(late.stream().sorted().toList());
        subscriber.close();
        broker.stop();
        broker.start();
        MqttPeer back = broker.connect(MqttLogin.v3("subscriber").keep(LONG_S));
        assertThat(ids(back, 100)).isEqualTo(early);
        assertThat(ids(back, 800)).isEqualTo(late);
    }

    private static List<Integer> ids(MqttPeer subscriber, int count) throws IOException {
        List<Integer> ids = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            ids.add(subscriber.message().variableHeader().packetId());
        }
        return ids;
    }

    /** Takes positions until the next ones say about what the first messages' have said. */
    private static void fill(MqttPeer publisher, MqttPeer elsewhere) throws IOException {
        int taken = 0;
        while (taken < 65_535 - 1_000) {
            for (int n = 0; n < 500; n++) {
                publisher.publish("other", "x", 0, 0);
            }
            taken += 500;
            for (int n = 0; n < 500; n++) {
                elsewhere.message();
            }
        }
    }
}
