package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.BranchEnd;
import dev.turnstone.port.BranchId;
import dev.turnstone.port.BranchStart;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Subscribe;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What prepared branches have settled is out for its group, before a restart and after it. */
final class PreparedGroupsTest {
    private static final BranchId BRANCH = new BranchId(1, new byte[] {1}, new byte[] {2});
    private static final int FILLING = 40;

    private final TestBroker broker =
            new TestBroker(Limits.DEFAULTS.with(Limit.ADDRESS_MEMORY_MAX, 6_000).with(Limit.PAGE_BYTES, 2_000));
    private TestSession session = broker.session();

    private TestSession.Result done(TestSession.Result result) {
        session.port.flush();
        broker.settle();
        session.drain();
        assertThat(result.done).isTrue();
        return result;
    }

    private void send(String text, String group, int sequence) {
        session.send(TestSession.text("q", text).group(group, sequence).build());
        broker.settle();
    }

    /** Prepares a branch that has settled what the queue gives first, and loses its session. */
    private void prepare(int count) {
        prepare(count, null);
    }

    private void prepare(int count, @Nullable String selector) {
        session.subscribe(new Subscribe(1, Address.queue("q"), null, selector, false), count);
        List<Delivery> deliveries = new ArrayList<>();
        while (deliveries.size() < count) {
            broker.settle();
            deliveries.addAll(session.receive());
        }
        TestSession.Result started = new TestSession.Result();
        session.port.branches().start(new BranchStart(BRANCH, BranchStart.Mode.NEW, 1, 0), started);
        done(started);
        deliveries.forEach(delivery -> session.accept(delivery, 1));
        TestSession.Result ended = new TestSession.Result();
        session.port.branches().end(BRANCH, BranchEnd.SUCCESS, ended);
        done(ended);
        TestSession.Result prepared = new TestSession.Result();
        session.port.branches().prepare(BRANCH, vote -> {}, prepared);
        done(prepared);
        session.connection.close();
        broker.settle();
        session = broker.session();
    }

    private void crash() {
        broker.crash();
        session = broker.session();
    }

    private void finish(boolean commit) {
        TestSession.Result result = new TestSession.Result();
        if (commit) {
            session.port.branches().commit(BRANCH, false, result);
        } else {
            session.port.branches().rollback(BRANCH, result);
        }
        done(result);
    }

    private TestSession consumer() {
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 1_000);
        return consumer;
    }

    /** What a consumer is given, without what fills pages. */
    private List<String> given(TestSession consumer) {
        List<String> texts = consumer.allTexts();
        texts.removeIf(text -> text.startsWith("filling"));
        return texts;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aGroupWaitsForThem(boolean restarts) {
        send("x1", "x", 1);
        prepare(1);
        send("x2", "x", 2);
        send("y1", "y", 1);
        if (restarts) {
            crash();
        }
        TestSession consumer = consumer();
        assertThat(given(consumer)).containsExactly("y1");
        finish(true);
        assertThat(given(consumer)).containsExactly("x2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatARollBackBringsBackIsTheFirst(boolean restarts) {
        send("x1", "x", 1);
        send("x2", "x", 2);
        send("x3", "x", 3);
        prepare(2);
        if (restarts) {
            crash();
        }
        TestSession consumer = consumer();
        TestSession other = consumer();
        assertThat(given(consumer)).isEmpty();
        finish(false);
        List<String> all = given(consumer);
        assertThat(all.isEmpty() ? given(other) : all).containsExactly("x1", "x2", "x3");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatBeginsAfterTheEndOfAGroupDoesNotWait(boolean restarts) {
        send("x1", "x", 1);
        send("x2", "x", -1);
        send("x3", "x", 1);
        prepare(2);
        if (restarts) {
            crash();
        }
        assertThat(given(consumer())).containsExactly("x3");
    }

    /** They are in pages when the broker starts, and nobody knows their groups; what has none does not wait. */
    private void prepareInPages() {
        send("x1", "x", 1);
        send("y1", "y", 1);
        for (int i = 0; i < FILLING; i++) {
            session.send("q", "filling " + "x".repeat(500));
            broker.settle();
        }
        send("x2", "x", 2);
        send("z1", "z", 1);
        assertThat(broker.pageDisk).hasSizeGreaterThan(3);
        prepare(2);
        crash();
    }

    @Test
    void aGroupWaitsForThemInPages() {
        prepareInPages();
        TestSession consumer = consumer();
        assertThat(given(consumer)).containsExactly("z1");
        crash();
        consumer = consumer();
        assertThat(given(consumer)).containsExactly("z1");
        finish(true);
        assertThat(given(consumer)).containsExactly("x2");
    }

    @Test
    void theyComeBackFromPagesAsTheFirst() {
        prepareInPages();
        TestSession consumer = consumer();
        assertThat(given(consumer)).containsExactly("z1");
        finish(false);
        assertThat(given(consumer)).containsExactly("x1", "y1", "x2");
    }

    @Test
    void aGroupWaitsWhileTheirPageIsRead() {
        prepareInPages();
        broker.crashBeforeTheFirstTurn(Limits.DEFAULTS.with(Limit.ADDRESS_MEMORY_MAX, 6_000));
        session = broker.session();
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 1_000);
        for (int i = 0; i < 20; i++) {
            broker.run();
            broker.journal.sync();
        }
        assertThat(broker.pages.pending()).isPositive();
        assertThat(given(consumer)).containsExactly("z1");
    }

    /** All that is in memory is of groups, and may not go before what is in pages is known. */
    @Test
    void whatIsDeepInPagesIsReadThoughGroupsFillTheMemory() {
        for (int i = 0; i < FILLING; i++) {
            send("g" + i + " ".repeat(500), "g" + i % 7, 1 + i / 7);
        }
        session.send(TestSession.text("q", "last")
                .group("g1", 9)
                .property("deep", true)
                .build());
        broker.settle();
        for (int i = 0; i < FILLING; i++) {
            send("h" + i + " ".repeat(500), "h" + i % 7, 1 + i / 7);
        }
        prepare(1, "deep");
        crash();
        TestSession consumer = consumer();
        assertThat(given(consumer)).hasSize(2 * FILLING - 6);
    }
}
