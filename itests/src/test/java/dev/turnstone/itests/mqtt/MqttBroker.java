package dev.turnstone.itests.mqtt;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.testkit.mqtt.MqttLogin;
import dev.turnstone.testkit.mqtt.MqttPeer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A broker with an MQTT listener, for each test a new one in a new folder; it can be stopped and started again. */
final class MqttBroker implements BeforeEachCallback, AfterEachCallback {
    static final String HOST = "127.0.0.1";

    private final Map<String, String> settings;
    private final List<MqttPeer> peers = new ArrayList<>();
    private @Nullable Path data;
    private @Nullable EmbeddedBroker broker;
    private int port;

    /** With these settings of the listener. */
    MqttBroker(Map<String, String> settings) {
        this.settings = settings;
    }

    MqttBroker() {
        this(Map.of());
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        data = Files.createTempDirectory("mqtt");
        port = 0;
        start();
    }

    /** Starts it, on the same data and port as before. */
    void start() {
        start(BrokerSettings.in(data()));
    }

    /** Starts it with these settings. */
    void start(BrokerSettings with) {
        EmbeddedBroker started = EmbeddedBroker.start(with);
        broker = started;
        port = started.listen("mqtt", HOST, port, settings).port();
    }

    /** Stops it in order. */
    void stop() {
        if (broker != null) {
            broker.close();
            broker = null;
        }
    }

    Path data() {
        if (data == null) {
            throw new IllegalStateException("the test has not begun");
        }
        return data;
    }

    EmbeddedBroker broker() {
        if (broker == null) {
            throw new IllegalStateException("the broker is stopped");
        }
        return broker;
    }

    int port() {
        return port;
    }

    /** A socket on which nothing was sent; closed at the test's end. */
    MqttPeer open() throws IOException {
        MqttPeer peer = MqttPeer.open(port);
        peers.add(peer);
        return peer;
    }

    /** A client that has logged in; closed at the test's end. */
    MqttPeer connect(MqttLogin login) throws IOException {
        MqttPeer peer = MqttPeer.connect(port, login);
        peers.add(peer);
        return peer;
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        for (MqttPeer peer : peers) {
            peer.close();
        }
        peers.clear();
        stop();
        try (Stream<Path> files = Files.walk(data())) {
            files.sorted(Comparator.reverseOrder()).forEach(MqttBroker::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
