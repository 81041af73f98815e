package dev.turnstone.itests.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientSslConfig;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.MqttWebSocketConfig;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import dev.turnstone.testkit.tls.TestCertificate;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.TrustManagerFactory;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clients that people use over TLS, plain and with WebSocket; they check the broker's certificate. */
class RealClientsTlsTest {
    private static final int PATIENCE_S = 20;
    private static final MqttWebSocketConfig WEB =
            MqttWebSocketConfig.builder().serverPath("mqtt").build();

    @RegisterExtension
    final MqttBroker broker = new MqttBroker();

    @TempDir
    Path folder;

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private TestCertificate certificate;

    @BeforeEach
    void createCertificate() throws Exception {
        certificate = TestCertificate.create(folder, "broker.test");
    }

    private int listen(String scheme) {
        Map<String, String> tls = Map.of(
                "tls.certificate",
                certificate.certificate().toString(),
                "tls.key",
                certificate.key().toString());
        return broker.broker()
                .listen(scheme.equals("wss") ? "http" : "mqtt", MqttBroker.HOST, 0, tls)
                .port();
    }

    private String url(String scheme) {
        return scheme + "://" + MqttBroker.HOST + ":" + listen(scheme) + (scheme.equals("wss") ? "/mqtt" : "");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String next() throws InterruptedException {
        String text = received.poll(PATIENCE_S, TimeUnit.SECONDS);
        assertThat(text).isNotNull();
        return text;
    }

    private MqttClientSslConfig ssl() throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("broker", certificate.x509());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return MqttClientSslConfig.builder().trustManagerFactory(trust).build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ssl", "wss"})
    void paho311(String scheme) throws Exception {
        MqttConnectOptions options = new MqttConnectOptions();
        options.setSocketFactory(certificate.clientContext(null).getSocketFactory());
        try (var client = new org.eclipse.paho.client.mqttv3.MqttClient(url(scheme), "c", new MemoryPersistence())) {
            client.connect(options);
            client.subscribe("a/#", 2, (topic, message) -> received.add(topic + " " + message));
            for (int qos = 0; qos <= 2; qos++) {
                client.publish("a/b", utf8("m" + qos), qos, false);
                assertThat(next()).isEqualTo("a/b m" + qos);
            }
            client.disconnect();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ssl", "wss"})
    void paho5(String scheme) throws Exception {
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setSocketFactory(certificate.clientContext(null).getSocketFactory());
        var memory = new org.eclipse.paho.mqttv5.client.persist.MemoryPersistence();
        var client = new org.eclipse.paho.mqttv5.client.MqttClient(url(scheme), "c", memory);
        client.setCallback(new RealClientsTest.Paho5(received));
        client.connect(options);
        client.subscribe("a/#", 2);
        for (int qos = 0; qos <= 2; qos++) {
            client.publish("a/b", utf8("m" + qos), qos, false);
            assertThat(next()).isEqualTo("a/b " + qos + " m" + qos);
        }
        // This client hangs if it is disconnected within a handshake of QoS 2.
        client.publish("a/b", utf8("last"), 0, false);
        assertThat(next()).isEqualTo("a/b 0 last");
        client.disconnect();
        client.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ssl", "wss"})
    void hiveMq5(String scheme) throws Exception {
        var builder = MqttClient.builder()
                .useMqttVersion5()
                .identifier("c")
                .serverHost(MqttBroker.HOST)
                .serverPort(listen(scheme))
                .sslConfig(ssl());
        Mqtt5BlockingClient client = (scheme.equals("wss") ? builder.webSocketConfig(WEB) : builder).buildBlocking();
        client.connect();
        try (Mqtt5BlockingClient.Mqtt5Publishes publishes = client.publishes(MqttGlobalPublishFilter.ALL)) {
            client.subscribeWith().topicFilter("a/+").qos(MqttQos.EXACTLY_ONCE).send();
            for (MqttQos qos : MqttQos.values()) {
                client.publishWith()
                        .topic("a/b")
                        .qos(qos)
                        .payload(utf8("m" + qos.getCode()))
                        .send();
                assertThat(publishes
                                .receive(PATIENCE_S, TimeUnit.SECONDS)
                                .orElseThrow()
                                .getPayloadAsBytes())
                        .isEqualTo(utf8("m" + qos.getCode()));
            }
        }
        client.disconnect();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ssl", "wss"})
    void hiveMq311(String scheme) throws Exception {
        var builder = MqttClient.builder()
                .useMqttVersion3()
                .identifier("c")
                .serverHost(MqttBroker.HOST)
                .serverPort(listen(scheme))
                .sslConfig(ssl());
        Mqtt3BlockingClient client = (scheme.equals("wss") ? builder.webSocketConfig(WEB) : builder).buildBlocking();
        client.connect();
        try (Mqtt3BlockingClient.Mqtt3Publishes publishes = client.publishes(MqttGlobalPublishFilter.ALL)) {
            client.subscribeWith().topicFilter("a").qos(MqttQos.EXACTLY_ONCE).send();
            client.publishWith()
                    .topic("a")
                    .qos(MqttQos.EXACTLY_ONCE)
                    .payload(utf8("x"))
                    .send();
            assertThat(publishes
                            .receive(PATIENCE_S, TimeUnit.SECONDS)
                            .orElseThrow()
                            .getPayloadAsBytes())
                    .isEqualTo(utf8("x"));
        }
        client.disconnect();
    }
}
