package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.store.BranchRecord;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalLimits;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.artemis.ArtemisJournalProvider;
import dev.turnstone.port.BranchId;
import dev.turnstone.spi.Principal;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.charset.StandardCharsets;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.activemq.ActiveMQXAConnectionFactory;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class OpenWireXaTest {
    @RegisterExtension
    private final ActiveMq broker = new ActiveMq();

    /** The identifier of a record that the broker comes to much later. */
    private static final long PLANTED = 1L << 40;

    private XAConnection connection;
    private XASession session;
    private XAResource resource;
    private Queue in;
    private Queue out;

    record Branch(int number) implements Xid {
        @Override
        public int getFormatId() {
            return 7;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return ("global" + number).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    @BeforeEach
    void open() throws JMSException {
        connect();
        in = session.createQueue("xa.in");
        out = session.createQueue("xa.out");
        ActiveMq.send(broker.session(), in, "1", "2");
    }

    private void connect() throws JMSException {
        ActiveMQXAConnectionFactory factory =
                new ActiveMQXAConnectionFactory("tcp://" + ActiveMq.HOST + ":" + broker.port());
        factory.getRedeliveryPolicy().setInitialRedeliveryDelay(0);
        connection = factory.createXAConnection();
        connection.start();
        session = connection.createXASession();
        resource = session.getXAResource();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
    }

    /** Takes one message and sends one for a branch. */
    private void work(Branch branch, MessageConsumer consumer) throws JMSException, XAException {
        resource.start(branch, XAResource.TMNOFLAGS);
        assertThat(ActiveMq.text(consumer)).isNotNull();
        session.createProducer(out).send(session.createTextMessage("result"));
        resource.end(branch, XAResource.TMSUCCESS);
    }

    @Test
    void aPreparedBranchIsInvisibleUntilItIsCommitted() throws JMSException, XAException {
        Branch branch = new Branch(1);
        MessageConsumer consumer = session.createConsumer(in);
        work(branch, consumer);
        assertThat(resource.prepare(branch)).isEqualTo(XAResource.XA_OK);
        assertThat(broker.next(out)).isNull();
        assertThat(resource.recover(XAResource.TMSTARTRSCAN)).hasSize(1);
        resource.commit(branch, false);
        consumer.close();
        assertThat(broker.next(out)).isEqualTo("result");
        assertThat(broker.next(in)).isEqualTo("2");
        assertThat(broker.next(in)).isNull();
        assertThat(resource.recover(XAResource.TMSTARTRSCAN)).isEmpty();
    }

    @Test
    void aPreparedBranchSurvivesTheBrokerAndTheClient() throws JMSException, XAException {
        Branch branch = new Branch(2);
        work(branch, session.createConsumer(in));
        resource.prepare(branch);
        broker.stop();
        broker.start();
        connect();
        Xid[] found = resource.recover(XAResource.TMSTARTRSCAN);
        assertThat(found).hasSize(1);
        assertThat(found[0].getGlobalTransactionId()).isEqualTo(branch.getGlobalTransactionId());
        assertThat(found[0].getFormatId()).isEqualTo(7);
        resource.commit(found[0], false);
        assertThat(broker.next(out)).isEqualTo("result");
        assertThat(broker.next(in)).isEqualTo("2");
    }

    @Test
    void oneResourceCommitsInOnePhase() throws JMSException, XAException {
        Branch branch = new Branch(3);
        MessageConsumer consumer = session.createConsumer(in);
        work(branch, consumer);
        resource.commit(branch, true);
        consumer.close();
        assertThat(broker.next(out)).isEqualTo("result");
        assertThat(broker.next(in)).isEqualTo("2");
    }

    @Test
    void aBranchWithoutWorkIsReadOnly() throws XAException {
        Branch branch = new Branch(4);
        resource.start(branch, XAResource.TMNOFLAGS);
        resource.end(branch, XAResource.TMSUCCESS);
        assertThat(resource.prepare(branch)).isEqualTo(XAResource.XA_RDONLY);
    }

    @Test
    void aRolledBackMessageComesOnceMoreToTheSameConsumerAndIsConsumedOnce() throws JMSException, XAException {
        MessageConsumer consumer = session.createConsumer(in);
        for (int attempt = 0; attempt < 2; attempt++) {
            Branch undone = new Branch(10 + attempt);
            work(undone, consumer);
            if (attempt == 1) {
                resource.prepare(undone);
            }
            resource.rollback(undone);
            assertThat(broker.next(out)).isNull();
        }
        Branch done = new Branch(12);
        resource.start(done, XAResource.TMNOFLAGS);
        Message again = consumer.receive(ActiveMq.SOON_MS);
        assertThat(again.getBody(String.class)).isEqualTo("1");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(ActiveMq.text(consumer)).isEqualTo("2");
        assertThat(ActiveMq.text(consumer, ActiveMq.A_WHILE_MS)).isNull();
        resource.end(done, XAResource.TMSUCCESS);
        resource.commit(done, true);
        consumer.close();
        assertThat(broker.next(in)).isNull();
    }

    /** As if an operator had decided it, for which there is no command yet. */
    private void decide(Branch branch, BranchRecord.State decision) {
        broker.stop();
        BranchId id = new BranchId(branch.getFormatId(), branch.getGlobalTransactionId(), branch.getBranchQualifier());
        Batch batch = new Batch();
        batch.add(PLANTED, RecordType.BRANCH.code(), new BranchRecord(id, decision, Principal.ANONYMOUS));
        JournalListener listener = new JournalListener() {
            @Override
            public void durable(long lsn) {
                // The journal's end waits for it.
            }

            @Override
            public void failed(JournalException cause) {
                throw cause;
            }
        };
        try (Journal journal = new ArtemisJournalProvider().open(broker.data(), JournalLimits.DEFAULTS, listener)) {
            journal.load((record, type, payload) -> {});
            journal.append(batch);
        }
        broker.start();
    }

    @ParameterizedTest
    @CsvSource({"COMMITTED, " + XAException.XA_HEURCOM, "ROLLED_BACK, " + XAException.XA_HEURRB})
    void whatAnOperatorHasDecidedIsToldUntilItIsForgotten(BranchRecord.State decision, int told)
            throws JMSException, XAException {
        Branch branch = new Branch(40);
        decide(branch, decision);
        connect();
        assertThat(resource.recover(XAResource.TMSTARTRSCAN)).hasSize(1);
        assertThat(code(() -> resource.commit(branch, false))).isEqualTo(told);
        assertThat(code(() -> resource.rollback(branch))).isEqualTo(told);
        resource.forget(branch);
        assertThat(code(() -> resource.commit(branch, false))).isEqualTo(XAException.XAER_NOTA);
        assertThat(resource.recover(XAResource.TMSTARTRSCAN)).isEmpty();
    }

    private static int code(ThrowingCallable call) {
        return assertThatThrownBy(call)
                .asInstanceOf(InstanceOfAssertFactories.type(XAException.class))
                .actual()
                .errorCode;
    }

    @Test
    void wrongCallsGetTheCodesOfXa() {
        Branch unknown = new Branch(20);
        assertThatThrownBy(() -> resource.prepare(unknown))
                .asInstanceOf(InstanceOfAssertFactories.type(XAException.class))
                .extracting(e -> e.errorCode)
                .isEqualTo(XAException.XAER_NOTA);
        assertThatThrownBy(() -> resource.rollback(unknown))
                .asInstanceOf(InstanceOfAssertFactories.type(XAException.class))
                .extracting(e -> e.errorCode)
                .isEqualTo(XAException.XAER_NOTA);
        assertThatThrownBy(() -> resource.forget(unknown))
                .asInstanceOf(InstanceOfAssertFactories.type(XAException.class))
                .extracting(e -> e.errorCode)
                .isEqualTo(XAException.XAER_NOTA);
    }

    @Test
    void twoConnectionsOfOneBrokerAreOneResourceManager() throws JMSException, XAException {
        XAConnection other =
                new ActiveMQXAConnectionFactory("tcp://" + ActiveMq.HOST + ":" + broker.port()).createXAConnection();
        try {
            XASession joining = other.createXASession();
            assertThat(resource.isSameRM(joining.getXAResource())).isTrue();
            Branch branch = new Branch(30);
            resource.start(branch, XAResource.TMNOFLAGS);
            session.createProducer(out).send(session.createTextMessage("one"));
            joining.getXAResource().start(branch, XAResource.TMJOIN);
            joining.createProducer(out).send(joining.createTextMessage("two"));
            joining.getXAResource().end(branch, XAResource.TMSUCCESS);
            resource.end(branch, XAResource.TMSUCCESS);
            resource.commit(branch, true);
        } finally {
            other.close();
        }
        assertThat(broker.next(out)).isEqualTo("one");
        assertThat(broker.next(out)).isEqualTo("two");
    }
}
