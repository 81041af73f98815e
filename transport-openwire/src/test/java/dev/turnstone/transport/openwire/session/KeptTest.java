package dev.turnstone.transport.openwire.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.port.Outcome;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.apache.activemq.command.ConnectionId;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.SessionId;
import org.junit.jupiter.api.Test;

final class KeptTest {
    private static final String QUEUE = "queue";
    private static final SessionId SESSION = new SessionId(new ConnectionId("ID:kept"), 1);
    private static final int ACKNOWLEDGEMENTS = 100_000;
    /** A walk over all of them for each acknowledgement takes many times as long. */
    private static final Duration LITTLE = Duration.ofSeconds(1);

    private final Kept kept = new Kept();
    private final OpenWireConsumer owner = consumer(1);
    private final OpenWireConsumer other = consumer(2);

    private static OpenWireConsumer consumer(int number) {
        return new OpenWireConsumer(new ConsumerInfo(new ConsumerId(SESSION, number)), 10);
    }

    private static Held held(long sequence) {
        return new Held(sequence, 1, sequence, QUEUE, sequence, 0);
    }

    private void handAway(OpenWireConsumer consumer, long sequence) {
        kept.hand(consumer, held(sequence));
        check(kept.goesOn(held(sequence)));
    }

    @Test
    void anAcknowledgementCostsLittleHoweverManyAreAway() {
        for (int i = 1; i <= Kept.AWAY_MAX; i++) {
            handAway(owner, i);
        }
        long beforeNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < ACKNOWLEDGEMENTS; i++) {
            long behind = Kept.AWAY_MAX + 1L + i;
            check(!kept.anyAway(owner, behind, behind));
            check(!kept.settle(owner, behind, behind, Outcome.ACCEPTED));
        }
        long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - beforeNanos;
        assertThat(Duration.ofNanos(nanos)).isLessThan(LITTLE);
    }

    @Test
    void goingOnCostsLittleHoweverManyAreHandedOver() {
        for (int i = 1; i <= Kept.AWAY_MAX; i++) {
            kept.hand(owner, held(i));
        }
        long beforeNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < ACKNOWLEDGEMENTS; i++) {
            long behind = Kept.AWAY_MAX + 1L + i;
            kept.goOn(owner, behind, behind);
        }
        long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - beforeNanos;
        assertThat(Duration.ofNanos(nanos)).isLessThan(LITTLE);
    }

    /** Costs nothing itself. */
    private static void check(boolean holds) {
        if (!holds) {
            throw new AssertionError("what is away is not what should be");
        }
    }

    @Test
    void whatIsSaidOfSomeIsSaidOfThoseOfTheConsumerInTheRangeAlone() {
        for (int i = 1; i <= 6; i++) {
            handAway(i % 2 == 0 ? other : owner, i);
        }
        assertThat(kept.anyAway(owner, 2, 2)).isFalse();
        assertThat(kept.anyAway(owner, 2, 3)).isTrue();
        assertThat(kept.settle(owner, 2, 5, Outcome.ACCEPTED)).isTrue();
        for (int i = 1; i <= 6; i++) {
            Kept.Entry entry = kept.find(QUEUE, i);
            assertThat(entry).isNotNull();
            assertThat(entry.said()).isEqualTo(i == 3 || i == 5 ? Outcome.ACCEPTED : null);
            assertThat(entry.owner()).isSameAs(i % 2 == 0 ? other : owner);
        }
    }

    @Test
    void ofTooManyTheOldestAreForgotten() {
        for (int i = 1; i <= Kept.AWAY_MAX + 3; i++) {
            handAway(owner, i);
        }
        assertThat(kept.anyAway(owner, 1, 3)).isFalse();
        assertThat(kept.find(QUEUE, 3)).isNull();
        assertThat(kept.anyAway(owner, 4, 4)).isTrue();
    }

    @Test
    void aConsumerThatEndsTakesItsOwnWithIt() {
        handAway(owner, 1);
        handAway(other, 2);
        kept.hand(owner, held(3));
        Held back = held(3);
        kept.back(kept.find(QUEUE, 3), back);
        assertThat(back.isOpen()).as("until its transaction has ended").isFalse();
        kept.end(owner);
        assertThat(back.isOpen()).isTrue();
        assertThat(kept.find(QUEUE, 1)).isNull();
        assertThat(kept.find(QUEUE, 2)).isNotNull();
        assertThat(kept.find(QUEUE, 3)).isNull();
    }

    @Test
    void whatHasComeBackIsAwayNoMore() {
        handAway(owner, 1);
        kept.back(kept.find(QUEUE, 1), held(1));
        assertThat(kept.anyAway(owner, 1, 1)).isFalse();
        assertThat(kept.find(QUEUE, 1)).isNull();
    }
}
