package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues of a broker that runs, deleted from the command line. */
final class QueueCommandTest {
    private static final String NAME = "to:go";

    @TempDir
    Path folder;

    private Path password;
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @BeforeEach
    void writePassword() throws IOException {
        password = folder.resolve("password");
        Files.writeString(password, "a secret of theirs\n");
    }

    private int run(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    /** Ada may do everything, Bob all but delete. */
    private Turnstone start() throws IOException {
        Path yaml = folder.resolve("t.yaml");
        Files.writeString(yaml, """
                data: %1$s/data
                listen: ["stomp=127.0.0.1:0"]
                addresses:
                  "queue:>": {autoDelete: false}
                security:
                  users: %1$s/users
                  passwords: {iterations: 1000}
                  permissions:
                    - {role: keeper, allow: [delete], address: ">"}
                    - {role: "*", allow: [send, consume, browse, create], address: ">"}
                """.formatted(folder));
        for (String[] user : new String[][] {{"ada", "keeper"}, {"bob", "guest"}}) {
            int code = run(
                    "user",
                    "add",
                    user[0],
                    "--role",
                    user[1],
                    "--config",
                    yaml.toString(),
                    "--password-file",
                    password.toString());
            assertThat(code).as(err.toString()).isZero();
        }
        return Turnstone.builder().config(yaml).start();
    }

    private int delete(Turnstone broker, String user) {
        String url = "stomp://127.0.0.1:" + broker.listeners().get(0).port();
        return run("queue", "delete", NAME, "--url", url, "--user", user, "--password-file", password.toString());
    }

    @Test
    void aQueueGoesWithItsMessagesByWhoMayAndWhileNobodyHasIt() throws IOException {
        try (Turnstone broker = start();
                JMSContext context = broker.connectionFactory().createContext("ada", "a secret of theirs")) {
            Queue queue = context.createQueue(NAME);
            context.createProducer().send(queue, "gone");
            assertThat(delete(broker, "bob")).isEqualTo(Main.FAILED);
            assertThat(err.toString())
                    .startsWith("turnstone: 127.0.0.1:")
                    .hasLineCount(1)
                    .contains("delete");
            var consumer = context.createConsumer(queue);
            assertThat(delete(broker, "ada")).isEqualTo(Main.FAILED);
            assertThat(err.toString()).contains(NAME).contains("consumer");
            consumer.close();
            assertThat(delete(broker, "ada")).as(err.toString()).isZero();
            assertThat(out.toString()).isEqualToIgnoringNewLines("deleted queue " + NAME);
            assertThat(delete(broker, "ada")).as("it is not there any more").isEqualTo(Main.FAILED);
            assertThat(context.createConsumer(queue).receiveNoWait()).isNull();
        }
    }

    @Test
    void whatIsWrongIsSaidInOneLine() {
        assertThat(run("queue")).isEqualTo(2);
        assertThat(run("queue", "delete")).isEqualTo(2);
        assertThat(run("queue", "delete", "a", "--user", "ada")).isEqualTo(2);
        assertThat(err.toString()).contains("--user goes with --password-file");
        assertThat(run("queue", "delete", "a", "--url", "mqtt://127.0.0.1")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("--url mqtt://127.0.0.1: stomp://HOST:PORT, or stomp+ssl with TLS");
    }
}
