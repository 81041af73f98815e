package dev.turnstone.itests.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.itests.web.Clients;
import dev.turnstone.spi.Listener;
import dev.turnstone.testkit.tls.TestCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of others that speak MQTT: mosquitto's over TCP and TLS, {@code mqtt} for Node over all four. */
class ForeignProgramsTest {
    private static final int PATIENCE_S = 60;

    @RegisterExtension
    final MqttBroker broker = new MqttBroker();

    @TempDir
    Path folder;

    private TestCertificate certificate;

    @BeforeEach
    void createCertificate() throws IOException {
        certificate = TestCertificate.create(folder, "broker.test");
    }

    private Listener listen(String protocol, boolean tls) {
        Map<String, String> files = Map.of(
                "tls.certificate",
                certificate.certificate().toString(),
                "tls.key",
                certificate.key().toString());
        return broker.broker().listen(protocol, MqttBroker.HOST, 0, tls ? files : Map.of());
    }

    private static String run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("NODE_PATH", Clients.packages().toString());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mqtt", "mqtts", "ws", "wss"})
    void aNodeProgramTalks(String scheme) throws IOException, InterruptedException {
        Clients.installed("mqtt/package.json");
        boolean web = scheme.startsWith("ws");
        boolean tls = scheme.endsWith("s") && !scheme.equals("ws");
        int port = listen(web ? "http" : "mqtt", tls).port();
        String url = scheme + "://" + MqttBroker.HOST + ":" + port + (web ? "/mqtt" : "");
        for (String version : List.of("4", "5")) {
            List<String> command =
                    new ArrayList<>(List.of("node", Clients.script("mqtt.js").toString(), url, version));
            if (tls) {
                command.add(certificate.certificate().toString());
            }
            assertThat(run(command.toArray(String[]::new)))
                    .as(url + " version " + version)
                    .isEqualTo("received 3 and later\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mqttv311", "mqttv5"})
    void mosquittoTalksOverTcpAndTls(String version) throws IOException, InterruptedException {
        for (boolean tls : new boolean[] {false, true}) {
            String port = String.valueOf(listen("mqtt", tls).port());
            String[] common = {"-V", version, "-h", MqttBroker.HOST, "-p", port};
            String client = "m" + version + tls;
            String topic = client + "/t";
            sub(common, tls, "-i", client, "-c", "-q", "2", "-t", client + "/#", "-E", "-x", "1000");
            for (String qos : List.of("0", "1", "2")) {
                assertThat(pub(common, tls, "-q", qos, "-t", topic, "-m", "m" + qos))
                        .isEmpty();
            }
            assertThat(sub(common, tls, "-i", client, "-c", "-q", "2", "-t", client + "/#", "-C", "3", "-x", "1000")
                            .lines())
                    .as("of QoS 2 the program shows a message when its handshake is over")
                    .containsExactlyInAnyOrder("m0", "m1", "m2");
            pub(common, tls, "-q", "1", "-r", "-t", topic, "-m", "kept");
            assertThat(sub(common, tls, "-t", topic, "-C", "1", "-F", "%r %q %p"))
                    .isEqualTo("1 0 kept\n");
        }
    }

    private String sub(String[] common, boolean tls, String... more) throws IOException, InterruptedException {
        return mosquitto("mosquitto_sub", common, tls, more);
    }

    private String pub(String[] common, boolean tls, String... more) throws IOException, InterruptedException {
        return mosquitto("mosquitto_pub", common, tls, more);
    }

    private String mosquitto(String program, String[] common, boolean tls, String... more)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("timeout", "30", program));
        command.addAll(List.of(common));
        if (tls) {
            command.addAll(List.of("--cafile", certificate.certificate().toString()));
        }
        for (int at = 0; at < more.length; at++) {
            if (more[at].equals("-x") && common[1].equals("mqttv311")) {
                at++;
            } else {
                command.add(more[at]);
            }
        }
        return run(command.toArray(String[]::new));
    }

    @Test
    void whoMayNotHearsWhy() throws IOException, InterruptedException {
        String port = String.valueOf(listen("mqtt", false).port());
        assertThat(run(
                        "mosquitto_pub",
                        "-V",
                        "mqttv5",
                        "-h",
                        MqttBroker.HOST,
                        "-p",
                        port,
                        "-q",
                        "1",
                        "-t",
                        "$SYS/a",
                        "-m",
                        "x"))
                .containsIgnoringCase("topic name invalid");
    }
}
