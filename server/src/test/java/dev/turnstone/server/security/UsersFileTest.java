package dev.turnstone.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.turnstone.port.BrokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UsersFileTest {
    private static final String HASH =
            PasswordHash.of("secret-word", 1_000, new SecureRandom()).toString();

    @TempDir
    Path folder;

    private Path path;
    private UsersFile file;

    @BeforeEach
    void name() {
        path = folder.resolve("users");
        file = new UsersFile(path);
    }

    @Test
    void readsUsersWithTheirRolesAndSkipsComments() throws IOException {
        Files.writeString(path, "# people\n\nalice:" + HASH + ":clerks,admins\nrobot:-:\n");
        assertThat(file.read()).containsOnlyKeys("alice", "robot");
        assertThat(file.read().get("alice").roles()).containsExactlyInAnyOrder("clerks", "admins");
        assertThat(file.read().get("robot").hash()).isNull();
    }

    @Test
    void aWrongLineIsNamedAndNotShown() throws IOException {
        Files.writeString(path, "alice:" + HASH + ":\nbob:hunter2hunter2:\n");
        assertThatThrownBy(file::read)
                .isInstanceOf(BrokerException.class)
                .hasMessageStartingWith(path + ": line 2: not a password hash")
                .message()
                .doesNotContain("hunter2");
    }

    @Test
    void aLineWithoutItsThreePartsIsRefused() throws IOException {
        Files.writeString(path, "alice\n");
        assertThatThrownBy(file::read).hasMessage(path + ": line 1: not of the form NAME:HASH:ROLE,ROLE");
    }

    @Test
    void aUserIsThereOnce() throws IOException {
        Files.writeString(path, "alice:-:\nalice:-:\n");
        assertThatThrownBy(file::read).hasMessage(path + ": line 2: the user 'alice' is there twice");
    }

    @Test
    void nobodyIsCalledAnonymous() throws IOException {
        Files.writeString(path, "anonymous:-:\n");
        assertThatThrownBy(file::read).hasMessageContaining("'anonymous' is the name of those who give none");
    }

    @Test
    void anAbsentFileSaysHowToMakeIt() {
        assertThatThrownBy(file::read)
                .hasMessage(path + ": there is no such users file; 'turnstone user add' makes it");
    }

    @Test
    void whatItWritesOnlyItsOwnerReads() throws IOException {
        file.change(users -> {
            users.put("alice", new User("alice", null, Set.of("clerks")));
            return users;
        });
        assertThat(file.read().get("alice").roles()).containsExactly("clerks");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        assertThat(file.isWorldReadable()).isFalse();
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(file.isWorldReadable()).isTrue();
    }

    @Test
    void changesAtTheSameTimeAreNotLost() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> changes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String name = "user" + i;
            changes.add(threads.submit(() -> new UsersFile(path).change(users -> {
                users.put(name, new User(name, null, Set.of()));
                return users;
            })));
        }
        for (Future<?> change : changes) {
            change.get();
        }
        threads.shutdown();
        assertThat(file.read()).hasSize(20);
    }

    /** Else the broker's account could not read what the superuser has made for it. */
    @Test
    void whatTheSuperuserMakesBelongsToWhoseTheFolderIs(@TempDir Path home) throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only the superuser can give files away");
        UserPrincipal nobody =
                home.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
        Files.setOwner(home, nobody);
        Path path = home.resolve("users");
        Path audit = home.resolve("audit.log");
        new Users(new UsersFile(path), audit, new PasswordSettings(1_000, 0)).add("ada", "lovelace", Set.of());
        for (Path made : List.of(path, audit, home.resolve("users.lock"))) {
            assertThat(Files.getOwner(made)).as(made.toString()).isEqualTo(nobody);
        }
    }
}
