package dev.turnstone.itests.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.itests.process.ProgramRun;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.tls.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/security.md tells an operator to do about TLS, done with the program. */
final class TlsProgramTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String HOST = "127.0.0.1";
    private static final String PASSWORD = "a-good-password";
    private static final String SETTINGS = """
            data: store
            listen:
              - at: stomp=0.0.0.0:0
                tls:
                  certificate: broker.pem
                  key: broker.key
                  clientAuth: request
                  trust: robot.pem
            security:
              users: users
              passwords:
                iterations: 1000
              permissions:
                - {role: robots, address: orders, allow: send}
                - {role: clerks, address: orders, allow: consume}
            """;

    @TempDir
    Path folder;

    private void run(int exit, String... arguments) throws IOException, InterruptedException {
        try (ProgramRun run = ProgramRun.java(folder, arguments)) {
            assertThat(run.awaitExit()).as(run.err().toString()).isEqualTo(exit);
        }
    }

    private void users() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("password"), PASSWORD);
        run(0, "user", "add", "robot", "--no-password", "--role", "robots", "--config", "turnstone.yaml");
        run(0, "user", "add", "clerk", "--password-file", "password", "--role", "clerks", "--config", "turnstone.yaml");
    }

    private static StompClient clerk(SSLContext trusting, int port) throws IOException {
        return StompClient.connectTls(trusting, HOST, port, "login", "clerk", "passcode", PASSWORD);
    }

    @Test
    void aCertificateAndAPasswordBothLogInAndARenewedCertificateIsTakenAtHangUp()
            throws IOException, InterruptedException {
        Files.writeString(folder.resolve("turnstone.yaml"), SETTINGS);
        users();
        TestCertificate broker = TestCertificate.create(folder, "broker");
        SSLContext robots = broker.clientContext(TestCertificate.create(folder, "robot"));
        SSLContext clerks = broker.clientContext(null);
        try (ProgramRun run = ProgramRun.java(folder, "run", "--config", "turnstone.yaml")) {
            run.awaitReady();
            int port = run.stompPort();
            try (StompClient robot = StompClient.connectTls(robots, HOST, port);
                    StompClient clerk = clerk(clerks, port)) {
                robot.sendConfirmed("/queue/orders", "by certificate");
                assertThatThrownBy(() -> StompClient.connectTls(clerks, HOST, port))
                        .hasMessageContaining("a user and a password are needed");
                renew(run, port);
                clerk.subscribe("s", "/queue/orders", "auto");
                assertThat(clerk.message(PATIENCE).text()).isEqualTo("by certificate");
            }
            run.terminate();
            assertThat(run.awaitExit()).isZero();
        }
    }

    /** A new certificate replaces the one there is, but not while it is only half written. */
    private void renew(ProgramRun run, int port) throws IOException, InterruptedException {
        Path certificate = folder.resolve("broker.pem");
        Files.writeString(certificate, "half");
        run.hangUp();
        await().atMost(PATIENCE)
                .until(() -> run.err().stream()
                        .anyMatch(line -> line.contains("nothing has changed: ")
                                && line.contains("tls.certificate: broker.pem: holds no")));
        SSLContext renewed = TestCertificate.create(folder, "broker").clientContext(null);
        run.hangUp();
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .untilAsserted(() -> clerk(renewed, port).close());
    }

    @Test
    void aCertificateThatIsMissingIsOneLine() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("turnstone.yaml"), SETTINGS);
        users();
        try (ProgramRun run = ProgramRun.java(folder, "run", "--config", "turnstone.yaml")) {
            assertThat(run.awaitExit()).isEqualTo(1);
            assertThat(run.err())
                    .last()
                    .isEqualTo("turnstone: turnstone.yaml:5: listen[0].tls.certificate: "
                            + "broker.pem: there is no such file");
        }
    }
}
