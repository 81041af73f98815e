package dev.turnstone.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.Principal;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LoginThrottleTest {
    private static final Authenticator RIGHT = login -> CompletableFuture.completedStage(
            new Principal(String.valueOf(login.user()), Set.of(), Principal.NEVER, "test"));
    private static final Authenticator WRONG = login -> CompletableFuture.failedStage(FileUsers.refused());

    private final AtomicLong nowMs = new AtomicLong(1_000_000);
    private LoginThrottle throttle =
            new LoginThrottle(new ThrottleSettings(2, 4, 400, 10_000, 3, 2, 1), nowMs::get, Path.of("data"));

    @AfterEach
    void close() {
        throttle.close();
    }

    private static Login login(String user, String host) {
        return new Login(user, "guess", null, "test", host + ":4711");
    }

    private void fail(String user, String host) {
        fail(user, host, WRONG);
    }

    private void fail(String user, String host, Authenticator refusing) {
        assertThatThrownBy(() -> throttle.check(login(user, host), refusing)
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(BrokerException.class);
    }

    @Test
    void theFirstFailuresCostNothingThenTheDelayDoublesToItsLimit() {
        Login next = login("alice", "10.0.0.1");
        for (long expected : new long[] {0, 0, 100, 200, 400, 400}) {
            assertThat(throttle.delayMs(next)).isEqualTo(expected);
            fail("alice", "10.0.0.1");
        }
    }

    @Test
    void theUserIsProtectedFromManyAddresses() {
        fail("alice", "10.0.0.1");
        fail("alice", "10.0.0.2");
        fail("alice", "10.0.0.3");
        assertThat(throttle.delayMs(login("alice", "10.0.0.4"))).isEqualTo(200);
        assertThat(throttle.delayMs(login("bob", "10.0.0.4"))).isZero();
    }

    /** A token brings its user along, so that clients may leave the name empty. */
    @Test
    void aStrangersTokensDelayNobodysTokens() {
        for (int i = 0; i < 4; i++) {
            fail("", "10.0.0." + i);
        }
        assertThat(throttle.delayMs(login("", "10.0.0.9"))).isZero();
    }

    @Test
    void aNameIsOneHoweverItIsWritten() {
        fail("Alice  Liddell", "10.0.0.1");
        fail(" alice liddell ", "10.0.0.2");
        fail("ALICE LIDDELL", "10.0.0.3");
        assertThat(throttle.delayMs(login("alice liddell", "10.0.0.4"))).isEqualTo(200);
    }

    @Test
    void ofANameThatIsTooLongTheBeginningCounts() {
        String begin = "x".repeat(User.NAME_CHARS_MAX);
        for (int i = 0; i < 3; i++) {
            fail(begin + "y".repeat(60_000) + i, "10.0.0." + i);
        }
        assertThat(throttle.delayMs(login(begin + "z", "10.0.0.4"))).isEqualTo(200);
    }

    @Test
    void theAddressPaysForManyUsers() {
        for (String user : new String[] {"a", "b", "c", "d", "e"}) {
            fail(user, "10.0.0.1");
        }
        assertThat(throttle.delayMs(login("f", "10.0.0.1"))).isEqualTo(200);
        assertThat(throttle.delayMs(login("f", "10.0.0.2"))).isZero();
    }

    @Test
    void aLoginThatWaitsIsNotLookedAtBeforeItsTime() throws Exception {
        fail("alice", "10.0.0.1");
        fail("alice", "10.0.0.1");
        long began = System.nanoTime();
        Principal principal = throttle.check(login("alice", "10.0.0.1"), login -> {
                    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began))
                            .isGreaterThanOrEqualTo(99);
                    return RIGHT.authenticate(login);
                })
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        assertThat(principal.name()).isEqualTo("alice");
    }

    @Test
    void aSuccessClearsTheUserButNotTheAddress() {
        for (int i = 0; i < 4; i++) {
            fail("alice", "10.0.0.1");
        }
        throttle.check(login("alice", "10.0.0.2"), RIGHT).toCompletableFuture().join();
        assertThat(throttle.delayMs(login("alice", "10.0.0.2"))).isZero();
        assertThat(throttle.delayMs(login("alice", "10.0.0.1"))).isEqualTo(100);
    }

    @Test
    void failuresAreForgottenInTime() {
        fail("alice", "10.0.0.1");
        fail("alice", "10.0.0.1");
        nowMs.addAndGet(9_999);
        assertThat(throttle.delayMs(login("alice", "10.0.0.1"))).isEqualTo(100);
        nowMs.addAndGet(1);
        assertThat(throttle.delayMs(login("alice", "10.0.0.1"))).isZero();
    }

    @Test
    void ofTooManyUsersTheOldestIsForgotten() {
        fail("alice", "10.0.0.1");
        fail("alice", "10.0.0.1");
        for (String user : new String[] {"b", "c", "d"}) {
            fail(user, "10.0.0.2");
        }
        assertThat(throttle.delayMs(login("alice", "10.0.0.9"))).isZero();
    }

    @Test
    void onlySoManyLoginsOfAnAddressAreLookedAtAtATime() {
        CompletableFuture<Principal> slow = new CompletableFuture<>();
        CompletableFuture<Principal> first =
                throttle.check(login("a", "10.0.0.1"), login -> slow).toCompletableFuture();
        CompletableFuture<Principal> second =
                throttle.check(login("b", "10.0.0.1"), login -> slow).toCompletableFuture();
        assertThatThrownBy(throttle.check(login("c", "10.0.0.1"), RIGHT).toCompletableFuture()::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
        assertThat(throttle.check(login("c", "10.0.0.2"), RIGHT).toCompletableFuture())
                .isCompleted();
        slow.complete(new Principal("x", Set.of(), Principal.NEVER, "test"));
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(throttle.check(login("c", "10.0.0.1"), RIGHT).toCompletableFuture())
                .isCompleted();
    }

    @Test
    void whoHasFailedOftenIsLookedAtOneAtATime() {
        for (String user : new String[] {"a", "b", "c", "d"}) {
            fail(user, "10.0.0.1");
        }
        CompletableFuture<Principal> first =
                throttle.check(login("e", "10.0.0.1"), RIGHT).toCompletableFuture();
        assertThat(first).isNotDone();
        assertThatThrownBy(throttle.check(login("f", "10.0.0.1"), RIGHT).toCompletableFuture()::join)
                .cause()
                .hasMessage("1 logins from 10.0.0.1 wait already (security.throttle.delayedPerAddressMax)");
        assertThat(throttle.check(login("f", "10.0.0.2"), RIGHT).toCompletableFuture())
                .isCompleted();
    }

    @Test
    void anAuthenticatorThatThrowsOrAnswersNothingKeepsNoPlace() {
        List<Authenticator> broken = List.of(
                login -> {
                    throw new IllegalStateException("broken");
                },
                login -> null);
        for (Authenticator plugin : broken) {
            for (int i = 0; i < 5; i++) {
                assertThat(throttle.check(login("alice", "10.0.0.1"), plugin).toCompletableFuture())
                        .isCompletedExceptionally();
            }
        }
        assertThat(throttle.check(login("alice", "10.0.0.1"), RIGHT).toCompletableFuture())
                .isCompletedWithValueMatching(principal -> principal.name().equals("alice"));
    }

    @Test
    void whoIsRefusedByAThrowHasFailedAsByAFailedStage() {
        for (int i = 0; i < 2; i++) {
            fail("alice", "10.0.0.1", login -> {
                throw FileUsers.refused();
            });
        }
        assertThat(throttle.delayMs(login("alice", "10.0.0.9"))).isEqualTo(100);
    }
}
