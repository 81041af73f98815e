package dev.turnstone.itests.joram;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Through our own client. */
final class JoramTest {
    @TempDir
    static Path data;

    private static Connection keepsTheBroker;

    @BeforeAll
    static void startTheBroker() throws JMSException {
        String url = "vm://?object.allow=java.util.Vector,java.lang.Integer,java.lang.Double&data=" + data;
        TurnstoneAdmin.gives(() -> new TurnstoneConnectionFactory(url));
        keepsTheBroker = new TurnstoneConnectionFactory(url).createConnection();
    }

    @AfterAll
    static void stopTheBroker() throws JMSException {
        keepsTheBroker.close();
    }

    @TestFactory
    Stream<DynamicTest> suite() throws IOException, ClassNotFoundException {
        return Suite.tests("known-failures.txt");
    }
}
