package dev.turnstone.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.turnstone.broker.security.Security;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Principal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

final class ServerSecurityTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final PasswordSettings QUICK = new PasswordSettings(1_000, 10);
    private static final String KEYS = "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\","
            + "\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
            + "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}]}";

    @TempDir
    Path folder;

    private SecuritySettings settings(@Nullable JwtSettings jwt, @Nullable LdapSettings ldap) {
        return new SecuritySettings(
                folder.resolve("users"), jwt, ldap, null, null, null, null, null, QUICK, ThrottleSettings.DEFAULTS);
    }

    private Users users() {
        return new Users(new UsersFile(folder.resolve("users")), folder.resolve("audit.log"), QUICK);
    }

    private static CompletionStage<Principal> login(Security security, String user, String host) {
        return security.authenticator().authenticate(new Login(user, "wonderland", null, "test", host + ":1"));
    }

    /** As when it hangs: connections are taken and nothing is answered. */
    @Test
    void aDirectoryThatDoesNotAnswerKeepsNobodyWaitingWhoIsNotThere() throws Exception {
        users().add("alice", "wonderland", Set.of());
        try (ServerSocket silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
                ServerSecurity security = new ServerSecurity(
                        settings(null, directory(silent.getLocalPort())), false, folder.resolve("data"))) {
            int many = 4 * Runtime.getRuntime().availableProcessors();
            for (int i = 0; i < many; i++) {
                assertThat(login(security.current(), "stranger" + i, "10.0.0." + i)
                                .toCompletableFuture())
                        .isNotDone();
            }
            assertThat(login(security.current(), "alice", "10.0.1.1")
                            .toCompletableFuture()
                            .get(5, TimeUnit.SECONDS)
                            .name())
                    .isEqualTo("alice");
        }
    }

    private static LdapSettings directory(int port) {
        return new LdapSettings(
                "ldap://127.0.0.1:" + port, false, "uid=%u,dc=x", null, "(member=%d)", "cn", 60_000, 60_000);
    }

    @Test
    void aUserWhoIsRemovedWhileSomethingElseIsBrokenGoesWhenThatIsMended() throws IOException {
        users().add("alice", "wonderland", Set.of());
        users().add("bob", "looking-glass", Set.of());
        Path keys = Files.writeString(folder.resolve("keys.json"), KEYS);
        JwtSettings jwt = new JwtSettings(keys.toString(), "https://login.example.org", "a", "sub", "roles", 0);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger(ServerSecurity.class);
        logger.addAppender(lines);
        try (ServerSecurity security = new ServerSecurity(settings(jwt, null), false, folder.resolve("data"))) {
            AtomicReference<Security> told = new AtomicReference<>();
            security.follow(told::set);
            Files.writeString(keys, "being written");
            users().remove("bob");
            await().atMost(SOON).until(() -> said(lines, "the users are as they were before") == 1);
            Files.writeString(keys, KEYS);
            await().atMost(SOON).until(() -> told.get() != null);
            assertThat(said(lines, "the users are as they were before")).isEqualTo(1);
            assertThat(login(told.get(), "bob", "10.0.0.1").toCompletableFuture())
                    .failsWithin(SOON);
        } finally {
            logger.detachAppender(lines);
        }
    }

    private static long said(ListAppender<ILoggingEvent> lines, String text) {
        return List.copyOf(lines.list).stream()
                .filter(line -> line.getFormattedMessage().contains(text))
                .count();
    }

    @Test
    void aFaultDoesNotEndTheLookAtTheUsers() {
        users().add("alice", "wonderland", Set.of());
        try (ServerSecurity security = new ServerSecurity(settings(null, null), false, folder.resolve("data"))) {
            AtomicInteger calls = new AtomicInteger();
            security.follow(changed -> {
                if (calls.incrementAndGet() == 1) {
                    throw new IllegalStateException("as the test wants it");
                }
            });
            users().add("bob", "looking-glass", Set.of());
            await().atMost(SOON).until(() -> calls.get() == 2);
        }
    }
}
