package dev.turnstone.itests.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.client.mqttv3.MqttCallback;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The clients that people use, each at all QoS, with a session that is resumed. */
class RealClientsTest {
    @RegisterExtension
    final MqttBroker broker = new MqttBroker();

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    private String next() throws InterruptedException {
        String text = received.poll(20, TimeUnit.SECONDS);
        assertThat(text).isNotNull();
        return text;
    }

    private String url() {
        return "tcp://" + MqttBroker.HOST + ":" + broker.port();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void paho311() throws Exception {
        MqttConnectOptions options = new MqttConnectOptions();
        options.setCleanSession(false);
        options.setWill("will", utf8("gone"), 1, false);
        try (MqttClient subscriber = new MqttClient(url(), "s", new MemoryPersistence());
                MqttClient publisher = new MqttClient(url(), "p", new MemoryPersistence())) {
            subscriber.setCallback(new Paho3());
            publisher.connect();
            subscriber.connect(options);
            subscriber.subscribe("a/#", 2);
            for (int qos = 0; qos <= 2; qos++) {
                publisher.publish("a/b", utf8("m" + qos), qos, false);
                assertThat(next()).isEqualTo("a/b " + qos + " m" + qos);
            }
            subscriber.disconnect();
            publisher.publish("a/c", utf8("later"), 2, false);
            assertThat(subscriber.connectWithResult(options).getSessionPresent())
                    .isTrue();
            assertThat(next()).isEqualTo("a/c 2 later");
            subscriber.disconnect();
            publisher.disconnect();
        }
    }

    private final class Paho3 implements MqttCallback {
        @Override
        public void connectionLost(Throwable cause) {
            received.add("lost");
        }

        @Override
        public void messageArrived(String topic, org.eclipse.paho.client.mqttv3.MqttMessage message) {
            received.add(topic + " " + message.getQos() + " " + message);
        }

        @Override
        public void deliveryComplete(org.eclipse.paho.client.mqttv3.IMqttDeliveryToken token) {
            // The publisher waits for it.
        }
    }

    @Test
    void paho5() throws Exception {
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setCleanStart(false);
        options.setSessionExpiryInterval(1_000L);
        var memory = new org.eclipse.paho.mqttv5.client.persist.MemoryPersistence();
        var subscriber = new org.eclipse.paho.mqttv5.client.MqttClient(url(), "s", memory);
        var publisher = new org.eclipse.paho.mqttv5.client.MqttClient(url(), "p", memory);
        subscriber.setCallback(new Paho5(received));
        publisher.connect();
        subscriber.connect(options);
        subscriber.subscribe("a/#", 2);
        for (int qos = 0; qos <= 2; qos++) {
            publisher.publish("a/b", utf8("m" + qos), qos, false);
            assertThat(next()).isEqualTo("a/b " + qos + " m" + qos);
        }
        // This client hangs if it is disconnected within a handshake of QoS 2.
        publisher.publish("a/b", utf8("last"), 0, false);
        assertThat(next()).isEqualTo("a/b 0 last");
        subscriber.disconnect();
        publisher.publish("a/c", utf8("later"), 2, false);
        subscriber.connect(options);
        assertThat(next()).isEqualTo("a/c 2 later");
        subscriber.disconnect();
        publisher.disconnect();
        subscriber.close();
        publisher.close();
    }

    /** Notes what comes. */
    record Paho5(BlockingQueue<String> received) implements org.eclipse.paho.mqttv5.client.MqttCallback {
        @Override
        public void disconnected(org.eclipse.paho.mqttv5.client.MqttDisconnectResponse response) {
            // The test's own doing.
        }

        @Override
        public void mqttErrorOccurred(org.eclipse.paho.mqttv5.common.MqttException exception) {
            received.add("error " + exception);
        }

        @Override
        public void messageArrived(String topic, org.eclipse.paho.mqttv5.common.MqttMessage message) {
            received.add(topic + " " + message.getQos() + " " + message);
        }

        @Override
        public void deliveryComplete(org.eclipse.paho.mqttv5.client.IMqttToken token) {
            // The publisher waits for it.
        }

        @Override
        public void connectComplete(boolean reconnect, String uri) {
            // Expected.
        }

        @Override
        public void authPacketArrived(int reason, MqttProperties properties) {
            received.add("auth " + reason);
        }
    }

    private Mqtt5BlockingClient hiveMq5(String clientId) {
        return com.hivemq.client.mqtt.MqttClient.builder()
                .useMqttVersion5()
                .identifier(clientId)
                .serverHost(MqttBroker.HOST)
                .serverPort(broker.port())
                .buildBlocking();
    }

    @Test
    void hiveMq5() throws Exception {
        Mqtt5BlockingClient publisher = hiveMq5("p");
        Mqtt5BlockingClient subscriber = hiveMq5("s");
        publisher.connect();
        subscriber.connectWith().cleanStart(false).sessionExpiryInterval(1_000).send();
        try (Mqtt5BlockingClient.Mqtt5Publishes publishes = subscriber.publishes(MqttGlobalPublishFilter.ALL)) {
            subscriber
                    .subscribeWith()
                    .topicFilter("a/+")
                    .qos(MqttQos.EXACTLY_ONCE)
                    .send();
            for (MqttQos qos : MqttQos.values()) {
                publisher
                        .publishWith()
                        .topic("a/b")
                        .qos(qos)
                        .payload(utf8("m" + qos.getCode()))
                        .contentType("text/plain")
                        .userProperties()
                        .add("k", "v")
                        .applyUserProperties()
                        .send();
                Mqtt5Publish message = publishes.receive(20, TimeUnit.SECONDS).orElseThrow();
                assertThat(message.getPayloadAsBytes()).isEqualTo(utf8("m" + qos.getCode()));
                assertThat(message.getQos()).isEqualTo(qos);
                assertThat(message.getContentType().orElseThrow().toString()).isEqualTo("text/plain");
                assertThat(message.getUserProperties().asList()).hasSize(1);
            }
        }
        subscriber.disconnect();
        publisher.disconnect();
    }

    @Test
    void hiveMq311() throws Exception {
        Mqtt3BlockingClient client = com.hivemq.client.mqtt.MqttClient.builder()
                .useMqttVersion3()
                .identifier("c")
                .serverHost(MqttBroker.HOST)
                .serverPort(broker.port())
                .buildBlocking();
        client.connect();
        try (Mqtt3BlockingClient.Mqtt3Publishes publishes = client.publishes(MqttGlobalPublishFilter.ALL)) {
            client.subscribeWith().topicFilter("a").qos(MqttQos.EXACTLY_ONCE).send();
            client.publishWith()
                    .topic("a")
                    .qos(MqttQos.EXACTLY_ONCE)
                    .payload(utf8("x"))
                    .send();
            assertThat(publishes.receive(20, TimeUnit.SECONDS).orElseThrow().getPayloadAsBytes())
                    .isEqualTo(utf8("x"));
        }
        client.disconnect();
    }
}
