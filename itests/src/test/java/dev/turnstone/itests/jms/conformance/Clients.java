package dev.turnstone.itests.jms.conformance;

import dev.turnstone.broker.embedded.BrokerSettings;
import dev.turnstone.broker.embedded.EmbeddedBroker;
import dev.turnstone.jms.TurnstoneConnectionFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * Starts one broker for all tests of a run and offers every client of it: the cases to all, the rest to ActiveMQ's
 * client in the full tests only, since it takes a minute.
 */
final class Clients implements ArgumentsProvider {
    private static final String HOST = "127.0.0.1";

    @Override
    public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        TestedBroker broker = context.getRoot()
                .getStore(ExtensionContext.Namespace.create(Clients.class))
                .getOrComputeIfAbsent(TestedBroker.class, type -> TestedBroker.start(), TestedBroker.class);
        Client vm = new Client("vm", broker.factory());
        if (!Boolean.getBoolean("conformance.full") && context.getRequiredTestClass() != CasesTest.class) {
            return Stream.of(Arguments.of(vm));
        }
        Client openWire = new Client("openwire", broker.openwire(), "?consumer.prefetchSize=0");
        return Stream.of(Arguments.of(vm), Arguments.of(openWire));
    }

    /** On a folder of its own. */
    private record TestedBroker(Path data, EmbeddedBroker broker) implements AutoCloseable {
        static TestedBroker start() {
            try {
                Path data = Files.createTempDirectory("conformance");
                EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.in(data));
                broker.share();
                broker.listen("openwire", HOST, 0, Map.of());
                return new TestedBroker(data, broker);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        TurnstoneConnectionFactory factory() {
            return new TurnstoneConnectionFactory("vm://?object.allow=java.util.*&data=" + data);
        }

        /** ActiveMQ's client. */
        ActiveMQConnectionFactory openwire() {
            ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(
                    "tcp://" + HOST + ":" + broker.listeners().get(0).port());
            factory.setTrustedPackages(List.of("java.util", "java.lang"));
            return factory;
        }

        @Override
        public void close() throws IOException {
            broker.close();
            List<Path> files;
            try (Stream<Path> found = Files.walk(data)) {
                files = found.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }
}
