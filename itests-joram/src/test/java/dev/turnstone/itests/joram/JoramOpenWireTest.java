package dev.turnstone.itests.joram;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Through ActiveMQ's client, over OpenWire. */
@Tag("full")
final class JoramOpenWireTest {
    private static final String HOST = "127.0.0.1";

    @TempDir
    static Path data;

    private static EmbeddedBroker broker;

    @BeforeAll
    static void startTheBroker() {
        broker = EmbeddedBroker.start(BrokerSettings.in(data));
        int port = broker.listen("openwire", HOST, 0, Map.of()).port();
        TurnstoneAdmin.gives(() -> factory(port));
    }

    private static ActiveMQConnectionFactory factory(int port) {
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("tcp://" + HOST + ":" + port);
        factory.setTrustedPackages(List.of("java.util", "java.lang"));
        return factory;
    }

    @AfterAll
    static void stopTheBroker() {
        broker.close();
    }

    @TestFactory
    Stream<DynamicTest> suite() throws IOException, ClassNotFoundException {
        return Suite.tests("known-failures-openwire.txt");
    }
}
