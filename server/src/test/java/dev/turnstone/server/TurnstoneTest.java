package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.server.security.TestPlugins;
import dev.turnstone.spi.Listener;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import dev.turnstone.testkit.stomp.StompClient;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Queue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker within a program. */
final class TurnstoneTest {
    @TempDir
    Path folder;

    private Turnstone.Builder broker(String name) {
        return Turnstone.builder().data(folder.resolve(name));
    }

    private static void send(ConnectionFactory factory, String text) {
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createQueue("q"), text);
        }
    }

    private static String receive(ConnectionFactory factory) {
        try (JMSContext context = factory.createContext()) {
            return context.createConsumer(context.createQueue("q")).receiveBody(String.class, 10_000);
        }
    }

    @Test
    void threeLinesAreABroker() {
        try (Turnstone broker = broker("a").listen("stomp=127.0.0.1:0").start()) {
            send(broker.connectionFactory(), "hello");
            assertThat(receive(broker.connectionFactory())).isEqualTo("hello");
            assertThat(broker.listeners()).singleElement().satisfies(listener -> {
                try (Socket socket = new Socket(listener.host(), listener.port())) {
                    assertThat(socket.isConnected()).isTrue();
                }
            });
        }
    }

    @Test
    void twoBrokersInOneJvmAreTwo() {
        try (Turnstone first = broker("a").start();
                Turnstone second = broker("b")
                        .set("message.bytesMax", "1KiB")
                        .set("message.largeBytesMax", "1KiB")
                        .start()) {
            send(first.connectionFactory(), "x".repeat(2_000));
            assertThatThrownBy(() -> send(second.connectionFactory(), "x".repeat(2_000)))
                    .isInstanceOf(JMSRuntimeException.class);
            send(second.connectionFactory(), "2");
            assertThat(receive(first.connectionFactory())).hasSize(2_000);
            assertThat(receive(second.connectionFactory())).isEqualTo("2");
        }
    }

    @Test
    void aSecondBrokerInOneFolderIsRefused() {
        try (Turnstone first = broker("a").start()) {
            assertThat(first.listeners()).isEmpty();
            assertThatThrownBy(() -> broker("a").start())
                    .isInstanceOf(BrokerException.class)
                    .extracting(refusal -> ((BrokerException) refusal).code())
                    .isEqualTo(ErrorCode.DATA_LOCKED);
            send(first.connectionFactory(), "still here");
        }
    }

    @Test
    void whatIsConfirmedIsThereAfterwards() {
        try (Turnstone broker = broker("a").start()) {
            send(broker.connectionFactory(), "kept");
        }
        try (Turnstone broker = broker("a").start()) {
            assertThat(receive(broker.connectionFactory())).isEqualTo("kept");
        }
    }

    @Test
    void itClosesWithoutALeakedThreadOrFile() throws IOException {
        // What the JVM and its libraries start once and keep is there after the first.
        useAndClose(broker("warm"));
        Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
        for (int i = 0; i < 3; i++) {
            useAndClose(broker("a"));
        }
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !before.contains(thread) && thread.isAlive())
                        .map(Thread::getName)
                        // The one that runs this.
                        .filter(name -> !name.startsWith("awaitility")))
                .isEmpty());
        assertThat(openFiles()).noneMatch(file -> file.startsWith(folder));
    }

    /** With a client of each protocol that is still there when it closes. */
    private static void useAndClose(Turnstone.Builder builder) throws IOException {
        Turnstone broker = builder.listen(
                        "stomp=127.0.0.1:0", "mqtt=127.0.0.1:0", "openwire=127.0.0.1:0", "http=127.0.0.1:0")
                .start();
        List<Listener> listeners = broker.listeners();
        try (StompClient stomp =
                        StompClient.connect("127.0.0.1", listeners.get(0).port());
                MqttPeer mqtt = MqttPeer.connect(listeners.get(1).port(), MqttLogin.v5("m"));
                Socket openwire = new Socket(
                        InetAddress.getLoopbackAddress(), listeners.get(2).port());
                Socket http = new Socket(
                        InetAddress.getLoopbackAddress(), listeners.get(3).port())) {
            stomp.subscribe("s", "/queue/q", "client");
            assertThat(mqtt.subscribe("t/#", 2)).isEqualTo(2);
            openwire.getOutputStream().write(0);
            http.getOutputStream().write("GET /health".getBytes(StandardCharsets.US_ASCII));
            send(broker.connectionFactory(), "x");
            broker.close();
        }
    }

    private static List<Path> openFiles() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return List.of();
        }
        try (Stream<Path> open = Files.list(descriptors)) {
            return open.flatMap(descriptor -> {
                        try {
                            return Stream.of(Files.readSymbolicLink(descriptor));
                        } catch (IOException closedMeanwhile) {
                            return Stream.of();
                        }
                    })
                    .toList();
        }
    }

    @Test
    void wrongSettingsAreRefusedAsThoseOfAFile() throws IOException {
        Path file = folder.resolve("t.yaml");
        Files.writeString(file, "journal: {fileBites: 1}\n");
        assertThatThrownBy(() ->
                        broker("a").config(file).set("insecure", "perhaps").start())
                .isInstanceOf(BrokerException.class)
                .hasMessage(file + ":1: unknown setting 'journal.fileBites'; did you mean 'journal.fileBytes'?\n"
                        + "set(\"insecure\"): insecure: 'perhaps': neither true nor false");
        assertThat(folder.resolve("a")).doesNotExist();
    }

    /** Else one that is to speak TLS would speak none. */
    @Test
    void whatIsSetForAListenerHoldsHoweverThatIsWritten() {
        for (Turnstone.Builder written : List.of(
                broker("a").listen("stomp=127.0.0.1:0"),
                broker("a").set("listen[0]", "stomp=127.0.0.1:0"),
                broker("a").set("listen[0].at", "stomp=127.0.0.1:0"))) {
            assertThatThrownBy(() -> written.set("listen[0].tls.keystore", "absent.p12")
                            .set("listen[0].tls.passwordFile", "absent")
                            .start())
                    .isInstanceOf(BrokerException.class)
                    .hasMessageContaining("absent");
        }
        assertThatThrownBy(() -> broker("a")
                        .listen("stomp=127.0.0.1:0")
                        .set("listen[1].connectionsMax", "1")
                        .start())
                .hasMessageContaining("listen[1].at: is missing");
    }

    @Test
    void securityThatComesWithAReloadIsAuditedFromThenOn() {
        try (Turnstone broker = broker("a").start()) {
            send(broker.connectionFactory(), "before");
            broker.reload(broker("a").set("security.anonymous", "guests"));
            await().untilAsserted(() -> {
                send(broker.connectionFactory(), "after");
                assertThat(folder.resolve("a/audit.log")).content().contains("\"what\":\"login\"");
            });
        }
    }

    @Test
    void addressesAndBindingsChangeWhileItRuns() {
        Turnstone.Builder settings = broker("a");
        try (Turnstone broker = settings.start();
                JMSContext context = broker.connectionFactory().createContext()) {
            JMSProducer producer = context.createProducer();
            producer.send(context.createQueue("small"), "1");
            producer.send(context.createQueue("small"), "2");
            producer.send(context.createQueue("old"), "stays");
            broker.reload(settings.set("addresses.queue:small.maxMessages", "1")
                    .set("bindings[0].source", "queue:old")
                    .set("bindings[0].target", "queue:q")
                    .set("bindings[0].mode", "move"));
            await().untilAsserted(() -> assertThatThrownBy(() -> producer.send(context.createQueue("small"), "3"))
                    .isInstanceOf(JMSRuntimeException.class)
                    .hasMessageContaining("maxMessages"));
            producer.send(context.createQueue("old"), "moves");
            assertThat(receive(broker.connectionFactory())).isEqualTo("moves");
            broker.reload(broker("a"));
            await().ignoreExceptions().untilAsserted(() -> producer.send(context.createQueue("small"), "4"));
        }
    }

    @Test
    void plugInsThatThrowRefuseAndDoNoOtherHarm() {
        Turnstone.Builder settings = broker("a")
                .set("security.throttle.waitingPerAddressMax", "1")
                .set("security.authenticator.name", "one-user")
                .set("security.authenticator.options.\"user\"", "ann")
                .set("security.authenticator.options.\"password\"", "secret-1")
                .set("security.authorizer.name", "own-names");
        try (Turnstone broker = settings.start()) {
            ConnectionFactory factory = broker.connectionFactory();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> factory.createContext(TestPlugins.BROKEN, "x"))
                        .isInstanceOf(JMSSecurityRuntimeException.class)
                        .hasMessageContaining("the login could not be checked");
            }
            try (JMSContext context = factory.createContext("ann", "secret-1")) {
                Queue broken = context.createQueue("ann." + TestPlugins.BROKEN);
                assertThatThrownBy(() -> context.createProducer().send(broken, "x"))
                        .isInstanceOf(JMSSecurityRuntimeException.class);
                context.createProducer().send(context.createQueue("ann.orders"), "mine");
                broker.reload(settings.set("security.authenticator.options.\"user\"", "bob"));
                await().untilAsserted(() -> assertThatThrownBy(() ->
                                context.createProducer().send(context.createQueue("ann.orders"), "not there any more"))
                        .isInstanceOf(JMSRuntimeException.class));
            }
            factory.createContext("bob", "secret-1").close();
        }
    }

    @Test
    void plugInsDecideAndAreReplacedWhileItRuns() {
        Turnstone.Builder settings = broker("a")
                .set("security.authenticator.name", "one-user")
                .set("security.authenticator.options.\"user\"", "ann")
                .set("security.authenticator.options.\"password\"", "secret-1")
                .set("security.authorizer.name", "own-names");
        try (Turnstone broker = settings.start()) {
            ConnectionFactory factory = broker.connectionFactory();
            try (JMSContext context = factory.createContext("ann", "secret-1")) {
                context.createProducer().send(context.createQueue("ann.orders"), "mine");
                assertThatThrownBy(() -> context.createProducer().send(context.createQueue("bob.orders"), "not mine"))
                        .isInstanceOf(JMSSecurityRuntimeException.class);
            }
            assertThatThrownBy(() -> factory.createContext("ann", "secret-2"))
                    .isInstanceOf(JMSSecurityRuntimeException.class)
                    .hasMessageContaining("not you");
            broker.reload(settings.set("security.authenticator.options.\"user\"", "bob"));
            try (JMSContext context = factory.createContext("bob", "secret-1")) {
                context.createProducer().send(context.createQueue("bob.orders"), "mine");
            }
            assertThatThrownBy(() -> broker.reload(broker("a").set("security.authenticator.name", "one-usr")))
                    .hasMessage("set(\"security.authenticator.name\"): security.authenticator.name: no"
                            + " AuthenticatorProvider has the name 'one-usr'; did you mean 'one-user'?");
            factory.createContext("bob", "secret-1").close();
        }
        assertThat(TestPlugins.CLOSED).contains("ann", "bob");
    }
}
