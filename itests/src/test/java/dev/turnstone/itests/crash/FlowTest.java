package dev.turnstone.itests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FlowTest {
    private final Flow flow = new Flow("f");

    private void sent(String id) {
        flow.sendBegun(id);
        flow.sendConfirmed(id);
    }

    private void moved(String id) {
        flow.moveBegun(List.of(id));
        flow.moveConfirmed(List.of(id));
    }

    @Test
    void whatIsAtTheSourceOrMovedAsAWholeIsClean() {
        sent("a");
        sent("b");
        moved("b");
        flow.sendBegun("in doubt");
        flow.sendBegun("in doubt too");
        Verdict verdict = flow.judge(List.of("a", "in doubt"), List.of("b"), List.of("b"));
        assertThat(verdict.clean()).isTrue();
        assertThat(verdict.inDoubt()).isEqualTo(2);
    }

    @Test
    void whatWasConfirmedAndIsNowhereIsLost() {
        sent("a");
        assertThat(flow.judge(List.of(), List.of(), List.of()).lost()).isEqualTo(1);
    }

    @Test
    void whatIsThereTwiceOrComesAgainAfterItsCommitIsDoubled() {
        sent("a");
        sent("b");
        moved("b");
        flow.received("b");
        assertThat(flow.judge(List.of("a", "a"), List.of("b"), List.of("b")).doubled())
                .isEqualTo(2);
    }

    @Test
    void partsOfATransactionAreHalfDone() {
        for (String id : List.of("both", "one", "unasked", "undone")) {
            sent(id);
        }
        flow.moveBegun(List.of("both", "one"));
        moved("undone");
        Verdict verdict =
                flow.judge(List.of("both", "undone"), List.of("both", "one", "unasked"), List.of("both", "unasked"));
        assertThat(verdict.halfDone()).isEqualTo(4);
    }
}
