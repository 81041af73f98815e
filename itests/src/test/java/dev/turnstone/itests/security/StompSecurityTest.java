package dev.turnstone.itests.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.turnstone.broker.binding.Binding;
import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.server.security.Permission;
import dev.turnstone.testkit.stomp.StompClient;
import dev.turnstone.testkit.stomp.StompFrame;
import dev.turnstone.testkit.stomp.StompRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StompSecurityTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SOON = Duration.ofMillis(300);

    @TempDir
    Path folder;

    private SecuredBroker broker;

    @BeforeEach
    void start() {
        broker = new SecuredBroker(folder);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private StompClient alice() throws IOException {
        return broker.stompAs("alice", SecuredBroker.ALICE);
    }

    private StompClient bob() throws IOException {
        return broker.stompAs("bob", SecuredBroker.BOB);
    }

    private static void assertRefused(IOException refused, String message) {
        assertThat(refused)
                .isInstanceOfSatisfying(
                        StompRefusedException.class,
                        e -> assertThat(e.error().header("message")).isEqualTo(message));
    }

    private void assertLoginRefused(String message, String... headers) {
        assertThatThrownBy(() -> broker.stomp(headers))
                .isInstanceOfSatisfying(IOException.class, e -> assertRefused(e, message));
    }

    @Test
    void theRightPasswordLetsAUserSendAndReceive() throws IOException {
        try (StompClient alice = alice()) {
            alice.sendConfirmed("/queue/orders.new", "one");
            alice.subscribe("s", "/queue/orders.new", "auto");
            assertThat(alice.message(PATIENCE).text()).isEqualTo("one");
        }
    }

    @Test
    void aWrongPasswordAnUnknownUserAndNoLoginAtAllAreErrors() {
        String wrong = "the user is unknown or the password is wrong";
        assertLoginRefused(wrong, "login", "alice", "passcode", SecuredBroker.BOB);
        assertLoginRefused(wrong, "login", "mallory", "passcode", SecuredBroker.ALICE);
        assertLoginRefused(wrong, "passcode", SecuredBroker.ALICE);
        assertLoginRefused("a user and a password are needed", "login", "alice");
        assertLoginRefused("a user and a password are needed", "login", "alice", "passcode", "");
        assertLoginRefused("a user and a password are needed");
    }

    @Test
    void nothingButLoginIsReachableWithoutAUser() throws IOException {
        for (String frame : List.of(
                "SEND\ndestination:/queue/orders.x\n\nhello^@",
                "SUBSCRIBE\nid:1\ndestination:/queue/orders.x\n\n^@",
                "BEGIN\ntransaction:t\n\n^@",
                "DISCONNECT\nreceipt:r\n\n^@")) {
            try (StompClient stranger = broker.stompSocket()) {
                stranger.raw(frame);
                assertThat(stranger.awaitError(PATIENCE)).isNotNull();
            }
        }
        try (StompClient stranger = broker.stompSocket()) {
            // All at once: what comes behind a refused CONNECT is not looked at.
            stranger.raw("CONNECT\naccept-version:1.2\nhost:x\nlogin:alice\npasscode:wrong-guess\n\n^@"
                    + "SEND\ndestination:/queue/orders.x\n\nhello^@");
            assertThat(stranger.awaitError(PATIENCE).header("message"))
                    .isEqualTo("the user is unknown or the password is wrong");
        }
        try (StompClient alice = alice()) {
            alice.subscribe("s", "/queue/orders.x", "auto");
            assertThat(alice.pollMessage(SOON)).isNull();
        }
    }

    @Test
    void aForbiddenSendIsAnErrorThatNamesUserActionAndAddress() throws IOException {
        try (StompClient bob = bob()) {
            bob.send("/queue/orders.new", "forged", "receipt", "r1");
            StompFrame error = bob.awaitError(PATIENCE);
            assertThat(error.header("message")).isEqualTo("user 'bob' may not send to queue:orders.new");
            assertThat(error.header("receipt-id")).isEqualTo("r1");
        }
        try (StompClient alice = alice()) {
            alice.subscribe("s", "/queue/orders.new", "auto");
            assertThat(alice.pollMessage(SOON)).isNull();
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(broker.auditText())
                        .contains(
                                "\"user\":\"bob\"",
                                "\"what\":\"send\",\"on\":\"queue:orders.new\",\"outcome\":\"refused\""));
    }

    @Test
    void aForbiddenSubscriptionIsAnError() throws IOException {
        try (StompClient bob = bob()) {
            assertThatThrownBy(() -> bob.subscribe("s", "/topic/orders.new", "auto"))
                    .isInstanceOfSatisfying(
                            IOException.class,
                            e -> assertRefused(e, "user 'bob' may not consume from topic:orders.new"));
        }
        try (StompClient bob = bob()) {
            bob.subscribe("s", "/queue/inbox.bob", "auto");
            bob.sendConfirmed("/queue/inbox.bob", "note");
            assertThat(bob.message(PATIENCE).text()).isEqualTo("note");
            assertThatThrownBy(() -> bob.subscribe("t", "/queue/inbox.alice", "auto"))
                    .isInstanceOf(StompRefusedException.class);
        }
    }

    @Test
    void aForbiddenSendInATransactionLosesAllOfIt() throws IOException {
        try (StompClient bob = bob()) {
            bob.begin("t");
            bob.send("/queue/inbox.bob", "half", "transaction", "t");
            bob.send("/queue/orders.new", "forbidden", "transaction", "t");
            assertThat(bob.awaitError(PATIENCE).header("message")).contains("may not send to queue:orders.new");
        }
        try (StompClient bob = bob()) {
            bob.subscribe("s", "/queue/inbox.bob", "auto");
            assertThat(bob.pollMessage(SOON)).isNull();
        }
    }

    @Test
    void aUserThatIsRemovedIsToldSoAndIsGone() throws IOException {
        try (StompClient alice = alice();
                StompClient bob = bob()) {
            alice.subscribe("s", "/queue/orders.new", "client");
            alice.sendConfirmed("/queue/orders.new", "one");
            assertThat(alice.message(PATIENCE).text()).isEqualTo("one");
            broker.users.remove("alice");
            assertThat(alice.awaitError(PATIENCE).header("message"))
                    .isEqualTo("user 'alice' was removed, or what it logged in with is no longer valid");
            bob.sendConfirmed("/queue/inbox.bob", "still here");
        }
        assertLoginRefused(
                "the user is unknown or the password is wrong", "login", "alice", "passcode", SecuredBroker.ALICE);
    }

    @Test
    void anotherPasswordEndsWhoCameWithTheOldOne() throws IOException {
        try (StompClient alice = alice()) {
            broker.users.changePassword("alice", "another-password");
            assertThat(alice.awaitError(PATIENCE).header("message")).contains("no longer valid");
        }
        assertLoginRefused(
                "the user is unknown or the password is wrong", "login", "alice", "passcode", SecuredBroker.ALICE);
        broker.stompAs("alice", "another-password").close();
    }

    @Test
    void anotherRoleTakesEffectOnAnOpenConnection() throws IOException {
        try (StompClient bob = bob()) {
            broker.users.changeRoles("bob", Set.of("clerks"));
            await().atMost(PATIENCE)
                    .until(() -> broker.users.list().get(1).roles().contains("clerks"));
            await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                try (StompClient again = bob()) {
                    again.sendConfirmed("/queue/orders.new", "from bob");
                    return true;
                }
            });
            bob.sendConfirmed("/queue/orders.new", "on the connection that was there before");
        }
    }

    @Test
    void aRevokedPermissionEndsTheSubscription() throws IOException {
        try (StompClient alice = alice()) {
            alice.subscribe("s", "/queue/orders.new", "auto");
            broker.permit(List.of(Permission.of(List.of("clerks"), "orders.>", List.of("send"))));
            assertThat(alice.awaitError(PATIENCE).header("message"))
                    .isEqualTo("user 'alice' may not consume from queue:orders.new");
        }
    }

    private StompClient bobOn(String clientId) throws IOException {
        return broker.stomp("login", "bob", "passcode", SecuredBroker.BOB, "client-id", clientId);
    }

    @Test
    void theClientIdentifierSaysWhichTargetOfABindingMayBeReached() throws IOException {
        broker.permit(List.of(
                Permission.of(List.of("*"), "queue:in", List.of("send")),
                Permission.of(List.of("*"), "queue:out.%c", List.of("send", "consume"))));
        broker.bind(Bindings.of(Binding.copy(Address.queue("in"), Address.queue("out.phone"))));
        try (StompClient phone = bobOn("phone");
                StompClient tablet = bobOn("tablet")) {
            phone.sendConfirmed("/queue/in", "from the phone");
            tablet.send("/queue/in", "from the tablet", "receipt", "r");
            assertThat(tablet.awaitError(PATIENCE).header("message"))
                    .isEqualTo("user 'bob' may not send to queue:out.phone");
            phone.subscribe("s", "/queue/out.phone", "auto");
            assertThat(phone.message(PATIENCE).text()).isEqualTo("from the phone");
            assertThat(phone.pollMessage(SOON)).isNull();
        }
    }

    @Test
    void theClientIdentifierSaysWhichReplyQueueIsOnesOwn() throws IOException {
        broker.permit(List.of(
                Permission.of(List.of("*"), "queue:requests", List.of("send")),
                Permission.of(List.of("*"), "queue:replies.%c", List.of("consume")),
                Permission.of(List.of("clerks"), "queue:requests", List.of("consume")),
                Permission.of(List.of("clerks"), "queue:replies.>", List.of("send"))));
        try (StompClient phone = bobOn("phone");
                StompClient tablet = bobOn("tablet");
                StompClient alice = alice()) {
            phone.subscribe("r", "/queue/replies.phone", "auto");
            assertThatThrownBy(() -> tablet.subscribe("r", "/queue/replies.phone", "auto"))
                    .isInstanceOfSatisfying(
                            IOException.class,
                            e -> assertRefused(e, "user 'bob' may not consume from queue:replies.phone"));
            alice.subscribe("q", "/queue/requests", "auto");
            phone.send("/queue/requests", "what time is it?", "reply-to", "/queue/replies.phone");
            String replyTo = alice.message(PATIENCE).header("reply-to");
            alice.sendConfirmed(replyTo, "late");
            assertThat(phone.message(PATIENCE).text()).isEqualTo("late");
        }
    }

    @Test
    void aUserHasNoMoreConnectionsThanAllowed() throws IOException {
        broker.close();
        broker = new SecuredBroker(
                Files.createDirectory(folder.resolve("second")), Limits.DEFAULTS.with(Limit.USER_CONNECTIONS_MAX, 1));
        try (StompClient alice = alice();
                StompClient bob = bob()) {
            assertLoginRefused(
                    "user 'alice' has 1 connections already (connections.perUserMax)",
                    "login",
                    "alice",
                    "passcode",
                    SecuredBroker.ALICE);
            alice.disconnect();
            bob.sendConfirmed("/queue/inbox.bob", "fine");
        }
        alice().close();
    }
}
