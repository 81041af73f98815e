package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Connection;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.spi.Authenticator;
import dev.turnstone.spi.Principal;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An authenticator that does not answer keeps nobody else out. */
final class LoginTimeTest {
    private static final Principal ALICE = new Principal("alice", Set.of(), Principal.NEVER, "test");

    private @Nullable CompletionStage<Principal> answer;
    private final TestBroker broker = new TestBroker(
            Limits.DEFAULTS.with(Limit.LOGINS_MAX, 1),
            new Security(new Scripted(), Security.OPEN.authorizer(), Security.OPEN.audit()));

    private final class Scripted implements Authenticator {
        @Override
        @SuppressWarnings("NullAway") // What a plug-in must not do.
        public CompletionStage<Principal> authenticate(Login login) {
            return answer;
        }

        @Override
        public Principal renew(Principal principal) {
            return principal;
        }
    }

    private CompletableFuture<Connection> login() {
        CompletableFuture<Connection> login = broker.engine
                .broker()
                .connect(new Login("alice", "alice", null, "test", "vm"), cause -> {})
                .toCompletableFuture();
        broker.run();
        return login;
    }

    private static void assertRefused(CompletableFuture<Connection> login, ErrorCode code) {
        assertThat(login).isDone();
        assertThatThrownBy(login::join)
                .cause()
                .isInstanceOfSatisfying(
                        BrokerException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void whoseCheckTakesTooLongIsRefused() {
        CompletableFuture<Principal> never = new CompletableFuture<>();
        answer = never;
        CompletableFuture<Connection> stuck = login();
        assertRefused(login(), ErrorCode.LIMIT_EXCEEDED);
        broker.nowMs = broker.engine.dueMs();
        broker.run();
        assertRefused(stuck, ErrorCode.UNAUTHENTICATED);
        answer = CompletableFuture.completedStage(ALICE);
        assertThat(login()).isCompleted();
        never.complete(ALICE);
        broker.run();
        assertThat(broker.report().room().connections()).isOne();
    }

    @Test
    void anAnswerThatIsNullIsARefusal() {
        for (int i = 0; i < 3; i++) {
            assertRefused(login(), ErrorCode.UNAUTHENTICATED);
        }
    }
}
