package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Address;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Subscribe;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A group that is to move to another consumer does so with all that waits of it, or not yet. */
final class MovingGroupsTest {
    private TestBroker broker = new TestBroker();
    private TestSession sender = broker.session();

    private void with(AddressRules rules) {
        broker = new TestBroker(rules);
        sender = broker.session();
    }

    /** Messages of the groups that their first letters name; one with a full stop ends its group. */
    private void send(String... texts) {
        for (String text : texts) {
            sender.send(TestSession.text("q", text)
                    .group(text.substring(0, 1), text.endsWith(".") ? -1 : 1)
                    .build());
        }
    }

    private TestSession consumer(int credit) {
        return consumer(null, credit);
    }

    private TestSession consumer(@Nullable String selector, int credit) {
        TestSession session = broker.session();
        session.subscribe(new Subscribe(1, Address.queue("q"), null, selector, false), credit);
        return session;
    }

    private static void credit(TestSession session, int messages) {
        session.port.credit(1, messages);
        session.flushed(new TestSession.Result());
    }

    private static List<Delivery> given(TestSession session, String... texts) {
        List<Delivery> given = session.receive();
        assertThat(given).extracting(delivery -> delivery.message().text()).containsExactly(texts);
        return given;
    }

    private static void takes(TestSession session, String... texts) {
        given(session, texts).forEach(delivery -> session.settle(delivery, Outcome.ACCEPTED));
    }

    @Test
    void whatComesBackOfAGroupThatMovesGoesWithIt() {
        TestSession a = consumer(2);
        send("x1");
        List<Delivery> out = given(a, "x1");
        TestSession b = consumer(0);
        send("y1", "y2", "x2");
        given(a, "y1");
        credit(b, 1);
        given(b);
        a.settle(out.get(0), Outcome.MODIFIED);
        given(b, "x1");
        credit(a, 10);
        given(a, "y2");
        credit(b, 1);
        given(b, "x2");
    }

    @Test
    void aGroupOfWhichSomethingWaitsForItsConsumerStaysWhenThereAreFewer() {
        TestSession a = consumer(2);
        send("w1", "x1");
        takes(a, "w1", "x1");
        TestSession b = consumer(10);
        send("z1", "x2", "z2.", "x3");
        takes(b, "z1", "z2.");
        credit(a, 10);
        given(a, "x2", "x3");
    }

    @Test
    void aGroupThatWasLeftToAnotherFeedStaysWhenItsConsumerGetsMore() {
        TestSession a = consumer("JMSXGroupID <> 'z'", 2);
        send("w1", "x1");
        takes(a, "w1", "x1");
        TestSession b = consumer("JMSPriority < 9", 10);
        send("z1", "x2");
        sender.send(TestSession.text("q", "v1").group("v", 1).priority(9).build());
        credit(a, 1);
        takes(a, "v1");
        send("x3");
        takes(b, "z1");
        credit(a, 10);
        given(a, "x2", "x3");
    }

    @Test
    void aGroupOfWhichSomethingWaitsIsNotForgotten() {
        with(AddressRules.DEFAULTS.with("q", AddressSetting.GROUPS_MAX, 2));
        TestSession a = consumer(1);
        TestSession b = consumer(10);
        send("x1");
        takes(a, "x1");
        send("x2", "y1");
        takes(b, "y1");
        send("z1", "x3");
        takes(b, "z1");
        credit(a, 10);
        given(a, "x2", "x3");
    }

    @Test
    void whatWaitsBehindTheEndOfItsGroupIsNotLeftToItsConsumer() {
        TestSession a = consumer(1);
        TestSession b = consumer(10);
        send("x1", "x2.", "x3");
        given(a, "x1");
        credit(a, 1);
        given(a, "x2.");
        send("x4");
        given(b, "x3", "x4");
    }

    @Test
    void nothingOvertakesWhatWaitsForAGroupToMoveWhenItStaysAfterAll() {
        TestSession a = consumer(2);
        send("w1", "x1");
        List<Delivery> out = given(a, "w1", "x1");
        TestSession b = consumer(10);
        send("x2", "z1");
        given(b, "z1");
        credit(a, 10);
        send("x3");
        given(a);
        a.settle(out.get(1), Outcome.ACCEPTED);
        given(a, "x2", "x3");
    }

    @Test
    void whatWaitsAsideComesToTheOneWhoGetsEverythingFromNowOn() {
        TestSession a = consumer(1);
        TestSession b = consumer(10);
        send("x1", "x2");
        takes(a, "x1");
        broker.configure(AddressRules.DEFAULTS.with("q", AddressSetting.EXCLUSIVE, true));
        credit(a, 10);
        given(a, "x2");
        given(b);
    }
}
