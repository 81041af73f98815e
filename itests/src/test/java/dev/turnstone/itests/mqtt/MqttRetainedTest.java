package dev.turnstone.itests.mqtt;

import static dev.turnstone.itests.mqtt.MqttSubscriptionTest.option;
import static dev.turnstone.itests.mqtt.MqttSubscriptionTest.subscribe;
import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The case M12, and retained wills (M08 d). */
class MqttRetainedTest {
    private static final Duration MOMENT = Duration.ofMillis(300);

    @RegisterExtension
    final MqttBroker broker = new MqttBroker();

    private MqttPeer publisher;

    @BeforeEach
    void connect() throws IOException {
        publisher = broker.connect(MqttLogin.v5("publisher"));
    }

    private void retain(String topic, String payload, int qos) throws IOException {
        publisher.publish(topic, payload, qos, 1, false, true, MqttProperties.NO_PROPERTIES);
        if (qos == 1) {
            publisher.await(MqttMessageType.PUBACK, 1);
        } else if (qos == 2) {
            publisher.await(MqttMessageType.PUBREC, 1);
            publisher.ack(MqttMessageType.PUBREL, 1);
            publisher.await(MqttMessageType.PUBCOMP, 1);
        }
    }

    private static String retained(MqttPeer peer) throws IOException {
        MqttPublishMessage message = peer.message();
        assertThat(message.fixedHeader().isRetain()).isTrue();
        assertThat(message.fixedHeader().isDup()).isFalse();
        if (message.fixedHeader().qosLevel().value() == 1) {
            peer.ack(MqttMessageType.PUBACK, message.variableHeader().packetId());
        }
        return message.variableHeader().topicName() + "=" + MqttPeer.text(message);
    }

    @Test
    void m12_theLastOneCountsAndAnEmptyOneEndsIt() throws IOException {
        retain("a", "old", 1);
        retain("a", "new", 1);
        MqttPeer peer = broker.connect(MqttLogin.v5("s"));
        peer.subscribe("a", 1);
        assertThat(retained(peer)).isEqualTo("a=new");
        retain("a", "", 1);
        MqttPublishMessage live = peer.message();
        assertThat(live.payload().readableBytes())
                .as("subscribers get the empty one too")
                .isZero();
        MqttPeer late = broker.connect(MqttLogin.v5("late"));
        late.subscribe("a", 1);
        assertThat(late.silent(MOMENT)).isTrue();
    }

    @Test
    void m12_aWildcardGetsAllThatMatchAtTheirQos() throws IOException {
        retain("h/1", "one", 0);
        retain("h/2", "two", 1);
        retain("h/3/x", "three", 2);
        retain("$d/x", "hidden", 1);
        MqttPeer peer = broker.connect(MqttLogin.v5("s"));
        peer.subscribe("#", 1);
        Set<String> all = new TreeSet<>();
        for (int n = 0; n < 3; n++) {
            all.add(retained(peer));
        }
        assertThat(all).containsExactly("h/1=one", "h/2=two", "h/3/x=three");
        assertThat(peer.silent(MOMENT)).isTrue();
    }

    @Test
    void m12_handlingSaysWhen() throws IOException {
        retain("a", "x", 0);
        MqttPeer peer = broker.connect(MqttLogin.v5("s"));
        subscribe(peer, 0, option(0, false, false, 2), "a");
        assertThat(peer.silent(MOMENT)).isTrue();
        subscribe(peer, 0, option(0, false, false, 1), "a");
        assertThat(peer.silent(MOMENT)).as("the subscription is there already").isTrue();
        subscribe(peer, 0, option(0, false, false, 0), "a");
        assertThat(retained(peer)).isEqualTo("a=x");
        MqttPeer other = broker.connect(MqttLogin.v5("other"));
        subscribe(other, 0, option(0, false, false, 1), "a");
        assertThat(retained(other)).isEqualTo("a=x");
    }

    @Test
    void m12_theFlagIsClearedOnWhatIsForwardedUnlessAskedFor() throws IOException {
        MqttPeer plain = broker.connect(MqttLogin.v5("plain"));
        subscribe(plain, 0, option(0, false, false, 0), "a");
        MqttPeer asPublished = broker.connect(MqttLogin.v5("asPublished"));
        subscribe(asPublished, 0, option(0, false, true, 0), "a");
        retain("a", "x", 0);
        assertThat(plain.message().fixedHeader().isRetain()).isFalse();
        assertThat(asPublished.message().fixedHeader().isRetain()).isTrue();
        publisher.publish("a", "y", 0, 0);
        assertThat(asPublished.message().fixedHeader().isRetain()).isFalse();
    }

    @Test
    void m12_retainedMessagesSurviveAndAResumedSessionDoesNotGetThemAgain() throws IOException {
        retain("a", "x", 1);
        MqttPeer peer = broker.connect(MqttLogin.v5("s").expiry(1_000));
        peer.subscribe("a", 1);
        assertThat(retained(peer)).isEqualTo("a=x");
        peer.raw("c000");
        peer.await(MqttMessageType.PINGRESP);
        peer.close();
        broker.stop();
        broker.start();
        MqttPeer back = broker.connect(MqttLogin.v5("s").keep(1_000));
        assertThat(back.silent(MOMENT)).isTrue();
        MqttPeer late = broker.connect(MqttLogin.v5("late"));
        late.subscribe("a", 0);
        assertThat(retained(late)).isEqualTo("a=x");
    }

    @Test
    void m08d_aRetainedWillIsRetained() throws IOException {
        MqttPeer watcher = broker.connect(MqttLogin.v5("watcher"));
        watcher.subscribe("w", 1);
        broker.connect(MqttLogin.v5("d").will("w", "gone", 1, true)).close();
        assertThat(MqttPeer.text(watcher.message())).isEqualTo("gone");
        MqttPeer late = broker.connect(MqttLogin.v5("late"));
        late.subscribe("w", 1);
        assertThat(retained(late)).isEqualTo("w=gone");
    }

    @Test
    void m12_manyRetainedMessagesReachASlowSubscriber() throws IOException {
        many(3_000);
    }

    @Test
    @Tag("full")
    void m12_a100000RetainedMessagesReachASlowSubscriber() throws IOException {
        many(100_000);
    }

    /** Each comes, and only what was out when the broker stopped comes again. */
    @Test
    void m12_whatTopicsRetainGoesOnWhereARestartHasCutItShort() throws IOException {
        int count = 120;
        for (int n = 0; n < count; n++) {
            retain("m/" + n, "x", 1);
        }
        BrokerSettings few =
                BrokerSettings.in(broker.data()).withLimits(Limits.DEFAULTS.with(Limit.RETAINED_AHEAD, 10));
        broker.stop();
        broker.start(few);
        MqttLogin login = MqttLogin.v5("slow").keep(100).property(0x21, 5);
        MqttPeer slow = broker.connect(login);
        slow.subscribe("m/#", 1);
        List<String> topics = new ArrayList<>();
        while (new TreeSet<>(topics).size() < count) {
            if (topics.size() == 30 || topics.size() == 70) {
                broker.stop();
                broker.start(few);
                slow = broker.connect(login);
            }
            MqttPublishMessage message = slow.message();
            assertThat(message.fixedHeader().isRetain()).isTrue();
            topics.add(message.variableHeader().topicName());
            slow.ack(MqttMessageType.PUBACK, message.variableHeader().packetId());
        }
        assertThat(slow.silent(MOMENT)).isTrue();
        assertThat(topics.size()).isBetween(count, count + 2 * 5);
    }

    private void many(int count) throws IOException {
        for (int n = 0; n < count; n++) {
            publisher.publish("m/" + n, "x", 0, 0, false, true, MqttProperties.NO_PROPERTIES);
        }
        publisher.publish("m/last", "x", 1, 2, false, true, MqttProperties.NO_PROPERTIES);
        publisher.await(MqttMessageType.PUBACK, 2);
        MqttPeer slow = broker.connect(MqttLogin.v5("slow").property(0x21, 5));
        slow.subscribe("m/#", 1);
        assertThat(publisher.silent(MOMENT))
                .as("the subscriber does not read meanwhile")
                .isTrue();
        Set<String> topics = new TreeSet<>();
        for (int n = 0; n <= count; n++) {
            topics.add(retained(slow));
        }
        assertThat(topics).hasSize(count + 1);
        assertThat(slow.silent(MOMENT)).isTrue();
    }
}
