package dev.turnstone.itests.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.testkit.tls.TestCertificate;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** STOMP as others speak it: a browser over WebSocket with and without TLS, a Node program over TCP and TLS. */
final class RealClientsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String HOST = "127.0.0.1";
    private static final String FOREIGN = "shop.example";

    @TempDir
    Path folder;

    private EmbeddedBroker broker;
    private TestCertificate certificate;

    @BeforeEach
    void start() throws IOException {
        broker = EmbeddedBroker.start(BrokerSettings.in(folder.resolve("data")));
        certificate = TestCertificate.create(folder, "broker.test");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private Map<String, String> tls() {
        return Map.of(
                "tls.certificate",
                certificate.certificate().toString(),
                "tls.key",
                certificate.key().toString());
    }

    @Test
    void aBrowserTalksOverWebSocketAndAPageOfSomebodyElseMayNot() throws IOException {
        String ws =
                "ws://" + HOST + ":" + broker.listen("http", HOST, 0, Map.of()).port() + "/stomp";
        String wss =
                "wss://" + HOST + ":" + broker.listen("http", HOST, 0, tls()).port() + "/stomp";
        try (PageServer pages = new PageServer()) {
            String frame = pages.at(FOREIGN) + "/?foreign=" + encoded(ws);
            String url = pages.at(HOST) + "/?ws=" + encoded(ws) + "&wss=" + encoded(wss) + "&frame=" + encoded(frame);
            try (Browser browser = Browser.open(folder, certificate.x509(), FOREIGN, url)) {
                await().atMost(PATIENCE).until(() -> pages.results().size() >= 5 || !browser.isRunning());
            }
            assertThat(pages.results())
                    .containsExactly(
                            "ws round trip: 1.2 first second",
                            "ws refusal: ERROR of r7, close 1002 clean true",
                            "wss round trip: 1.2 first second",
                            "wss refusal: ERROR of r7, close 1002 clean true",
                            "foreign: close 1006");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void aNodeProgramTalksOverTcpAndTls() throws IOException, InterruptedException {
        int tcp = broker.listen("stomp", HOST, 0, Map.of()).port();
        assertThat(stompit(String.valueOf(tcp))).isEqualTo("received 2\n");
        int tls = broker.listen("stomp", HOST, 0, tls()).port();
        assertThat(stompit(String.valueOf(tls), certificate.certificate().toString()))
                .isEqualTo("received 2\n");
    }

    private static String stompit(String... arguments) throws IOException, InterruptedException {
        Clients.installed("stompit/package.json");
        List<String> command = new ArrayList<>();
        command.addAll(List.of("node", Clients.script("stompit.js").toString(), HOST));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("NODE_PATH", Clients.packages().toString());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
        }
    }
}
