package dev.turnstone.itests.xa;

import static dev.turnstone.itests.xa.XaPeer.answer;
import static dev.turnstone.itests.xa.XaPeer.next;
import static dev.turnstone.itests.xa.XaPeer.xid;
import static javax.transaction.xa.XAResource.TMENDRSCAN;
import static javax.transaction.xa.XAResource.TMFAIL;
import static javax.transaction.xa.XAResource.TMJOIN;
import static javax.transaction.xa.XAResource.TMNOFLAGS;
import static javax.transaction.xa.XAResource.TMRESUME;
import static javax.transaction.xa.XAResource.TMSTARTRSCAN;
import static javax.transaction.xa.XAResource.TMSUCCESS;
import static javax.transaction.xa.XAResource.TMSUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Branches over the API: what takes effect when, who may do what, and what comes back. */
final class XaResourceTest {
    private static final Xid ONE = xid(1);
    private static final Xid TWO = xid(2);

    @TempDir
    Path data;

    private XaBroker broker;
    private XaPeer peer;

    @BeforeEach
    void start() throws JMSException {
        broker = new XaBroker(data);
        peer = new XaPeer(broker);
    }

    @AfterEach
    void stop() throws JMSException {
        peer.close();
        broker.close();
    }

    @Test
    void flagsAndIdentifiersThatMeanNothingAreInvalid() {
        XAResource resource = peer.resource;
        assertThat(answer(() -> resource.start(ONE, TMSUCCESS))).isEqualTo("INVAL");
        assertThat(answer(() -> resource.start(ONE, TMJOIN | TMRESUME))).isEqualTo("INVAL");
        assertThat(answer(() -> resource.end(ONE, TMNOFLAGS))).isEqualTo("INVAL");
        assertThat(answer(() -> resource.recover(TMJOIN))).isEqualTo("INVAL");
        assertThat(answer(() -> resource.start(null, TMNOFLAGS))).isEqualTo("INVAL");
        assertThat(answer(() -> resource.prepare(null))).isEqualTo("INVAL");
        assertThat(answer(() -> resource.setTransactionTimeout(-1))).isEqualTo("INVAL");
        Xid none = new XaPeer.TestXid(-1, new byte[] {1}, new byte[] {1});
        assertThat(answer(() -> resource.start(none, TMNOFLAGS))).isEqualTo("INVAL");
        Xid large = new XaPeer.TestXid(1, new byte[65], new byte[] {1});
        assertThat(answer(() -> resource.start(large, TMNOFLAGS))).isEqualTo("INVAL");
        Xid largest = new XaPeer.TestXid(1, new byte[64], new byte[64]);
        assertThat(answer(() -> resource.start(largest, TMNOFLAGS))).isEqualTo("OK");
    }

    @Test
    void j11_aPreparedBranchIsFoundAfterARestartAndIsSeenOnceCommitted() throws Exception {
        broker.send("in", "order");
        MessageConsumer in = peer.consumer("in");
        peer.resource.start(ONE, TMNOFLAGS);
        assertThat(next(in)).isEqualTo("order");
        peer.send("q", "bill");
        peer.resource.end(ONE, TMSUCCESS);
        assertThat(peer.resource.prepare(ONE)).isEqualTo(XAResource.XA_OK);
        peer.close();
        broker.restart();
        peer = new XaPeer(broker);

        assertThat(broker.takeAll("q")).isEmpty();
        assertThat(broker.takeAll("in")).isEmpty();
        Xid[] found = peer.resource.recover(TMSTARTRSCAN);
        assertThat(found).hasSize(1);
        assertThat(found[0].getFormatId()).isEqualTo(ONE.getFormatId());
        assertThat(found[0].getGlobalTransactionId()).isEqualTo(ONE.getGlobalTransactionId());
        assertThat(found[0].getBranchQualifier()).isEqualTo(ONE.getBranchQualifier());
        assertThat(peer.resource.recover(TMNOFLAGS)).isEmpty();
        assertThat(peer.resource.recover(TMENDRSCAN)).isEmpty();
        peer.resource.commit(found[0], false);
        assertThat(peer.resource.recover(TMSTARTRSCAN | TMENDRSCAN)).isEmpty();
        assertThat(answer(() -> peer.resource.commit(ONE, false))).isEqualTo("NOTA");
        assertThat(broker.takeAll("q")).containsExactly("bill");
        assertThat(broker.takeAll("in")).isEmpty();
    }

    @Test
    void j11_eachResourceHasItsOwnScan() throws Exception {
        try (XaPeer other = new XaPeer(broker)) {
            peer.prepared(ONE, "q", "1");
            peer.prepared(TWO, "q", "2");
            assertThat(answer(() -> other.resource.recover(TMNOFLAGS))).isEqualTo("INVAL");
            assertThat(answer(() -> other.resource.recover(TMENDRSCAN))).isEqualTo("INVAL");
            assertThat(peer.resource.recover(TMSTARTRSCAN)).hasSize(2);
            assertThat(other.resource.recover(TMSTARTRSCAN)).hasSize(2);
            assertThat(peer.resource.recover(TMENDRSCAN)).isEmpty();
            assertThat(other.resource.recover(TMNOFLAGS)).isEmpty();
            assertThat(other.resource.recover(TMSTARTRSCAN)).hasSize(2);
            other.resource.rollback(ONE);
            other.resource.commit(TWO, false);
        }
        assertThat(broker.takeAll("q")).containsExactly("2");
    }

    @Test
    void j12_workIsSuspendedAndResumedOnTheSameAndOnAnotherThread() throws Exception {
        peer.resource.start(ONE, TMNOFLAGS);
        peer.send("q", "a");
        peer.resource.end(ONE, TMSUSPEND);
        peer.send("q", "outside");
        peer.resource.start(TWO, TMNOFLAGS);
        peer.send("q", "two");
        peer.resource.end(TWO, TMSUCCESS);
        peer.resource.start(ONE, TMRESUME);
        peer.send("q", "b");
        assertThat(answer(() -> peer.resource.start(ONE, TMRESUME))).isEqualTo("PROTO");
        peer.send("q", "c");
        peer.resource.end(ONE, TMSUSPEND);
        onAnotherThread(() -> {
            peer.resource.start(ONE, TMRESUME);
            peer.send("q", "d");
            peer.resource.end(ONE, TMSUCCESS);
            return null;
        });
        assertThat(broker.takeAll("q")).containsExactly("outside");
        peer.resource.commit(TWO, true);
        assertThat(peer.resource.prepare(ONE)).isEqualTo(XAResource.XA_OK);
        peer.resource.commit(ONE, false);
        assertThat(broker.takeAll("q")).containsExactly("two", "a", "b", "c", "d");
    }

    private static void onAnotherThread(java.util.concurrent.Callable<?> work)
            throws InterruptedException, ExecutionException {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            other.submit(work).get();
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void j12_resourcesOfOneBrokerAndUserJoinOneBranch() throws Exception {
        try (XaPeer other = new XaPeer(broker)) {
            assertThat(peer.resource.isSameRM(other.resource)).isTrue();
            assertThat(peer.resource.isSameRM(peer.resource)).isTrue();
            assertThat(peer.resource.isSameRM(null)).isFalse();
            broker.send("in", "order");
            peer.resource.start(ONE, TMNOFLAGS);
            other.resource.start(ONE, TMJOIN);
            peer.send("q", "bill");
            assertThat(next(other.consumer("in"))).isEqualTo("order");
            other.resource.end(ONE, TMSUCCESS);
            assertThat(answer(() -> peer.resource.prepare(ONE))).isEqualTo("PROTO");
            peer.resource.end(ONE, TMSUCCESS);
            assertThat(peer.resource.prepare(ONE)).isEqualTo(XAResource.XA_OK);
            other.resource.commit(ONE, false);
        }
        assertThat(broker.takeAll("q")).containsExactly("bill");
        assertThat(broker.takeAll("in")).isEmpty();
    }

    @Test
    void anotherBrokerIsAnotherResourceManager(@TempDir Path elsewhere) throws Exception {
        try (XaBroker second = new XaBroker(elsewhere);
                XaPeer other = new XaPeer(second)) {
            assertThat(peer.resource.isSameRM(other.resource)).isFalse();
        }
    }

    @Test
    void j12_aFailedBranchSaysSoAndThatItHasRolledBack() throws Exception {
        broker.send("in", "order");
        MessageConsumer in = peer.consumer("in");
        for (Xid xid : new Xid[] {ONE, TWO, xid(3)}) {
            peer.resource.start(xid, TMNOFLAGS);
            peer.send("q", "lost");
            assertThat(next(in)).startsWith("order");
            peer.resource.end(xid, TMFAIL);
        }
        assertThat(answer(() -> peer.resource.prepare(ONE))).isEqualTo("RBROLLBACK");
        assertThat(answer(() -> peer.resource.commit(TWO, true))).isEqualTo("RBROLLBACK");
        assertThat(answer(() -> peer.resource.rollback(xid(3)))).isEqualTo("OK");
        assertThat(answer(() -> peer.resource.rollback(ONE))).isEqualTo("NOTA");
        in.close();
        assertThat(broker.takeAll("in")).containsExactly("order*");
        assertThat(broker.takeAll("q")).isEmpty();
    }

    @Test
    void j23_aBranchThatCanOnlyRollBackSaysSoAtItsEndAndLeavesNothing() throws Exception {
        peer.resource.setTransactionTimeout(1);
        broker.send("in", "1");
        MessageConsumer in = peer.consumer("in");
        peer.resource.start(ONE, TMNOFLAGS);
        peer.send("q", "lost");
        assertThat(next(in)).isEqualTo("1");
        in.close();
        try (XaPeer other = new XaPeer(broker)) {
            assertThat(next(other.consumer("in")))
                    .as("given back by the broker itself")
                    .isEqualTo("1*");
        }
        assertThat(answer(() -> peer.resource.end(ONE, TMSUCCESS))).isEqualTo("RBTIMEOUT");
        assertThat(answer(() -> peer.resource.rollback(ONE))).isIn("OK", "NOTA");
        assertThat(answer(() -> peer.resource.rollback(ONE))).isEqualTo("NOTA");
        assertThat(peer.resource.recover(TMSTARTRSCAN | TMENDRSCAN)).isEmpty();
        peer.close();
        assertThat(broker.takeAll("in")).isEmpty();
        assertThat(broker.takeAll("q")).isEmpty();
    }

    @Test
    void whatARolledBackBranchHadReceivedComesAgainInItsPlace() throws Exception {
        broker.send("in", "1", "2", "3", "4", "5");
        MessageConsumer in = peer.consumer("in");
        peer.resource.start(ONE, TMNOFLAGS);
        assertThat(next(in)).isEqualTo("1");
        assertThat(next(in)).isEqualTo("2");
        peer.resource.end(ONE, TMSUCCESS);
        assertThat(peer.resource.prepare(ONE)).isEqualTo(XAResource.XA_OK);
        peer.resource.rollback(ONE);
        peer.resource.start(TWO, TMNOFLAGS);
        for (String text : new String[] {"1*", "2*", "3", "4", "5"}) {
            assertThat(next(in)).isEqualTo(text);
        }
        peer.resource.end(TWO, TMSUCCESS);
        peer.resource.commit(TWO, true);
        in.close();
        assertThat(broker.takeAll("in")).isEmpty();
    }

    @Test
    void j15_whoDiesInTheMiddleOfABranchLeavesItsMessagesInOrder() throws Exception {
        broker.send("in", "1", "2", "3", "4", "5");
        MessageConsumer in = peer.consumer("in");
        peer.resource.start(ONE, TMNOFLAGS);
        assertThat(next(in)).isEqualTo("1");
        peer.close();
        assertThat(broker.takeAll("in")).containsExactly("1*", "2", "3", "4", "5");
        try (XaPeer other = new XaPeer(broker)) {
            assertThat(answer(() -> other.resource.commit(ONE, true))).isIn("NOTA", "RBROLLBACK");
        }
    }

    @Test
    void aRefusedSendDoomsTheBranch() throws Exception {
        try (XaBroker small = new XaBroker(data.resolve("small"), "&tx.maxSends=2");
                XaPeer sender = new XaPeer(small)) {
            sender.resource.start(ONE, TMNOFLAGS);
            for (String text : new String[] {"1", "2", "3"}) {
                sender.send("q", text);
            }
            assertThat(answer(() -> sender.resource.end(ONE, TMSUCCESS))).isEqualTo("RBROLLBACK");
            assertThat(answer(() -> sender.resource.prepare(ONE))).isEqualTo("RBROLLBACK");
            assertThat(small.takeAll("q")).isEmpty();
        }
    }

    @Test
    void aBranchWithoutWorkIsReadOnly() throws XAException {
        peer.resource.start(ONE, TMNOFLAGS);
        peer.resource.end(ONE, TMSUCCESS);
        assertThat(peer.resource.prepare(ONE)).isEqualTo(XAResource.XA_RDONLY);
        assertThat(answer(() -> peer.resource.commit(ONE, false))).isEqualTo("NOTA");
    }

    @Test
    void aClosedSessionsBranchIsEndedThroughItsResourceAsLongAsTheConnectionIsOpen() throws Exception {
        peer.idle(ONE, "q", "1");
        peer.idle(TWO, "q", "2");
        peer.session.close();
        assertThat(peer.resource.prepare(ONE)).isEqualTo(XAResource.XA_OK);
        peer.resource.commit(ONE, false);
        peer.resource.rollback(TWO);
        assertThat(answer(() -> peer.resource.start(xid(3), TMNOFLAGS))).isEqualTo("RMFAIL");
        assertThat(broker.takeAll("q")).containsExactly("1");
        peer.close();
        assertThat(answer(() -> peer.resource.commit(ONE, false))).isEqualTo("RMFAIL");
        assertThat(answer(() -> peer.resource.recover(TMSTARTRSCAN))).isEqualTo("RMFAIL");
    }

    @Test
    void aTimeOutIsRemembered() throws XAException {
        assertThat(peer.resource.getTransactionTimeout()).isZero();
        assertThat(peer.resource.setTransactionTimeout(42)).isTrue();
        assertThat(peer.resource.getTransactionTimeout()).isEqualTo(42);
        peer.resource.setTransactionTimeout(0);
        assertThat(peer.resource.getTransactionTimeout()).isZero();
    }
}
