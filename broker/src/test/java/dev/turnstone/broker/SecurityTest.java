package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ConnectionListener;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Subscribe;
import dev.turnstone.port.SubscriptionName;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.AuditEvent;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.Authorizer;
import dev.turnstone.spi.Principal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SecurityTest {
    private static final Address ORDERS = Address.queue("orders");
    private static final Address NEWS = Address.topic("news");

    private final Users users = new Users();
    private final Rules rules = new Rules();
    private final List<AuditEvent> audit = new ArrayList<>();
    private final List<BrokerException> ended = new ArrayList<>();
    private TestBroker broker = new TestBroker(Limits.DEFAULTS, security());

    private Security security() {
        return new Security(users, rules, audit::add);
    }

    /** Knows users by name; each one's password is the name. Answers when the test says so, or at once. */
    private static final class Users implements Authenticator {
        final Map<String, Principal> known = new HashMap<>();
        final List<CompletableFuture<Principal>> held = new ArrayList<>();
        boolean holds;

        void add(String name) {
            known.put(name, new Principal(name, Set.of(), Principal.NEVER, "test"));
        }

        @Override
        public CompletionStage<Principal> authenticate(Login login) {
            Principal principal = known.get(String.valueOf(login.user()));
            if (principal == null || !principal.name().equals(login.password())) {
                return CompletableFuture.failedStage(
                        new BrokerException(ErrorCode.UNAUTHENTICATED, "unknown user or wrong password"));
            }
            if (holds) {
                CompletableFuture<Principal> later = new CompletableFuture<>();
                held.add(later);
                return later;
            }
            return CompletableFuture.completedStage(principal);
        }

        @Override
        public @Nullable Principal renew(Principal principal) {
            return known.get(principal.name());
        }
    }

    /** Allows what was allowed, and counts the questions. */
    private static final class Rules implements Authorizer {
        final Set<String> allowed = new HashSet<>();
        int asked;

        void allow(String user, Action action, Address address) {
            allowed.add(user + " " + action + " " + address);
        }

        @Override
        public boolean allows(Principal principal, @Nullable String clientId, Action action, Address address) {
            asked++;
            return allowed.contains(principal.name() + " " + action + " " + address);
        }
    }

    private CompletableFuture<Connection> login(String user, String password, String remote) {
        ConnectionListener listener = ended::add;
        var stage = broker.engine
                .broker()
                .connect(new Login(user, password, null, "test", remote), listener)
                .toCompletableFuture();
        broker.run();
        return stage;
    }

    private TestSession session(String user) {
        users.add(user);
        return broker.session(login(user, user, "vm").join());
    }

    private static void assertRefused(CompletableFuture<Connection> login, ErrorCode code) {
        assertThatThrownBy(login::join)
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private CompletableFuture<Connection> resume(Principal principal) {
        ConnectionListener listener = ended::add;
        var stage = broker.engine
                .broker()
                .resume(principal, new Login(null, null, null, "test", "vm"), listener)
                .toCompletableFuture();
        broker.run();
        return stage;
    }

    @Test
    void whoHadAConnectionGetsAnotherOneAsWhatItHasBecome() {
        users.add("alice");
        Principal earlier = login("alice", "alice", "vm").join().principal();
        Connection resumed = resume(earlier).join();
        assertThat(resumed.principal()).isEqualTo(earlier);
        assertThat(broker.session(resumed).send("orders", "not allowed").code()).isEqualTo(ErrorCode.FORBIDDEN);
        users.known.remove("alice");
        assertRefused(resume(earlier), ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void theBrokerItselfMayDoEverythingAlsoAfterItsSecurityWasReplaced() {
        TestSession session = broker.session(resume(Principal.BROKER).join());
        assertThat(session.send("orders", "allowed").code()).isNull();
        broker.engine.secure(security());
        broker.run();
        assertThat(session.send("orders", "allowed").code()).isNull();
        assertThat(ended).isEmpty();
    }

    @Test
    void aWrongPasswordMakesNoConnection() {
        users.add("alice");
        assertRefused(login("alice", "guess", "10.0.0.9:1"), ErrorCode.UNAUTHENTICATED);
        assertThat(audit).singleElement().satisfies(event -> {
            assertThat(event.user()).isEqualTo("alice");
            assertThat(event.remote()).isEqualTo("10.0.0.9:1");
            assertThat(event.what()).isEqualTo("login");
            assertThat(event.outcome()).isEqualTo(AuditEvent.Outcome.REFUSED);
            assertThat(event.toString()).doesNotContain("guess");
        });
    }

    @Test
    void anAuthenticatorThatFailsLetsNobodyIn() {
        broker = new TestBroker(
                Limits.DEFAULTS,
                new Security(
                        login -> {
                            throw new IllegalStateException("broken");
                        },
                        rules,
                        audit::add));
        assertRefused(login("alice", "alice", "vm"), ErrorCode.UNAUTHENTICATED);
        assertThat(broker.engine.stopped()).isNull();
    }

    @Test
    void withoutUsersOnlyThisMachineGetsIn() {
        broker = new TestBroker(Limits.DEFAULTS, Security.LOOPBACK);
        assertThat(login("whoever", "whatever", "127.0.0.1:5").join()).isNotNull();
        assertRefused(login("whoever", "whatever", "192.168.0.7:5"), ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void logsInAtMostSoManyAtATime() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.LOGINS_MAX, 1), security());
        users.add("alice");
        users.holds = true;
        CompletableFuture<Connection> first = login("alice", "alice", "vm");
        assertRefused(login("alice", "alice", "vm"), ErrorCode.LIMIT_EXCEEDED);
        users.held.get(0).complete(users.known.get("alice"));
        broker.run();
        assertThat(first.join()).isNotNull();
        users.holds = false;
        assertThat(login("alice", "alice", "vm").join()).isNotNull();
    }

    @Test
    void aUserHasAtMostSoManyConnections() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.USER_CONNECTIONS_MAX, 1), security());
        users.add("alice");
        users.add("bob");
        Connection first = login("alice", "alice", "vm").join();
        assertRefused(login("alice", "alice", "vm"), ErrorCode.LIMIT_EXCEEDED);
        assertThat(login("bob", "bob", "vm").join()).isNotNull();
        first.close();
        broker.run();
        assertThat(login("alice", "alice", "vm").join()).isNotNull();
    }

    @Test
    void whoMayNotSendIsToldSoByName() {
        TestSession alice = session("alice");
        TestSession.Result result = alice.send("orders", "one");
        assertThat(result.code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(result.cause).hasMessage("user 'alice' may not send to queue:orders");
        assertThat(audit).last().satisfies(event -> {
            assertThat(event.what()).isEqualTo("send");
            assertThat(event.on()).isEqualTo("queue:orders");
            assertThat(event.connection()).isEqualTo(alice.connection.id());
            assertThat(event.outcome()).isEqualTo(AuditEvent.Outcome.REFUSED);
        });
        rules.allow("bob", Action.SEND, ORDERS);
        assertThat(session("bob").send("orders", "two").cause).isNull();
    }

    @Test
    void aForbiddenSendFailsItsTransaction() {
        rules.allow("alice", Action.SEND, ORDERS);
        rules.allow("alice", Action.CONSUME, ORDERS);
        TestSession alice = session("alice");
        alice.begin(1);
        alice.send(TestSession.text("orders", "allowed").build(), 1);
        alice.send(TestSession.text("secrets", "forbidden").build(), 1);
        assertThat(alice.commit(1).code()).isEqualTo(ErrorCode.FORBIDDEN);
        alice.subscribe(1, "orders", 10);
        assertThat(alice.receive()).isEmpty();
    }

    @Test
    void whoMaySendMayNotConsumeForThatReason() {
        rules.allow("alice", Action.SEND, ORDERS);
        TestSession alice = session("alice");
        alice.send("orders", "one");
        TestSession.Result result = alice.subscribe(1, "orders", 1);
        alice.receive();
        assertThat(result.cause).hasMessage("user 'alice' may not consume from queue:orders");
        rules.allow("bob", Action.CONSUME, ORDERS);
        TestSession bob = session("bob");
        bob.subscribe(1, "orders", 1);
        assertThat(bob.texts()).containsExactly("one");
    }

    @Test
    void aDurableSubscriptionIsCreatedAndDeletedByThoseWhoMay() {
        rules.allow("alice", Action.CONSUME, NEWS);
        rules.allow("editor", Action.CONSUME, NEWS);
        rules.allow("editor", Action.CREATE, NEWS);
        Subscribe durable = new Subscribe(1, NEWS, new SubscriptionName("desk", "daily"), null, false);
        TestSession alice = session("alice");
        assertThat(alice.subscribe(durable, 0).code()).isEqualTo(ErrorCode.FORBIDDEN);
        TestSession editor = session("editor");
        assertThat(editor.subscribe(durable, 0).cause).isNull();
        TestSession.Result gone = new TestSession.Result();
        editor.port.unsubscribe(1, 0, gone);
        editor.flushed(gone);
        assertThat(alice.subscribe(durable, 0).cause).isNull();
        TestSession.Result left = new TestSession.Result();
        alice.port.unsubscribe(1, 0, left);
        alice.flushed(left);
        TestSession.Result deleted = new TestSession.Result();
        alice.port.deleteSubscription(new SubscriptionName("desk", "daily"), deleted);
        alice.flushed(deleted);
        alice.receive();
        assertThat(deleted.code()).isEqualTo(ErrorCode.FORBIDDEN);
        TestSession.Result deletedNow = new TestSession.Result();
        editor.port.deleteSubscription(new SubscriptionName("desk", "daily"), deletedNow);
        editor.flushed(deletedNow);
        editor.receive();
        assertThat(deletedNow.code()).isEqualTo(ErrorCode.FORBIDDEN);
        rules.allow("editor", Action.DELETE, NEWS);
        broker.engine.secure(security());
        TestSession.Result deletedAtLast = new TestSession.Result();
        editor.port.deleteSubscription(new SubscriptionName("desk", "daily"), deletedAtLast);
        editor.flushed(deletedAtLast);
        editor.receive();
        assertThat(deletedAtLast.done).isTrue();
    }

    @Test
    void aConnectionUsesItsOwnTemporaryQueuesUnasked() {
        TestSession alice = session("alice");
        Address replies = Address.temporary(AddressKind.QUEUE, alice.connection.id(), "replies");
        assertThat(alice.declareTemporary(replies).cause).isNull();
        assertThat(alice.subscribe(Subscribe.to(1, replies), 1).cause).isNull();
        assertThat(alice.send(MessageBuilder.to(replies).text("to myself").build()).cause)
                .isNull();
        TestSession bob = session("bob");
        assertThat(bob.send(MessageBuilder.to(replies).text("forged").build()).code())
                .isEqualTo(ErrorCode.FORBIDDEN);
        rules.allow("server", Action.SEND, replies);
        assertThat(session("server")
                        .send(MessageBuilder.to(replies).text("reply").build())
                        .cause)
                .isNull();
        assertThat(alice.texts()).containsExactly("to myself");
    }

    @Test
    void theAuthorizerIsAskedOnceForAnAddress() {
        rules.allow("alice", Action.SEND, ORDERS);
        rules.allow("alice", Action.SEND, Address.queue("bills"));
        TestSession alice = session("alice");
        for (int i = 0; i < 10; i++) {
            alice.send("orders", "order");
            alice.send("bills", "bill");
        }
        assertThat(rules.asked).isEqualTo(2);
    }

    @Test
    void decisionsAreRememberedForSoManyAddresses() {
        broker = new TestBroker(Limits.DEFAULTS.with(Limit.DECISIONS_MAX, 2), security());
        TestSession alice = session("alice");
        for (String queue : List.of("a", "b", "a", "b")) {
            alice.send(queue, "x");
        }
        assertThat(rules.asked).isEqualTo(2);
        alice.send("c", "x");
        alice.send("a", "x");
        assertThat(rules.asked).isEqualTo(4);
    }

    @Test
    void aRemovedUsersConnectionEndsAndItsDeliveriesReturn() {
        rules.allow("alice", Action.SEND, ORDERS);
        rules.allow("alice", Action.CONSUME, ORDERS);
        rules.allow("bob", Action.CONSUME, ORDERS);
        TestSession alice = session("alice");
        alice.send("orders", "one");
        alice.subscribe(1, "orders", 1);
        assertThat(alice.receive()).hasSize(1);
        TestSession bob = session("bob");
        bob.subscribe(1, "orders", 1);
        users.known.remove("alice");
        broker.engine.secure(security());
        assertThat(bob.receive())
                .singleElement()
                .satisfies(delivery -> assertThat(delivery.redelivered()).isTrue());
        assertThat(ended).singleElement().satisfies(cause -> {
            assertThat(cause.code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
            assertThat(cause).hasMessageContaining("user 'alice' was removed");
        });
        assertThat(alice.send("orders", "two").code()).isEqualTo(ErrorCode.CLOSED);
        assertThat(audit).anySatisfy(event -> {
            assertThat(event.what()).isEqualTo("logout");
            assertThat(event.user()).isEqualTo("alice");
            assertThat(event.reason()).contains("was removed");
        });
    }

    @Test
    void aUserRemovedWhileLoggingInDoesNotGetIn() {
        users.add("alice");
        users.holds = true;
        CompletableFuture<Connection> login = login("alice", "alice", "vm");
        Principal alice = users.known.remove("alice");
        broker.engine.secure(security());
        broker.run();
        users.held.get(0).complete(alice);
        broker.run();
        assertRefused(login, ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void aRevokedPermissionEndsTheConsumerAndNotTheConnection() {
        rules.allow("alice", Action.SEND, ORDERS);
        rules.allow("alice", Action.CONSUME, ORDERS);
        rules.allow("bob", Action.CONSUME, ORDERS);
        TestSession alice = session("alice");
        alice.send("orders", "one");
        alice.subscribe(1, "orders", 10);
        List<Delivery> received = alice.receive();
        rules.allowed.remove("alice " + Action.CONSUME + " " + ORDERS);
        broker.engine.secure(security());
        broker.settle();
        alice.drain();
        assertThat(alice.events)
                .singleElement()
                .satisfies(event -> assertThat((BrokerException) event)
                        .hasMessage("user 'alice' may not consume from queue:orders"));
        assertThat(ended).isEmpty();
        assertThat(alice.settle(received.get(0), Outcome.ACCEPTED).code()).isEqualTo(ErrorCode.NO_SUCH_CONSUMER);
        assertThat(alice.send("orders", "two").cause).isNull();
        TestSession bob = session("bob");
        bob.subscribe(1, "orders", 10);
        assertThat(bob.texts()).containsExactly("one", "two");
    }

    @Test
    void aLoginEndsWhenItExpires() {
        users.known.put("token", new Principal("token", Set.of(), broker.nowMs + 500, "test"));
        users.known.put("later", new Principal("later", Set.of(), broker.nowMs + 900, "test"));
        users.add("alice");
        assertThat(login("token", "token", "vm").join()).isNotNull();
        login("later", "later", "vm").join().close();
        assertThat(login("alice", "alice", "vm").join()).isNotNull();
        assertThat(broker.engine.dueMs()).isEqualTo(broker.nowMs + 500);
        broker.nowMs += 499;
        broker.run();
        assertThat(ended).isEmpty();
        broker.nowMs += 1;
        broker.run();
        assertThat(ended).singleElement().satisfies(cause -> {
            assertThat(cause.code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
            assertThat(cause).hasMessage("the login of user 'token' has expired");
        });
        assertThat(broker.engine.dueMs()).isEqualTo(Long.MAX_VALUE);
    }
}
