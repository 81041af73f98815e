package dev.turnstone.itests.stomp;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.testkit.stomp.StompClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A broker in a folder with a STOMP listener on a free port. */
final class StompBroker implements AutoCloseable {
    private static final String HOST = "127.0.0.1";

    private final EmbeddedBroker broker;
    private final int port;

    StompBroker(Path data) {
        broker = EmbeddedBroker.start(BrokerSettings.in(data));
        port = broker.listen("stomp", HOST, 0, Map.of("connectsPerSecondMax", "1000000"))
                .port();
    }

    StompClient connect(String... headers) throws IOException {
        return StompClient.connect(HOST, port, headers);
    }

    StompClient connectWith(String version, String... headers) throws IOException {
        return StompClient.connectWith(version, HOST, port, headers);
    }

    @Override
    public void close() {
        broker.close();
    }
}
