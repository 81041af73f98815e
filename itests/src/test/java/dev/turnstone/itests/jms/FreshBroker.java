package dev.turnstone.itests.jms;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test that asks for a {@link ConnectionFactory} one to a broker of its own with an empty store, embedded,
 * which lives as long as the test. With {@code -Djms.url=} the factory is one for that URL, and the store is whatever
 * it has.
 */
public final class FreshBroker implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(FreshBroker.class);

    /** A broker and the connection that keeps it running. */
    private record Running(ConnectionFactory factory, Connection keeper, Path folder) {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == ConnectionFactory.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return test.getStore(NAMESPACE)
                .getOrComputeIfAbsent(Running.class, none -> start(), Running.class)
                .factory();
    }

    private static Running start() {
        try {
            Path folder = Files.createTempDirectory("jms");
            String url = System.getProperty("jms.url", "vm://?data=" + folder);
            ConnectionFactory factory = new TurnstoneConnectionFactory(url);
            return new Running(factory, factory.createConnection(), folder);
        } catch (IOException | jakarta.jms.JMSException e) {
            throw new IllegalStateException("no broker for the test", e);
        }
    }

    @Override
    public void afterEach(ExtensionContext test) throws IOException, jakarta.jms.JMSException {
        Running running = test.getStore(NAMESPACE).remove(Running.class, Running.class);
        if (running != null) {
            running.keeper().close();
            try (Stream<Path> files = Files.walk(running.folder())) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
