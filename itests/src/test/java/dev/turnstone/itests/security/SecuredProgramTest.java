package dev.turnstone.itests.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.itests.process.ProgramRun;
import dev.turnstone.testkit.stomp.StompClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/security.md tells an operator to do, done with the program. */
final class SecuredProgramTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String PASSWORD = "a-good-password";
    private static final String CLERKS_SEND = """
            data: store
            security:
              users: users
              passwords:
                iterations: 1000
              permissions:
                - role: clerks
                  address: orders.>
                  allow: [send]
            """;
    private static final String CLERKS_CONSUME = CLERKS_SEND.replace("[send]", "[send, consume]");

    @TempDir
    Path folder;

    private void user(String... arguments) throws IOException, InterruptedException {
        String[] all = new String[arguments.length + 3];
        all[0] = "user";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[arguments.length + 1] = "--config";
        all[arguments.length + 2] = "turnstone.yaml";
        try (ProgramRun run = ProgramRun.java(folder, all)) {
            assertThat(run.awaitExit()).as(run.err().toString()).isZero();
        }
    }

    private Path settings(String yaml) throws IOException {
        return Files.writeString(folder.resolve("turnstone.yaml"), yaml);
    }

    private static void awaitLine(ProgramRun run, String text) {
        await().atMost(PATIENCE).until(() -> run.err().stream().anyMatch(line -> line.contains(text)));
    }

    @Test
    void usersAndPermissionsChangeWhileTheBrokerRuns() throws IOException, InterruptedException {
        settings(CLERKS_SEND);
        Files.writeString(folder.resolve("password"), PASSWORD);
        user("add", "alice", "--password-file", "password", "--role", "clerks");
        try (ProgramRun run =
                ProgramRun.java(folder, "run", "--config", "turnstone.yaml", "--listen", "stomp=0.0.0.0:0")) {
            run.awaitReady();
            assertThatThrownBy(() -> StompClient.connect("127.0.0.1", run.stompPort()))
                    .hasMessageContaining("a user and a password are needed");
            aliceSendsAndMayNotConsume(run.stompPort());
            settings(CLERKS_CONSUME.replace("consume]", "consum]"));
            run.hangUp();
            awaitLine(run, "nothing has changed: turnstone.yaml:");
            assertThat(run.err())
                    .anyMatch(line -> line.contains("nothing has changed: turnstone.yaml:")
                            && line.contains("'consum' is no action"));
            settings(CLERKS_CONSUME);
            run.hangUp();
            awaitLine(run, "read again");
            aliceConsumesUntilSheIsRemoved(run.stompPort());
            run.terminate();
            assertThat(run.awaitExit()).isZero();
            assertThat(run.out()).noneMatch(line -> line.contains(PASSWORD));
            assertThat(run.err()).noneMatch(line -> line.contains(PASSWORD));
        }
        assertThat(Files.readString(folder.resolve("store/audit.log")))
                .contains("\"what\":\"user add\"", "\"what\":\"login\"", "\"what\":\"consume\"")
                .contains("\"what\":\"user remove\"")
                .doesNotContain(PASSWORD);
    }

    private static void aliceSendsAndMayNotConsume(int port) throws IOException {
        try (StompClient alice = connect(port)) {
            alice.sendConfirmed("/queue/orders.new", "one");
            assertThatThrownBy(() -> alice.subscribe("s", "/queue/orders.new", "auto"))
                    .hasMessageContaining("user 'alice' may not consume from queue:orders.new");
        }
    }

    private void aliceConsumesUntilSheIsRemoved(int port) throws IOException, InterruptedException {
        try (StompClient alice = connect(port)) {
            alice.subscribe("s", "/queue/orders.new", "auto");
            assertThat(alice.message(PATIENCE).text()).isEqualTo("one");
            user("remove", "alice");
            assertThat(alice.awaitError(PATIENCE).header("message")).contains("user 'alice' was removed");
        }
    }

    private static StompClient connect(int port) throws IOException {
        return StompClient.connect("127.0.0.1", port, "login", "alice", "passcode", PASSWORD);
    }

    @Test
    void withoutUsersAnAddressThatOthersReachIsRefused() throws IOException, InterruptedException {
        try (ProgramRun run = ProgramRun.java(folder, "run", "--listen", "stomp=0.0.0.0:0")) {
            assertThat(run.awaitExit()).isEqualTo(1);
            assertThat(run.err()).singleElement().asString().contains("refusing to listen on stomp=0.0.0.0:0");
        }
    }
}
