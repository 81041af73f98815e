package dev.turnstone.itests.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.IntegerProperty;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttSubAckMessage;
import io.netty.handler.codec.mqtt.MqttSubscriptionOption;
import io.netty.handler.codec.mqtt.MqttUnsubAckMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Filters, their options and identifiers: the case M09, dollar topics, QoS, limits of the client. */
class MqttSubscriptionTest {
    private static final Duration MOMENT = Duration.ofMillis(300);

    @RegisterExtension
    final MqttBroker broker = new MqttBroker(Map.of("queueMax", "0"));

    static List<Integer> subscribe(MqttPeer peer, int id, MqttSubscriptionOption option, String... filters)
            throws IOException {
        MqttProperties properties = new MqttProperties();
        if (id > 0) {
            properties.add(new IntegerProperty(0x0B, id));
        }
        MqttMessageBuilders.SubscribeBuilder subscribe =
                MqttMessageBuilders.subscribe().messageId(3).properties(properties);
        for (String filter : filters) {
            subscribe.addSubscription(filter, option);
        }
        peer.send(subscribe.build());
        return ((MqttSubAckMessage) peer.await(MqttMessageType.SUBACK))
                .payload()
                .reasonCodes();
    }

    static MqttSubscriptionOption option(int qos, boolean noLocal, boolean retainAsPublished, int handling) {
        return new MqttSubscriptionOption(
                MqttQoS.valueOf(qos),
                noLocal,
                retainAsPublished,
                MqttSubscriptionOption.RetainedHandlingPolicy.valueOf(handling));
    }

    private static List<Integer> ids(MqttPublishMessage message) {
        return message.variableHeader().properties().getProperties(0x0B).stream()
                .map(property -> (Integer) property.value())
                .toList();
    }

    @Test
    void m09_identifiersFollowTheirSubscriptions() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("s"));
        MqttPeer publisher = broker.connect(MqttLogin.v5("p"));
        MqttSubscriptionOption plain = option(0, false, false, 0);
        subscribe(peer, 3, plain, "foo/+");
        publisher.publish("foo/a", "1", 0, 0);
        assertThat(ids(peer.message())).containsExactly(3);
        subscribe(peer, 0, plain, "foo/+");
        publisher.publish("foo/a", "2", 0, 0);
        assertThat(ids(peer.message())).isEmpty();
        subscribe(peer, 300_000, plain, "foo/#");
        subscribe(peer, 7, plain, "foo/+", "foo/a");
        publisher.publish("foo/a", "3", 0, 0);
        MqttPublishMessage one = peer.message();
        assertThat(ids(one)).containsExactlyInAnyOrder(300_000, 7, 7);
        assertThat(peer.silent(MOMENT)).as("overlapping filters are one copy").isTrue();
    }

    @Test
    void theHighestQosOfOverlappingFiltersCountsAndNeverMoreThanWasPublished() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v3("s"));
        assertThat(peer.subscribe("a/#", 0)).isZero();
        assertThat(peer.subscribe("a/+", 2)).isEqualTo(2);
        MqttPeer publisher = broker.connect(MqttLogin.v3("p"));
        for (int qos = 0; qos <= 2; qos++) {
            publisher.publish("a/b", "x", qos, 1 + qos);
            assertThat(peer.message().fixedHeader().qosLevel().value()).isEqualTo(qos);
        }
        publisher.publish("a/b/c", "x", 2, 9);
        assertThat(peer.message().fixedHeader().qosLevel().value()).isZero();
    }

    @Test
    void wildcardsLeaveOutDollarTopics() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("s"));
        subscribe(peer, 0, option(0, false, false, 0), "#", "+/x", "/+", "a//+");
        MqttPeer publisher = broker.connect(MqttLogin.v5("p"));
        publisher.publish("$data/x", "hidden", 0, 0);
        publisher.publish("/x", "1", 0, 0);
        publisher.publish("a//", "2", 0, 0);
        assertThat(MqttPeer.text(peer.message())).isEqualTo("1");
        assertThat(MqttPeer.text(peer.message())).isEqualTo("2");
        peer.subscribe("$data/#", 0);
        publisher.publish("$data/x", "seen", 0, 0);
        assertThat(MqttPeer.text(peer.message())).isEqualTo("seen");
    }

    @Test
    void noLocalLeavesOutOnesOwn() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("s"));
        subscribe(peer, 0, option(0, true, false, 0), "t/#");
        peer.publish("t/own", "mine", 0, 0);
        MqttPeer publisher = broker.connect(MqttLogin.v5("p"));
        publisher.publish("t/other", "theirs", 0, 0);
        assertThat(MqttPeer.text(peer.message())).isEqualTo("theirs");
        subscribe(peer, 0, option(0, false, false, 0), "t/own");
        peer.publish("t/own", "both", 0, 0);
        assertThat(MqttPeer.text(peer.message())).as("by the other filter").isEqualTo("both");
        assertThat(peer.silent(MOMENT)).isTrue();
    }

    /** Neither its QoS nor its identifier counts for what it leaves out, also after a restart. */
    @Test
    void aFilterWithNoLocalCountsForNothingInOnesOwn() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("s").expiry(100));
        subscribe(peer, 3, option(0, false, false, 0), "t/#");
        subscribe(peer, 7, option(2, true, false, 0), "t/+");
        MqttPeer other = broker.connect(MqttLogin.v5("other"));
        subscribe(other, 9, option(1, true, false, 0), "t/+");
        peer.publish("t/own", "mine", 1, 1);
        expect(other.message(), "mine", 1, 9);
        expect(ofTwo(peer, MqttMessageType.PUBACK), "mine", 0, 3);
        other.publish("t/own", "theirs", 1, 1);
        expect(peer.message(), "theirs", 1, 3, 7);
        peer.close();
        MqttPeer again = broker.connect(MqttLogin.v5("s").keep(100).property(0x21, 1));
        assertThat(MqttPeer.text(again.message())).as("one that may be out").isEqualTo("theirs");
        again.publish("t/own", "after", 1, 2);
        again.await(MqttMessageType.PUBACK, 2);
        again.close();
        broker.stop();
        broker.start();
        MqttPeer back = broker.connect(MqttLogin.v5("s").keep(100));
        expect(back.message(), "theirs", 1, 3, 7);
        expect(back.message(), "after", 0, 3);
    }

    private static MqttPublishMessage ofTwo(MqttPeer peer, MqttMessageType other) throws IOException {
        MqttMessage first = peer.next();
        MqttMessage second = peer.next();
        boolean inOrder = first instanceof MqttPublishMessage;
        assertThat((inOrder ? second : first).fixedHeader().messageType()).isEqualTo(other);
        return (MqttPublishMessage) (inOrder ? first : second);
    }

    private static void expect(MqttPublishMessage message, String text, int qos, Integer... subscriptions) {
        assertThat(MqttPeer.text(message)).isEqualTo(text);
        assertThat(message.fixedHeader().qosLevel().value()).as(text).isEqualTo(qos);
        assertThat(ids(message)).as(text).containsExactlyInAnyOrder(subscriptions);
    }

    @Test
    void anUnsubscribeEndsAndSaysWhetherThereWasOne() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("s"));
        peer.subscribe("a", 1);
        peer.send(MqttMessageBuilders.unsubscribe()
                .messageId(5)
                .addTopicFilter("a")
                .addTopicFilter("b")
                .properties(MqttProperties.NO_PROPERTIES)
                .build());
        MqttUnsubAckMessage answer = (MqttUnsubAckMessage) peer.await(MqttMessageType.UNSUBACK);
        assertThat(answer.payload().unsubscribeReasonCodes()).containsExactly((short) 0, (short) 0x11);
        MqttPeer publisher = broker.connect(MqttLogin.v5("p"));
        publisher.publish("a", "x", 1, 1);
        publisher.await(MqttMessageType.PUBACK, 1);
        assertThat(peer.silent(MOMENT)).isTrue();
    }

    @Test
    void aFilterThatIsNotTakenIsRefusedAloneInItsPlace() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("s"));
        List<Integer> codes = subscribe(peer, 0, option(1, false, false, 0), "a", "b/" + "x".repeat(5_000), "c");
        assertThat(codes).containsExactly(1, 0x8F, 1);
    }

    @Test
    void whatIsLargerThanTheClientTakesIsLeftOutAndCountsAsSent() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("s").property(0x27, 100));
        peer.subscribe("t", 2);
        MqttPeer publisher = broker.connect(MqttLogin.v5("p"));
        publisher.publish("t", "x".repeat(200), 2, 1);
        publisher.publish("t", "small", 2, 2);
        assertThat(MqttPeer.text(peer.message())).isEqualTo("small");
    }

    @Test
    void aMessageThatHasExpiredIsNotDelivered() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("s").expiry(100));
        peer.subscribe("t", 1);
        peer.disconnect();
        MqttPeer publisher = broker.connect(MqttLogin.v5("p"));
        for (int seconds : new int[] {1, 60}) {
            MqttProperties properties = new MqttProperties();
            properties.add(new IntegerProperty(0x02, seconds));
            publisher.publish("t", "for " + seconds, 1, seconds, false, false, properties);
            publisher.await(MqttMessageType.PUBACK, seconds);
        }
        assertThat(publisher.silent(Duration.ofMillis(1_100))).isTrue();
        MqttPeer back = broker.connect(MqttLogin.v5("s").keep(100));
        MqttPublishMessage message = back.message();
        assertThat(MqttPeer.text(message)).isEqualTo("for 60");
        assertThat((Integer)
                        message.variableHeader().properties().getProperty(0x02).value())
                .isBetween(50, 59);
    }

    @Test
    void aDedupIdMakesQos1ExactlyOnce() throws IOException {
        MqttPeer peer = broker.connect(MqttLogin.v5("s"));
        peer.subscribe("t", 1);
        for (int again = 1; again <= 3; again++) {
            MqttPeer publisher = broker.connect(MqttLogin.v5("p" + again));
            MqttProperties properties = new MqttProperties();
            properties.add(new MqttProperties.UserProperty("dedup-id", "the one"));
            publisher.publish("t", "x", 1, again, false, false, properties);
            publisher.await(MqttMessageType.PUBACK, again);
        }
        assertThat(MqttPeer.text(peer.message())).isEqualTo("x");
        assertThat(peer.silent(MOMENT)).isTrue();
    }

    @Test
    void aPayloadThatIsNotItsFormatIsRefused() throws IOException {
        MqttPeer publisher = broker.connect(MqttLogin.v5("p"));
        publisher.raw("3209 000174 0001 02 0101 ff");
        assertThat(publisher.await(MqttMessageType.PUBACK, 1)).isEqualTo(0x99);
        publisher.publish("$SYS/x", "x", 2, 2);
        assertThat(publisher.await(MqttMessageType.PUBREC, 2)).isEqualTo(0x90);
    }
}
