package dev.turnstone.itests.mqtt.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.transport.Ports;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The case M03 with SIGKILL, at its three places; random ones are the campaign's. */
class MqttKillTest {
    private static final Duration MOMENT = Duration.ofMillis(300);
    private static final long LONG_S = 0xffff_ffffL;
    private static final String PAYLOAD = "the payload that there is once";

    @TempDir
    Path data;

    private int port;
    private Child broker;

    @BeforeEach
    void begin() throws IOException, InterruptedException {
        port = Ports.free();
        start("artemis");
        try (MqttPeer subscriber =
                        MqttPeer.connect(port, MqttLogin.v5("subscriber").expiry(LONG_S));
                MqttPeer publisher =
                        MqttPeer.connect(port, MqttLogin.v5("publisher").expiry(LONG_S))) {
            assertThat(subscriber.subscribe("t", 2)).isEqualTo(2);
            publisher.disconnect();
            subscriber.disconnect();
        }
    }

    @AfterEach
    void end() {
        broker.close();
    }

    private void start(String journal) throws IOException, InterruptedException {
        broker = new Child(BrokerMain.class, data.toString(), journal, Integer.toString(port), Mutants.NONE.name())
                .awaitReady();
    }

    private MqttPeer publisher() throws IOException {
        MqttPeer publisher = MqttPeer.open(port);
        MqttConnAckMessage answer = publisher.login(MqttLogin.v5("publisher").keep(LONG_S));
        assertThat(answer.variableHeader().isSessionPresent()).isTrue();
        return publisher;
    }

    private void killAndStart(String journal) throws IOException, InterruptedException {
        broker.kill();
        start(journal);
    }

    /** The publisher comes back and resends by the book; the subscriber has the message once. */
    private void checkOnce() throws IOException, InterruptedException {
        killAndStart("artemis");
        try (MqttPeer back = publisher();
                MqttPeer reader =
                        MqttPeer.connect(port, MqttLogin.v5("subscriber").keep(LONG_S))) {
            back.publish("t", PAYLOAD, 2, 7, true, false, MqttProperties.NO_PROPERTIES);
            assertThat(back.await(MqttMessageType.PUBREC, 7)).isZero();
            back.ack(MqttMessageType.PUBREL, 7);
            assertThat(back.await(MqttMessageType.PUBCOMP, 7)).isZero();
            MqttPublishMessage message = reader.message();
            assertThat(MqttPeer.text(message)).isEqualTo(PAYLOAD);
            int id = message.variableHeader().packetId();
            reader.ack(MqttMessageType.PUBREC, id);
            reader.await(MqttMessageType.PUBREL, id);
            reader.ack(MqttMessageType.PUBCOMP, id);
            assertThat(reader.silent(MOMENT)).isTrue();
        }
    }

    @Test
    void m03_killedAfterPubrec() throws Exception {
        try (MqttPeer publisher = publisher()) {
            publisher.publish("t", PAYLOAD, 2, 7);
            publisher.await(MqttMessageType.PUBREC, 7);
            checkOnce();
        }
    }

    @Test
    @Tag("full")
    void m03_killedBehindTheStoreAndBeforePubrec() throws Exception {
        killAndStart("artemis-late");
        try (MqttPeer publisher = publisher()) {
            publisher.publish("t", PAYLOAD, 2, 7);
            Awaitility.await().pollInterval(Duration.ofMillis(5)).until(this::stored);
            broker.kill();
            assertThatThrownBy(publisher::next).as("no answer").isInstanceOf(IOException.class);
            assertThat(stored()).isTrue();
            checkOnce();
        }
    }

    @Test
    @Tag("full")
    void m03_killedBeforeTheStore() throws Exception {
        killAndStart("artemis-slow");
        try (MqttPeer publisher = publisher()) {
            publisher.publish("t", PAYLOAD, 2, 7);
            // Read, and on its way to the disk: what is sent at QoS 0 needs no disk, and comes behind it.
            assertThat(publisher.silent(Duration.ofMillis(200))).isTrue();
            broker.kill();
            assertThat(stored()).isFalse();
            checkOnce();
        }
    }

    private boolean stored() throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(PAYLOAD)) {
                    return true;
                }
            }
        }
        return false;
    }
}
