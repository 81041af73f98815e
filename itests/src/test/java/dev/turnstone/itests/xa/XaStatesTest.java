package dev.turnstone.itests.xa;

import static dev.turnstone.itests.xa.XaPeer.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What each verb answers in each state of a branch, and that a wrong one leaves the branch as it was. */
final class XaStatesTest {
    /** The states, each with the verbs' answers in the order of the heading. */
    private static final String TABLE = """
            state      NEW    JOIN        RESUME     SUCCESS FAIL  SUSPEND PREPARE    COMMIT1    COMMIT2 ROLLBACK FORGET
            NONE       OK     NOTA        NOTA       NOTA    NOTA  NOTA    NOTA       NOTA       NOTA    NOTA     NOTA
            ACTIVE     DUPID  PROTO       PROTO      OK      OK    OK      PROTO      PROTO      PROTO   PROTO    NOTA
            SUSPENDED  DUPID  PROTO       OK         OK      OK    PROTO   PROTO      PROTO      PROTO   OK       NOTA
            IDLE       DUPID  OK          PROTO      PROTO   PROTO PROTO   OK         OK         PROTO   OK       NOTA
            FAILED     DUPID  RBROLLBACK  RBROLLBACK PROTO   PROTO PROTO   RBROLLBACK RBROLLBACK PROTO   OK       NOTA
            TIMED_OUT  DUPID  RBTIMEOUT   RBTIMEOUT  PROTO   PROTO PROTO   RBTIMEOUT  RBTIMEOUT  PROTO   OK       NOTA
            PREPARED   DUPID  PROTO       PROTO      PROTO   PROTO PROTO   PROTO      PROTO      OK      OK       NOTA
            COMMITTED  OK     NOTA        NOTA       NOTA    NOTA  NOTA    NOTA       NOTA       NOTA    NOTA     NOTA
            ROLLEDBACK OK     NOTA        NOTA       NOTA    NOTA  NOTA    NOTA       NOTA       NOTA    NOTA     NOTA
            """;

    @TempDir
    static Path data;

    private static XaBroker broker;
    private static int xids;

    @BeforeAll
    static void start() throws JMSException {
        broker = new XaBroker(data);
    }

    @AfterAll
    static void stop() throws JMSException {
        broker.close();
    }

    @TestFactory
    List<DynamicTest> everyVerbInEveryState() {
        List<String> lines = TABLE.lines().toList();
        String[] verbs = lines.get(0).split(" +");
        List<DynamicTest> tests = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] answers = line.split(" +");
            for (int i = 1; i < verbs.length; i++) {
                String verb = verbs[i];
                String expected = answers[i];
                tests.add(DynamicTest.dynamicTest(
                        answers[0] + " " + verb + " " + expected, () -> check(answers[0], verb, expected)));
            }
        }
        return tests;
    }

    private void check(String state, String verb, String expected) throws JMSException, XAException {
        Xid xid = XaPeer.xid(++xids);
        String queue = "q" + xids;
        try (XaPeer peer = new XaPeer(broker)) {
            bring(peer, xid, queue, state);
            assertThat(answer(() -> call(peer.resource, xid, verb))).isEqualTo(expected);
            boolean committed = verb.startsWith("COMMIT") && expected.equals("OK");
            if (committed || state.equals("COMMITTED")) {
                assertThat(broker.takeAll(queue)).containsExactly("text");
            } else if (!expected.equals("OK") && !expected.startsWith("RB")) {
                assertAsBefore(peer, xid, queue, state);
            } else {
                assertThat(broker.takeAll(queue)).isEmpty();
            }
        }
    }

    private static void bring(XaPeer peer, Xid xid, String queue, String state) throws JMSException, XAException {
        if (state.equals("NONE")) {
            return;
        }
        peer.resource.setTransactionTimeout(state.equals("TIMED_OUT") ? 1 : 0);
        peer.resource.start(xid, XAResource.TMNOFLAGS);
        peer.send(queue, "text");
        switch (state) {
            case "ACTIVE" -> {}
            case "SUSPENDED" -> peer.resource.end(xid, XAResource.TMSUSPEND);
            case "FAILED" -> peer.resource.end(xid, XAResource.TMFAIL);
            default -> peer.resource.end(xid, XAResource.TMSUCCESS);
        }
        switch (state) {
            case "TIMED_OUT" -> awaitTimeout(xid);
            case "PREPARED" -> peer.resource.prepare(xid);
            case "COMMITTED" -> peer.resource.commit(xid, true);
            case "ROLLEDBACK" -> peer.resource.rollback(xid);
            default -> {}
        }
    }

    private static void awaitTimeout(Xid xid) throws JMSException {
        try (XaPeer other = new XaPeer(broker)) {
            await().atMost(10, TimeUnit.SECONDS)
                    .until(() -> answer(() -> other.resource.start(xid, XAResource.TMRESUME))
                            .equals("RBTIMEOUT"));
        }
    }

    private static void call(XAResource resource, Xid xid, String verb) throws XAException {
        switch (verb) {
            case "NEW" -> resource.start(xid, XAResource.TMNOFLAGS);
            case "JOIN" -> resource.start(xid, XAResource.TMJOIN);
            case "RESUME" -> resource.start(xid, XAResource.TMRESUME);
            case "SUCCESS" -> resource.end(xid, XAResource.TMSUCCESS);
            case "FAIL" -> resource.end(xid, XAResource.TMFAIL);
            case "SUSPEND" -> resource.end(xid, XAResource.TMSUSPEND);
            case "PREPARE" -> resource.prepare(xid);
            case "COMMIT1" -> resource.commit(xid, true);
            case "COMMIT2" -> resource.commit(xid, false);
            case "ROLLBACK" -> resource.rollback(xid);
            case "FORGET" -> resource.forget(xid);
            default -> throw new IllegalArgumentException(verb);
        }
    }

    /** The state is what it was: the rest of the branch's life goes as if nothing had been called. */
    private static void assertAsBefore(XaPeer peer, Xid xid, String queue, String state)
            throws JMSException, XAException {
        assertThat(broker.takeAll(queue)).isEmpty();
        XAResource resource = peer.resource;
        switch (state) {
            case "ACTIVE" -> {
                peer.send(queue, "more");
                resource.end(xid, XAResource.TMSUCCESS);
                resource.commit(xid, true);
            }
            case "SUSPENDED" -> {
                resource.start(xid, XAResource.TMRESUME);
                peer.send(queue, "more");
                resource.end(xid, XAResource.TMSUCCESS);
                resource.commit(xid, true);
            }
            case "IDLE" -> resource.commit(xid, true);
            case "FAILED" -> assertThat(answer(() -> resource.prepare(xid))).isEqualTo("RBROLLBACK");
            case "TIMED_OUT" -> assertThat(answer(() -> resource.prepare(xid))).isEqualTo("RBTIMEOUT");
            case "PREPARED" -> resource.commit(xid, false);
            default -> assertThat(answer(() -> resource.rollback(xid))).isEqualTo("NOTA");
        }
        switch (state) {
            case "ACTIVE", "SUSPENDED" -> assertThat(broker.takeAll(queue)).containsExactly("text", "more");
            case "IDLE", "PREPARED" -> assertThat(broker.takeAll(queue)).containsExactly("text");
            default -> assertThat(broker.takeAll(queue)).isEmpty();
        }
    }
}
