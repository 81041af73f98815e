package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.read.ListAppender;
import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Login;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Send;
import dev.turnstone.server.security.PasswordSettings;
import dev.turnstone.server.security.Users;
import dev.turnstone.server.security.UsersFile;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.stomp.StompClient;
import io.vertx.core.json.JsonObject;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Lines of the log name the connection that they are about. */
final class LogLabelsTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.turnstone");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        logger.setLevel(Level.DEBUG);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    private ILoggingEvent line(String text) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> List.copyOf(lines.list).stream()
                        .anyMatch(one -> one.getFormattedMessage().contains(text)));
        return List.copyOf(lines.list).stream()
                .filter(one -> one.getFormattedMessage().contains(text))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void byAddressClientUserAndTheBrokersName(@TempDir Path folder) throws IOException {
        try (Turnstone broker = Turnstone.builder()
                .data(folder.resolve("data"))
                .listen("stomp=127.0.0.1:0", "mqtt=127.0.0.1:0")
                .start()) {
            int stompPort = broker.listeners().get(0).port();
            int mqttPort = broker.listeners().get(1).port();
            try (StompClient stomp = StompClient.connect("127.0.0.1", stompPort, "client-id", "till");
                    MqttPeer mqtt = MqttPeer.connect(mqttPort, MqttLogin.v5("sensor"))) {
                stomp.raw("NONSENSE\n\n\0");
                mqtt.raw("0000");
                ILoggingEvent ofStomp = line("unknown command 'NONSENSE'");
                assertThat(ofStomp.getMDCPropertyMap())
                        .containsEntry("client", "till")
                        .containsEntry("user", "anonymous")
                        .containsKeys("connection", "remote");
                ILoggingEvent ofMqtt = line("the reserved type 0");
                assertThat(ofMqtt.getMDCPropertyMap())
                        .containsEntry("client", "sensor")
                        .containsKeys("connection", "remote", "user");
                assertThat(shown(ofMqtt)).contains(" {", "client=sensor").endsWith("}" + System.lineSeparator());
            }
        }
    }

    @Test
    void threadsWithoutAConnectionNameTheirFolder(@TempDir Path folder) {
        Path data = folder.resolve("data");
        try (Turnstone broker = Turnstone.builder()
                .data(data)
                .set("disk.lowWater", "1000000GiB")
                .listen("stomp=127.0.0.1:0")
                .start()) {
            assertThat(broker.listeners()).hasSize(1);
            ILoggingEvent ofTheDisk = line("the disk is full");
            assertThat(ofTheDisk.getFormattedMessage()).startsWith(data.toString());
        }
    }

    @Test
    void threadsOfTheServersToo(@TempDir Path folder) {
        Path users = folder.resolve("users");
        new Users(new UsersFile(users), folder.resolve("audit"), new PasswordSettings(1_000, 0))
                .add("ada", "lovelace", Set.of());
        Path data = folder.resolve("data");
        try (Turnstone broker = Turnstone.builder()
                .data(data)
                .set("security.users", users.toString())
                .start()) {
            assertThat(broker.listeners()).isEmpty();
            new Users(new UsersFile(users), folder.resolve("audit"), new PasswordSettings(1_000, 0)).remove("ada");
            assertThat(line("the users have changed").getMDCPropertyMap()).containsEntry("folder", data.toString());
        }
    }

    /** Those that accept connections, before there is one. */
    @Test
    void threadsOfListenersToo(@TempDir Path folder) throws IOException {
        Path data = folder.resolve("data");
        try (Turnstone broker = Turnstone.builder()
                .data(data)
                .listen("stomp=127.0.0.1:0")
                .set("listen[0].connectionsPerAddressMax", "1")
                .start()) {
            int port = broker.listeners().get(0).port();
            try (Socket first = new Socket(InetAddress.getLoopbackAddress(), port);
                    Socket second = new Socket(InetAddress.getLoopbackAddress(), port)) {
                assertThat(second.getInputStream().read()).isEqualTo(-1);
                assertThat(first.isConnected()).isTrue();
            }
            assertThat(line("refused at 127.0.0.1:" + port + " (connectionsPerAddressMax)")
                            .getMDCPropertyMap())
                    .containsEntry("folder", data.toString());
        }
    }

    @Test
    void thatNobodyHasToLogInIsSaid(@TempDir Path folder) {
        Path data = folder.resolve("data");
        try (Turnstone broker =
                Turnstone.builder().data(data).set("insecure", "true").start()) {
            assertThat(broker.listeners()).isEmpty();
            assertThat(line("may come from other machines").getMDCPropertyMap())
                    .containsEntry("folder", data.toString());
        }
    }

    /** A program's thread has the label only for so long. */
    @Test
    void linesOfAReloadToo(@TempDir Path folder) {
        Path data = folder.resolve("data");
        try (Turnstone broker = Turnstone.builder().data(data).start()) {
            broker.reload(Turnstone.builder().data(data).set("memory.max", "64MiB"));
            assertThat(line("hold from the next start on").getMDCPropertyMap())
                    .containsEntry("folder", data.toString());
            assertThat(MDC.get("folder")).isNull();
        }
    }

    /** The engine's thread, which works for all, tells the connection besides its folder. */
    @Test
    void aLineOfTheEngineNamesFolderAndConnection(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (Turnstone broker = Turnstone.builder().data(data).start()) {
            dev.turnstone.port.Connection connection = broker.port()
                    .connect(new Login(null, null, null, "test", Login.SAME_JVM), cause -> {})
                    .toCompletableFuture()
                    .get(30, TimeUnit.SECONDS);
            dev.turnstone.port.Session session = connection.openSession(() -> {
                throw new IllegalStateException("woken on purpose");
            });
            session.send(Send.of(MessageBuilder.to(Address.queue("q")).build()), new Completion() {
                @Override
                public void done() {
                    // Nobody drains the session.
                }

                @Override
                public void failed(BrokerException cause) {
                    throw cause;
                }
            });
            session.flush();
            ILoggingEvent line = line("wake-up failed");
            assertThat(line.getThreadName()).contains("engine");
            assertThat(line.getMDCPropertyMap())
                    .containsEntry("folder", data.toString())
                    .containsEntry("connection", connection.id());
            assertThat(new JsonObject(shownAsJson(line)).getJsonObject("mdc").getMap())
                    .containsEntry("folder", data.toString());
        }
    }

    private static String shown(ILoggingEvent event) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext((LoggerContext) LoggerFactory.getILoggerFactory());
        encoder.setPattern(Logging.PATTERN);
        encoder.start();
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }

    /** MQTT's client identifiers and JMS' may hold any character. */
    @Test
    void aLabelCannotForgeALine() {
        MDC.put("client", "x\n2026-01-01T00:00:00.000Z ERROR Forged: \u001B[31mlost");
        try {
            logger.debug("labelled");
        } finally {
            MDC.remove("client");
        }
        assertThat(shown(line("labelled")).strip())
                .doesNotContain("\n", "\u001B")
                .contains("client=x?2026");
    }

    /** Nor can what a client has sent, or an exception says. */
    @Test
    void aMessageOrAnExceptionCannotForgeALine() {
        String forged = "\n2026-01-01T00:00:00.000Z ERROR Forged: \u001B[31m\u009B\u2028lost\r2026";
        logger.debug("refused '{}'", forged, new IllegalStateException("thrown" + forged));
        List<String> shown = shown(line("refused")).lines().toList();
        assertThat(shown.get(0)).matches("\\d{4}-.*refused '");
        assertThat(shown.subList(1, shown.size()))
                .hasSizeGreaterThan(3)
                .allMatch(line -> line.startsWith("    "))
                .anyMatch(line -> line.contains("IllegalStateException: thrown"))
                .anyMatch(line -> line.contains("\tat " + LogLabelsTest.class.getName()))
                .noneMatch(line -> line.matches(".*[\u001B\u009B\u2028\r].*"));
    }

    @Test
    void aPlainLineIsAsItIs() {
        logger.debug("plain\tand simple");
        assertThat(shown(line("plain"))).endsWith("plain\tand simple" + System.lineSeparator());
    }

    /** Which holds until the settings are read. */
    @Test
    void thePatternIsThatOfTheFirstLines() throws IOException {
        try (InputStream file = Logging.class.getResourceAsStream("/logback.xml")) {
            assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8)
                            .replace("&lt;", "<")
                            .replace("&amp;", "&"))
                    .contains("<pattern>" + Logging.PATTERN + "</pattern>");
        }
    }

    @Test
    void aListenersThreadToo(@TempDir Path folder) throws Exception {
        try (Turnstone broker = Turnstone.builder().data(folder.resolve("data")).start();
                Connection connection = broker.connectionFactory().createConnection("ada", "any")) {
            connection.setClientID("till");
            connection.start();
            Session session = connection.createSession();
            session.createConsumer(session.createQueue("q")).setMessageListener(message -> {
                throw new IllegalStateException("thrown on purpose");
            });
            session.createProducer(session.createQueue("q")).send(session.createMessage());
            assertThat(line("a message listener has thrown").getMDCPropertyMap())
                    .containsEntry("client", "till")
                    .containsEntry("user", "ada")
                    .containsKey("connection");
        }
    }

    @Test
    void linesOfJsonHaveThemAsAnObject(@TempDir Path folder) throws IOException {
        try (Turnstone broker = Turnstone.builder()
                        .data(folder.resolve("data"))
                        .listen("stomp=127.0.0.1:0")
                        .start();
                StompClient stomp = StompClient.connect(
                        "127.0.0.1", broker.listeners().get(0).port(), "client-id", "till")) {
            stomp.raw("NONSENSE\n\n\0");
            JsonObject json = new JsonObject(shownAsJson(line("unknown command 'NONSENSE'")));
            assertThat(json.getJsonObject("mdc").getMap())
                    .containsEntry("client", "till")
                    .containsEntry("user", "anonymous")
                    .containsKeys("connection", "remote");
            assertThat(json.getString("level")).isEqualTo("DEBUG");
            assertThat(json.getString("formattedMessage")).contains("NONSENSE");
        }
    }

    private static String shownAsJson(ILoggingEvent event) {
        Encoder<ILoggingEvent> encoder = Logging.json();
        encoder.setContext((LoggerContext) LoggerFactory.getILoggerFactory());
        encoder.start();
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }
}
