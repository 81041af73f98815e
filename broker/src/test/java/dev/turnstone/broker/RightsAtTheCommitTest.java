package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.binding.Binding;
import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.security.Security;
import dev.turnstone.port.Address;
import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.spi.Action;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a transaction may send when it ends, though it was allowed to when it was sent. */
final class RightsAtTheCommitTest {
    private static final BranchId BRANCH = new BranchId(1, new byte[] {1}, new byte[] {2});
    private static final Bindings TO_SECRET = Bindings.of(Binding.copy(Address.queue("q"), Address.queue("secret")));

    private final Set<Address> forbidden = new HashSet<>(Set.of(Address.queue("secret")));
    private final TestBroker broker = new TestBroker(Limits.DEFAULTS, security());
    private final TestSession session = broker.session();

    private Security security() {
        return new Security(
                Security.OPEN.authenticator(),
                (principal, client, action, address) -> action != Action.SEND || !forbidden.contains(address),
                Security.OPEN.audit());
    }

    private void forbid(String queue) {
        forbidden.add(Address.queue(queue));
        broker.engine.secure(security());
        broker.settle();
    }

    private TestSession.Result done(TestSession.Result result) {
        session.flushed(result);
        session.receive();
        return result;
    }

    private void begin() {
        session.begin(1);
        session.send(TestSession.text("q", "m").build(), 1);
    }

    private void branch() {
        session.port.branches().start(new BranchStart(BRANCH, BranchStart.Mode.NEW, 1, 0), new TestSession.Result());
        session.send(TestSession.text("q", "m").build(), 1);
        session.port.branches().end(BRANCH, BranchEnd.SUCCESS, new TestSession.Result());
        done(new TestSession.Result());
    }

    private TestSession.Result prepare() {
        TestSession.Result result = new TestSession.Result();
        session.port.branches().prepare(BRANCH, vote -> {}, result);
        return done(result);
    }

    private TestSession.Result commit(boolean onePhase) {
        TestSession.Result result = new TestSession.Result();
        session.port.branches().commit(BRANCH, onePhase, result);
        return done(result);
    }

    private List<String> all(String queue) {
        TestSession reader = broker.session();
        reader.subscribe(1, queue, 10);
        return reader.texts();
    }

    @Test
    void aBindingThatCameBeforeTheCommitLeadsNowhereTheSenderMayNotSendTo() {
        begin();
        broker.bind(TO_SECRET);
        assertThat(done(session.commit(1)).code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(all("secret")).isEmpty();
        assertThat(all("q")).isEmpty();
    }

    @Test
    void whatIsNoLongerAllowedAtTheCommitIsNotSent() {
        begin();
        forbid("q");
        assertThat(done(session.commit(1)).code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(all("q")).isEmpty();
    }

    @Test
    void whatIsStillAllowedGoesOn() {
        begin();
        forbid("other");
        broker.bind(Bindings.of(Binding.copy(Address.queue("q"), Address.queue("copies"))));
        assertThat(done(session.commit(1)).code()).isNull();
        assertThat(all("copies")).containsExactly("m");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBranchIsVotedDown(boolean onePhase) {
        branch();
        broker.bind(TO_SECRET);
        assertThat((onePhase ? commit(true) : prepare()).code()).isEqualTo(ErrorCode.BRANCH_ROLLED_BACK);
        assertThat(all("secret")).isEmpty();
    }

    @Test
    void whatIsPreparedIsNotAskedAgain() {
        branch();
        assertThat(prepare().code()).isNull();
        forbid("q");
        assertThat(commit(false).code()).isNull();
        assertThat(all("q")).containsExactly("m");
    }
}
