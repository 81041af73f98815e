package dev.turnstone.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.turnstone.spi.AuditEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AuditFileTest {
    @TempDir
    Path folder;

    private Path path;

    @BeforeEach
    void name() {
        path = folder.resolve("logs/audit.log");
    }

    private static AuditEvent event(String user, String reason) {
        return new AuditEvent(
                user, "10.0.0.1:5", "stomp", "c1-1", "send", "queue:a", AuditEvent.Outcome.REFUSED, reason);
    }

    @Test
    void writesOneJsonObjectALine() throws IOException {
        try (AuditFile audit = new AuditFile(path, folder)) {
            audit.record(event("alice", "because"));
            audit.record(new AuditEvent("bob", "vm", "jms", null, "login", null, AuditEvent.Outcome.DONE, null));
        }
        List<String> lines = Files.readAllLines(path);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0))
                .matches("\\{\"time\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z\",\"user\":\"alice\","
                        + "\"from\":\"10.0.0.1:5\",\"protocol\":\"stomp\",\"connection\":\"c1-1\",\"what\":\"send\","
                        + "\"on\":\"queue:a\",\"outcome\":\"refused\",\"reason\":\"because\"}");
        assertThat(lines.get(1)).endsWith("\"protocol\":\"jms\",\"what\":\"login\",\"outcome\":\"done\"}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
    }

    @Test
    void aNameCannotForgeALine() throws IOException {
        try (AuditFile audit = new AuditFile(path, folder)) {
            audit.record(event("x\"}\n{\"user\":\"root", "\u0000\u2028"));
        }
        assertThat(Files.readAllLines(path))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("x\\\"}\\n{\\\"user\\\":\\\"root"));
    }

    @Test
    void goesOnInANewFileWhenTheOldOneIsMovedAway() throws IOException {
        try (AuditFile audit = new AuditFile(path, folder)) {
            audit.record(event("first", "x"));
            await().until(() -> Files.exists(path) && Files.size(path) > 0);
            Files.move(path, folder.resolve("old"));
            audit.record(event("second", "x"));
        }
        assertThat(Files.readString(folder.resolve("old"))).contains("first");
        assertThat(Files.readString(path)).contains("second").doesNotContain("first");
    }

    @Test
    void whatCouldNotBeWrittenIsCounted() throws IOException {
        Files.createDirectories(path);
        try (AuditFile audit = new AuditFile(path, folder)) {
            audit.record(event("lost", "x"));
            await().until(audit::failing);
            Files.delete(path);
            audit.record(event("kept", "x"));
        }
        assertThat(Files.readString(path))
                .contains("kept", "1 events were not written")
                .doesNotContain("lost");
    }

    @Test
    void aStrangersNameOfAnyLengthTakesALineAndNoMore() throws IOException {
        Files.createDirectories(path.getParent());
        String name = "x".repeat(60_000);
        AuditFile.append(
                path,
                new AuditEvent(name, "10.0.0.1:1", "test", null, "login", name, AuditEvent.Outcome.REFUSED, name));
        assertThat(Files.size(path)).isLessThan(4_000);
    }
}
