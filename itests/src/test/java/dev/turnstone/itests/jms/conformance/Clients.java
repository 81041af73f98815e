package dev.turnstone.itests.jms.conformance;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Starts one broker for all tests of a run and offers every client of it. */
final class Clients implements ArgumentsProvider {
    @Override
    public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        EmbeddedBroker broker = context.getRoot()
                .getStore(ExtensionContext.Namespace.create(Clients.class))
                .getOrComputeIfAbsent(EmbeddedBroker.class, type -> EmbeddedBroker.start(), EmbeddedBroker.class);
        return Stream.of(Arguments.of(new Client("vm", broker.factory())));
    }

    /** Lives as long as its one connection, on a folder of its own. */
    private record EmbeddedBroker(Path data, TurnstoneConnectionFactory factory, Connection open)
            implements AutoCloseable {
        static EmbeddedBroker start() {
            try {
                Path data = Files.createTempDirectory("conformance");
                TurnstoneConnectionFactory factory =
                        new TurnstoneConnectionFactory("vm://?object.allow=java.util.*&data=" + data);
                return new EmbeddedBroker(data, factory, factory.createConnection());
            } catch (IOException | JMSException e) {
                throw new IllegalStateException("no broker to test", e);
            }
        }

        @Override
        public void close() throws IOException, JMSException {
            open.close();
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
