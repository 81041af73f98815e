package dev.turnstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.server.security.Users;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UserCommandTest {
    private static final int WRONG_ARGUMENTS = 2;
    private static final String PASSWORD = "wonderland-1";

    @TempDir
    Path folder;

    private Path config;
    private Path users;
    private Path password;
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @BeforeEach
    void writeFiles() throws IOException {
        config = folder.resolve("turnstone.yaml");
        users = folder.resolve("users");
        password = folder.resolve("password");
        Files.writeString(password, PASSWORD + "\n");
        Files.writeString(config, """
                data: %s
                security:
                  users: %s
                  passwords:
                    iterations: 1000
                """.formatted(folder.resolve("data"), users));
    }

    private int run(String command, String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        List<String> all = new ArrayList<>(List.of("user", command, "--config", config.toString()));
        all.addAll(List.of(arguments));
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(new String[0]));
    }

    private int add(String name, String... more) {
        List<String> arguments = new ArrayList<>(List.of(name, "--password-file", password.toString()));
        arguments.addAll(List.of(more));
        return run("add", arguments.toArray(new String[0]));
    }

    @Test
    void addsListsChangesAndRemovesUsers() throws IOException {
        assertThat(add("alice", "--role", "clerks", "--role", "admins")).isZero();
        assertThat(add("bob")).isZero();
        assertThat(run("list")).isZero();
        assertThat(out.toString().lines()).containsExactly("alice admins,clerks", "bob");
        assertThat(run("roles", "bob", "clerks")).isZero();
        assertThat(run("roles", "alice")).isZero();
        run("list");
        assertThat(out.toString().lines()).containsExactly("alice", "bob clerks");
        String before = Files.readString(users);
        assertThat(run("passwd", "alice", "--password-file", password.toString()))
                .isZero();
        assertThat(Files.readString(users)).isNotEqualTo(before);
        assertThat(run("remove", "alice")).isZero();
        run("list");
        assertThat(out.toString().lines()).containsExactly("bob clerks");
    }

    @Test
    void aUserWithoutPasswordIsListedSo() {
        assertThat(run("add", "robot", "--no-password")).isZero();
        run("list");
        assertThat(out.toString().lines()).containsExactly("robot (no password)");
    }

    @Test
    void programsReadTheUsersAsOneLineOfJson() {
        assertThat(run("add", "robot", "--no-password", "--role", "x,y")).isZero();
        assertThat(run("list", "--json")).isZero();
        assertThat(out.toString())
                .isEqualTo(line("{\"users\":[{\"name\":\"robot\",\"roles\":[\"x\",\"y\"],\"password\":false}]}"));
    }

    @Test
    void theUsersFileAndTheAuditLogAreForTheirOwnerAndHoldNoPassword() throws IOException {
        add("alice");
        Path audit = folder.resolve("data/audit.log");
        for (Path file : List.of(users, audit)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(Files.readString(file)).doesNotContain(PASSWORD);
        }
        assertThat(Files.readString(audit))
                .contains("\"from\":\"local\"", "\"what\":\"user add\",\"on\":\"alice\",\"outcome\":\"done\"");
    }

    @Test
    void aSecondUserOfTheSameNameIsRefused() throws IOException {
        add("alice");
        assertThat(add("alice")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).isEqualTo(line("turnstone: there is a user 'alice' already"));
        assertThat(Files.readString(folder.resolve("data/audit.log"))).contains("\"outcome\":\"refused\"");
    }

    @Test
    void whoIsNotThereCannotBeChanged() {
        add("alice");
        for (String command : List.of("remove", "roles")) {
            assertThat(run(command, "bob")).isEqualTo(Main.FAILED);
            assertThat(err.toString()).isEqualTo(line("turnstone: there is no user 'bob'"));
        }
    }

    @Test
    void aShortPasswordIsRefusedAndNotShown() throws IOException {
        Files.writeString(password, "short\n");
        assertThat(add("alice")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).isEqualTo(line("turnstone: a password has 8 to 1000 characters"));
        assertThat(users).doesNotExist();
    }

    @Test
    void aPasswordOnTheCommandLineIsNotTaken() {
        assertThat(run("add", "alice", PASSWORD)).isEqualTo(WRONG_ARGUMENTS);
        assertThat(run("add", "alice", "--password", PASSWORD)).isEqualTo(WRONG_ARGUMENTS);
        assertThat(users).doesNotExist();
    }

    @Test
    void withoutATerminalAFileIsNeeded() {
        assertThat(run("add", "alice")).isEqualTo(Main.FAILED);
        assertThat(err.toString())
                .isEqualTo(line(
                        "turnstone: there is no terminal to ask for the password on; --password-file names a file"));
    }

    @Test
    void aPasswordThatCannotBeIsAskedForOnce() {
        List<String> asked = new ArrayList<>();
        assertThatThrownBy(() -> PasswordInput.asked(
                        prompt -> {
                            asked.add(prompt);
                            return "short".toCharArray();
                        },
                        Users::checkPassword))
                .hasMessage("a password has 8 to 1000 characters");
        assertThat(asked).containsExactly("Password: ");
        asked.clear();
        assertThat(PasswordInput.asked(
                        prompt -> {
                            asked.add(prompt);
                            return PASSWORD.toCharArray();
                        },
                        Users::checkPassword))
                .isEqualTo(PASSWORD);
        assertThat(asked).containsExactly("Password: ", "Once more: ");
    }

    /** Here there is no terminal, so that asking for one would be the answer. */
    @Test
    void whoCannotBeAddedOrChangedIsRefusedBeforeAPasswordIsAskedFor() {
        add("alice");
        assertThat(run("add", "alice")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).isEqualTo(line("turnstone: there is a user 'alice' already"));
        assertThat(run("add", "a b")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).doesNotContain("terminal");
        assertThat(run("passwd", "bob")).isEqualTo(Main.FAILED);
        assertThat(err.toString()).isEqualTo(line("turnstone: there is no user 'bob'"));
    }

    @Test
    void namesThatCannotBeAreRefused() {
        for (String name : List.of("a:b", "a b", "#a", "anonymous", "a,b")) {
            assertThat(add(name)).as(name).isEqualTo(Main.FAILED);
        }
        assertThat(add("alice", "--role", "a:b")).isEqualTo(Main.FAILED);
        assertThat(users).doesNotExist();
    }

    @Test
    void withoutAUsersFileInTheSettingsThereIsNothingToDo() throws IOException {
        Files.writeString(config, "data: x\n");
        assertThat(run("list")).isEqualTo(Main.FAILED);
        assertThat(err.toString())
                .isEqualTo(line("turnstone: the settings have no security.users, which names the users file"));
    }

    @Test
    void theCommandsAreNamed() {
        assertThat(Main.run(new PrintWriter(out, true), new PrintWriter(err, true), "user"))
                .isEqualTo(WRONG_ARGUMENTS);
        assertThat(err.toString()).contains("add, passwd, roles, remove, list").hasLineCount(1);
    }

    private static String line(String text) {
        return text + System.lineSeparator();
    }
}
