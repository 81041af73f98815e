package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.TransactionRolledBackException;
import java.io.IOException;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.ExceptionResponse;
import org.apache.activemq.command.LocalTransactionId;
import org.apache.activemq.command.MessageId;
import org.apache.activemq.command.ProducerId;
import org.apache.activemq.command.Response;
import org.apache.activemq.command.TransactionInfo;
import org.apache.activemq.command.XATransactionId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client that loses the answer to its commit, comes back under its name and sends the commit again. */
@Timeout(60)
final class OpenWireInDoubtTest {
    private static final String NAME = "ID:in-doubt";
    private static final ActiveMQQueue QUEUE = new ActiveMQQueue("doubt");
    private static final XATransactionId XID = new XATransactionId(new OpenWireXaTest.Branch(1));

    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    private WirePeer login() throws IOException {
        return new WirePeer(broker.port(), NAME).login(true);
    }

    private static TransactionInfo info(WirePeer peer, byte type) {
        return new TransactionInfo(peer.id, new LocalTransactionId(peer.id, 7), type);
    }

    private static void work(WirePeer peer) throws IOException {
        assertThat(peer.ask(info(peer, TransactionInfo.BEGIN)).isException()).isFalse();
        ActiveMQTextMessage message = peer.message(QUEUE, new ProducerId(peer.session(), 1));
        message.setTransactionId(new LocalTransactionId(peer.id, 7));
        message.setPersistent(true);
        try {
            message.setText("once");
        } catch (JMSException e) {
            throw new IOException(e);
        }
        message.beforeMarshall(null);
        assertThat(peer.ask(message).isException()).isFalse();
    }

    private Response commit(WirePeer peer) throws IOException {
        return peer.ask(info(peer, TransactionInfo.COMMIT_ONE_PHASE));
    }

    private void assertThere(String... texts) throws JMSException {
        Queue queue = broker.session().createQueue("doubt");
        for (String text : texts) {
            assertThat(broker.next(queue)).isEqualTo(text);
        }
        assertThat(broker.next(queue)).isNull();
    }

    @Test
    void aCommitThatTookEffectIsConfirmedEachTimeItIsAskedFor() throws Exception {
        try (WirePeer peer = login()) {
            work(peer);
            assertThat(commit(peer).isException()).isFalse();
        }
        for (int i = 0; i < 2; i++) {
            try (WirePeer again = login()) {
                assertThat(commit(again).isException()).isFalse();
            }
        }
        assertThere("once");
    }

    @Test
    void aCommitThatTookEffectIsConfirmedBehindARestart() throws Exception {
        try (WirePeer peer = login()) {
            work(peer);
            assertThat(commit(peer).isException()).isFalse();
        }
        broker.stop();
        broker.start();
        try (WirePeer again = login()) {
            assertThat(commit(again).isException()).isFalse();
        }
        assertThere("once");
    }

    @Test
    void aCommitThatNeverCameIsRolledBackForGood() throws Exception {
        try (WirePeer peer = login()) {
            work(peer);
        }
        for (int i = 0; i < 2; i++) {
            try (WirePeer again = login()) {
                assertRolledBack(commit(again));
            }
        }
        assertThere();
    }

    @Test
    void aTransactionThatWasRolledBackIsNeverCommittedLater() throws Exception {
        try (WirePeer peer = login()) {
            work(peer);
        }
        try (WirePeer again = login()) {
            assertRolledBack(commit(again));
            work(again);
            // The name is that of a transaction of which somebody was told that it has rolled back.
            assertRolledBack(commit(again));
        }
        assertThere();
    }

    private static void assertRolledBack(Response response) {
        assertThat(response)
                .isInstanceOfSatisfying(
                        ExceptionResponse.class,
                        refusal ->
                                assertThat(refusal.getException()).isInstanceOf(TransactionRolledBackException.class));
    }

    @Test
    void whoDoesNotComeBackIsToldThatThereIsNoSuchTransaction() throws Exception {
        try (WirePeer peer = new WirePeer(broker.port(), NAME).login()) {
            Response response = commit(peer);
            assertThat(response)
                    .isInstanceOfSatisfying(
                            ExceptionResponse.class,
                            refusal -> assertThat(refusal.getException()).hasMessageContaining("has not begun"));
        }
    }

    @Test
    void aTransactionThatIsSentAgainIsTakenOnce() throws Exception {
        try (WirePeer peer = login()) {
            work(peer);
        }
        try (WirePeer again = login()) {
            // As failover: replays what was not answered: begin, the messages under their names, the commit.
            work(again);
            assertThat(commit(again).isException()).isFalse();
        }
        assertThere("once");
    }

    /** All that a client does for a branch, which it repeats when it comes back; answers its vote. */
    private static Response prepared(WirePeer peer) throws Exception {
        assertThat(peer.ask(branch(peer, TransactionInfo.BEGIN)).isException()).isFalse();
        ProducerId producer = new ProducerId(peer.session(), 1);
        ActiveMQTextMessage message = peer.message(QUEUE, producer);
        message.setMessageId(new MessageId(producer, 1));
        message.setTransactionId(XID);
        message.setPersistent(true);
        message.setText("once");
        message.beforeMarshall(null);
        assertThat(peer.ask(message).isException()).isFalse();
        assertThat(peer.ask(branch(peer, TransactionInfo.END)).isException()).isFalse();
        return peer.ask(branch(peer, TransactionInfo.PREPARE));
    }

    private static TransactionInfo branch(WirePeer peer, byte type) {
        return new TransactionInfo(peer.id, XID, type);
    }

    @Test
    void aBranchWhoseCommitTookEffectIsConfirmedToAClientThatRepeatsIt() throws Exception {
        try (WirePeer peer = login()) {
            prepared(peer);
            assertThat(peer.ask(branch(peer, TransactionInfo.COMMIT_TWO_PHASE)).isException())
                    .isFalse();
        }
        try (WirePeer again = login()) {
            assertThat(prepared(again).isException()).isFalse();
            assertThat(again.ask(branch(again, TransactionInfo.COMMIT_TWO_PHASE))
                            .isException())
                    .isFalse();
            assertThat(again.ask(branch(again, TransactionInfo.COMMIT_TWO_PHASE))
                            .isException())
                    .isTrue();
        }
        assertThere("once");
    }
}
