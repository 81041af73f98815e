package dev.turnstone.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Principal;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LoginsTest {
    private final SlowChecks checks = SlowChecks.hashing(Path.of("data"), 10);
    private final LoginThrottle throttle =
            new LoginThrottle(new ThrottleSettings(100, 100, 100, 1_000, 100, 100, 100), () -> 0, Path.of("data"));
    private final Map<String, User> users = new HashMap<>();
    private Logins logins = logins(null, false);

    @BeforeEach
    void addUsers() {
        add("alice", "wonderland", "clerks");
        users.put("robot", new User("robot", null, Set.of("machines")));
        logins = logins(null, false);
    }

    @AfterEach
    void close() {
        throttle.close();
        checks.close();
    }

    private void add(String name, String password, String... roles) {
        users.put(name, new User(name, PasswordHash.of(password, 1_000, new SecureRandom()), Set.of(roles)));
    }

    private Logins logins(@Nullable Set<String> anonymousRoles, boolean anywhere) {
        return new Logins(new FileUsers(users, checks), List.of(), anonymousRoles, anywhere, throttle);
    }

    private Principal login(@Nullable String user, @Nullable String password, String remote, @Nullable String subject) {
        return logins.authenticate(new Login(user, password, null, "test", remote, subject))
                .toCompletableFuture()
                .join();
    }

    private void assertRefused(
            String message, @Nullable String user, @Nullable String password, String remote, @Nullable String subject) {
        assertThatThrownBy(() -> login(user, password, remote, subject))
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED))
                .hasMessage(message);
    }

    /** Each user's hash was made with the iterations of its day; what a guess costs must not tell who is there. */
    @Test
    void aWrongPasswordTakesAsLongWhoeverItIs() {
        users.put("slow", new User("slow", PasswordHash.of("x", 40_000, new SecureRandom()), Set.of()));
        logins = logins(null, false);
        assertThat(refusedNanos("alice")).isGreaterThan(refusedNanos("nobody") / 3);
    }

    private long refusedNanos(String user) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            long began = System.nanoTime();
            assertRefused("the user is unknown or the password is wrong", user, "guess", "10.0.0.1:1", null);
            least = Math.min(least, System.nanoTime() - began);
        }
        return least;
    }

    @Test
    void theRightPasswordBringsTheRoles() {
        for (int i = 0; i < 2; i++) {
            Principal alice = login("alice", "wonderland", "10.0.0.1:1", null);
            assertThat(alice.name()).isEqualTo("alice");
            assertThat(alice.roles()).containsExactly("clerks");
        }
    }

    @Test
    void aWrongPasswordAndAnUnknownUserGetTheSameAnswer() {
        String answer = "the user is unknown or the password is wrong";
        assertRefused(answer, "alice", "looking-glass", "vm", null);
        login("alice", "wonderland", "vm", null);
        assertRefused(answer, "alice", "looking-glass", "vm", null);
        assertRefused(answer, "mallory", "wonderland", "vm", null);
        assertRefused(answer, null, "wonderland", "vm", null);
        assertRefused(answer, "robot", "-", "vm", null);
    }

    @Test
    void withoutAPasswordNobodyGetsInEvenFromHere() {
        assertRefused("a user and a password are needed", null, null, "vm", null);
        assertRefused("a user and a password are needed", "alice", null, "vm", null);
        assertRefused("a user and a password are needed", "alice", "", "vm", null);
        assertRefused("a user and a password are needed", "robot", null, "vm", null);
    }

    @Test
    void theAnonymousGetInIfConfiguredAndFromHere() {
        logins = logins(Set.of("guests"), false);
        assertThat(login(null, null, "127.0.0.1:9", null).roles()).containsExactly("guests");
        assertRefused("a user and a password are needed", null, null, "10.0.0.1:9", null);
        assertRefused("a user and a password are needed", "alice", null, "127.0.0.1:9", null);
        logins = logins(Set.of("guests"), true);
        assertThat(login(null, null, "10.0.0.1:9", null).name()).isEqualTo(Principal.ANONYMOUS);
    }

    @Test
    void aCertificatesCommonNameIsTheUser() {
        Principal robot = login(null, null, "10.0.0.1:1", "CN=robot,O=Example");
        assertThat(robot.name()).isEqualTo("robot");
        assertThat(robot.roles()).containsExactly("machines");
        assertThat(login("robot", null, "10.0.0.1:1", "CN=robot").name()).isEqualTo("robot");
        assertRefused("the user is unknown or the password is wrong", null, null, "vm", "CN=stranger");
        assertRefused("the client certificate's subject has no common name", null, null, "vm", "O=Example");
        assertRefused(
                "the client certificate is another user's and there is no password", "alice", null, "vm", "CN=robot");
    }

    @Test
    void aPasswordWinsOverACertificate() {
        assertThat(login("alice", "wonderland", "vm", "CN=robot").name()).isEqualTo("alice");
        assertRefused("the user is unknown or the password is wrong", "alice", "robot", "vm", "CN=alice");
    }

    @Test
    void whoIsRemovedOrHasAnotherPasswordIsNotRenewed() {
        Principal alice = login("alice", "wonderland", "vm", null);
        assertThat(logins(null, false).renew(alice)).isEqualTo(alice);
        PasswordHash hash = users.get("alice").hash();
        users.put("alice", new User("alice", hash, Set.of("clerks", "admins")));
        assertThat(logins(null, false).renew(alice))
                .isNotNull()
                .satisfies(now -> assertThat(now.roles()).containsExactlyInAnyOrder("clerks", "admins"));
        add("alice", "wonderland", "clerks");
        assertThat(logins(null, false).renew(alice)).isNull();
        users.remove("alice");
        assertThat(logins(null, false).renew(alice)).isNull();
    }

    @Test
    void theAnonymousAreRenewedAsLongAsTheyMayBeHere() {
        logins = logins(Set.of("guests"), false);
        Principal anonymous = login(null, null, "vm", null);
        assertThat(logins(Set.of("others"), false).renew(anonymous))
                .isNotNull()
                .satisfies(now -> assertThat(now.roles()).containsExactly("others"));
        assertThat(logins(null, false).renew(anonymous)).isNull();
    }

    @Test
    void onlyWhoSaysNothingIsKnownAtOnceAndAsAnonymous() {
        Login nothing = new Login(null, null, null, "test", "127.0.0.1:1");
        Logins open = logins(Set.of("others"), false);
        assertThat(open.known(nothing)).isEqualTo(login(open, nothing));
        assertThat(open.known(new Login("alice", "wonderland", null, "test", "127.0.0.1:1")))
                .isNull();
        assertThat(open.known(new Login(null, null, null, "test", "192.0.2.1:1")))
                .isNull();
        assertThat(open.known(new Login(null, null, null, "test", "127.0.0.1:1", "CN=alice")))
                .isNull();
        assertThat(logins(null, false).known(nothing)).isNull();
    }

    private static Principal login(Logins at, Login login) {
        return at.authenticate(login).toCompletableFuture().join();
    }

    @Test
    void anUnknownUserCostsAsMuchAsAWrongPassword() {
        // Both derive one key of as many iterations; what is compared is which hash, not the time on a shared machine.
        users.clear();
        users.put("alice", new User("alice", PasswordHash.of("wonderland", 60_000, new SecureRandom()), Set.of()));
        logins = logins(null, false);
        long wrong = fastest("alice");
        long unknown = fastest("mallory");
        assertThat(unknown).isGreaterThan(wrong / 3);
    }

    private long fastest(String user) {
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long began = System.nanoTime();
            assertRefused("the user is unknown or the password is wrong", user, "guess" + i, "vm", null);
            fastest = Math.min(fastest, System.nanoTime() - began);
        }
        return fastest;
    }
}
