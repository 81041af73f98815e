package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import org.junit.jupiter.api.Test;

final class CapacityTest {
    private final TestBroker broker = new TestBroker(AddressRules.DEFAULTS
            .with("queue:small", AddressSetting.MAX_MESSAGES, 2)
            .with("queue:must.>", AddressSetting.AUTO_CREATE, false)
            .with("queue:must.be", AddressSetting.MAX_ATTEMPTS, 5));
    private final TestSession session = broker.session();

    /** What is refused is heard of when what was confirmed before is durable. */
    private ErrorCode code(TestSession.Result result) {
        broker.settle();
        session.drain();
        return result.code();
    }

    @Test
    void aQueueRefusesWhatIsMoreThanItsMaximumUntilSomethingHasLeft() {
        assertThat(code(session.send("small", "1"))).isNull();
        assertThat(code(session.send("small", "2"))).isNull();
        assertThat(code(session.send("small", "3"))).isEqualTo(ErrorCode.QUEUE_FULL);
        assertThat(code(session.send("other", "3"))).isNull();
        session.subscribe(1, "small", 1);
        Delivery first = session.receive().get(0);
        assertThat(code(session.send("small", "3"))).isEqualTo(ErrorCode.QUEUE_FULL);
        session.settle(first, Outcome.ACCEPTED);
        assertThat(code(session.send("small", "4"))).isNull();
        session.port.credit(1, 10);
        session.flushed(new TestSession.Result());
        assertThat(session.texts()).containsExactly("2", "4");
    }

    @Test
    void aTransactionThatMeetsAFullQueueDoesNotCommit() {
        session.send("small", "1");
        session.send("small", "2");
        session.begin(1);
        session.send(TestSession.text("other", "a").build(), 1);
        assertThat(code(session.send(TestSession.text("small", "b").build(), 1)))
                .isEqualTo(ErrorCode.QUEUE_FULL);
        assertThat(code(session.commit(1))).isEqualTo(ErrorCode.QUEUE_FULL);
        session.subscribe(1, "other", 1);
        assertThat(session.receive()).isEmpty();
    }

    @Test
    void aQueueThatMustBeNamedIsNotCreatedByBeingUsed() {
        assertThat(code(session.send("must.not", "1"))).isEqualTo(ErrorCode.INVALID_ADDRESS);
        assertThat(code(session.subscribe(1, "must.not", 1))).isEqualTo(ErrorCode.INVALID_ADDRESS);
        assertThat(code(session.send("must.be", "1"))).isNull();
        assertThat(code(session.subscribe(2, "must.be", 1))).isNull();
        assertThat(session.texts()).containsExactly("1");
    }
}
