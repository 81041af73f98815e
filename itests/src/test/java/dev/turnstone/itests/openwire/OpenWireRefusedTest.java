package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.ActiveMQXAConnectionFactory;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.LocalTransactionId;
import org.apache.activemq.command.MessageAck;
import org.apache.activemq.command.MessageDispatch;
import org.apache.activemq.command.ProducerId;
import org.apache.activemq.command.TransactionInfo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions that the broker refuses: what the client has taken in them it has still, and the queue has again. */
@Timeout(60)
final class OpenWireRefusedTest {
    private static final long AGE_MS = 1_000;
    private static final Duration TOO_OLD = Duration.ofMillis(AGE_MS + 200);

    @RegisterExtension
    private final ActiveMq broker = new ActiveMq(
            Map.of(),
            settings -> settings.withLimits(Limits.DEFAULTS.with(Limit.TX_AGE_MAX, AGE_MS))
                    .withAddresses(AddressRules.DEFAULTS.with("full", AddressSetting.MAX_MESSAGES, 2)));

    private XAConnection connection;
    private XASession session;
    private XAResource resource;
    private final Queue in = new ActiveMQQueue("in");

    @BeforeEach
    void send() throws JMSException {
        ActiveMq.send(broker.session(), in, "m");
        ActiveMq.send(broker.session(), new ActiveMQQueue("full"), "there is room for one");
    }

    private void open(String scheme) throws JMSException {
        connection = connect(scheme);
        session = connection.createXASession();
        resource = session.getXAResource();
    }

    private XAConnection connect(String scheme) throws JMSException {
        ActiveMQXAConnectionFactory factory =
                new ActiveMQXAConnectionFactory(scheme + "tcp://" + ActiveMq.HOST + ":" + broker.port());
        factory.getRedeliveryPolicy().setInitialRedeliveryDelay(0);
        XAConnection made = factory.createXAConnection();
        made.start();
        return made;
    }

    @AfterEach
    void close() throws JMSException {
        if (connection != null) {
            connection.close();
        }
    }

    private static void waitFor(Duration time) {
        Awaitility.await().pollDelay(time).until(() -> true);
    }

    private void assertNothingIsLeft() throws JMSException {
        assertThat(broker.next(in)).isNull();
        assertThat(broker.next(new ActiveMQQueue("DLQ"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void whatARefusedCommitHadTakenIsThereOnceMoreForTheNextOne(int prefetch) throws JMSException {
        ActiveMQConnectionFactory factory = broker.factory("?jms.prefetchPolicy.all=" + prefetch);
        factory.getRedeliveryPolicy().setInitialRedeliveryDelay(0);
        Session local = broker.connect(factory).createSession(Session.SESSION_TRANSACTED);
        ActiveMq.send(broker.session(), in, "n");
        MessageConsumer consumer = local.createConsumer(in);
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThat(ActiveMq.text(consumer)).isEqualTo("m");
            ActiveMq.send(local, local.createQueue("full"), "1", "2");
            assertThatThrownBy(local::commit).isInstanceOf(JMSException.class);
        }
        assertThat(ActiveMq.text(consumer)).isEqualTo("m");
        local.commit();
        assertThat(ActiveMq.text(consumer)).isEqualTo("n");
        local.commit();
        assertThat(ActiveMq.text(consumer, ActiveMq.A_WHILE_MS)).isNull();
        local.close();
        assertNothingIsLeft();
    }

    @Test
    void theBrokerGivesNothingASecondTimeThatTheClientHas() throws Exception {
        try (WirePeer peer = new WirePeer(broker.port(), "ID:refused").login()) {
            ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(peer.session(), 1));
            consumer.setDestination(new ActiveMQQueue("in"));
            consumer.setPrefetchSize(10);
            assertThat(peer.ask(consumer).isException()).isFalse();
            MessageDispatch given = peer.dispatch();
            begin(peer, 1);
            acknowledge(peer, given, 1);
            for (int i = 0; i < 2; i++) {
                send(peer, "full", "too many", 1);
            }
            assertThat(peer.ask(info(peer, 1, TransactionInfo.COMMIT_ONE_PHASE)).isException())
                    .isTrue();
            begin(peer, 2);
            acknowledge(peer, given, 2);
            send(peer, "in", "next", 2);
            assertThat(peer.ask(info(peer, 2, TransactionInfo.COMMIT_ONE_PHASE)).isException())
                    .isFalse();
            // Nothing has come meanwhile.
            assertThat(((ActiveMQTextMessage) peer.dispatch().getMessage()).getText())
                    .isEqualTo("next");
        }
        assertThat(broker.next(in)).isEqualTo("next");
        assertNothingIsLeft();
    }

    private static TransactionInfo info(WirePeer peer, long number, byte type) {
        return new TransactionInfo(peer.id, new LocalTransactionId(peer.id, number), type);
    }

    private static void begin(WirePeer peer, long number) throws IOException {
        assertThat(peer.ask(info(peer, number, TransactionInfo.BEGIN)).isException())
                .isFalse();
    }

    private static void acknowledge(WirePeer peer, MessageDispatch given, long transaction) throws IOException {
        MessageAck ack = new MessageAck(given, MessageAck.STANDARD_ACK_TYPE, 1);
        ack.setTransactionId(new LocalTransactionId(peer.id, transaction));
        assertThat(peer.ask(ack).isException()).isFalse();
    }

    private static void send(WirePeer peer, String queue, String text, long transaction) throws Exception {
        ActiveMQTextMessage message = peer.message(new ActiveMQQueue(queue), new ProducerId(peer.session(), 1));
        message.setTransactionId(new LocalTransactionId(peer.id, transaction));
        message.setPersistent(true);
        message.setText(text);
        message.beforeMarshall(null);
        assertThat(peer.ask(message).isException()).isFalse();
    }

    @Test
    void whatATransactionThatIsTooOldHadTakenTheNextOneTakes() throws JMSException {
        ActiveMQConnectionFactory factory = broker.factory();
        factory.getRedeliveryPolicy().setInitialRedeliveryDelay(0);
        Session local = broker.connect(factory).createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = local.createConsumer(in);
        assertThat(ActiveMq.text(consumer)).isEqualTo("m");
        waitFor(TOO_OLD);
        assertThatThrownBy(local::commit).isInstanceOf(TransactionRolledBackException.class);
        assertThat(ActiveMq.text(consumer)).isEqualTo("m");
        local.commit();
        local.close();
        assertNothingIsLeft();
    }

    @Test
    void whatARefusedSettlementHasLetFollowIsOwedWhenItsMessageIsSettledAtLast() throws Exception {
        ActiveMq.send(broker.session(), in, "n", "o");
        try (WirePeer peer = new WirePeer(broker.port(), "ID:owes").login()) {
            ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(peer.session(), 1));
            consumer.setDestination(new ActiveMQQueue("in"));
            consumer.setPrefetchSize(1);
            assertThat(peer.ask(consumer).isException()).isFalse();
            MessageDispatch given = peer.dispatch();
            begin(peer, 1);
            acknowledge(peer, given, 1);
            waitFor(TOO_OLD);
            assertThat(peer.ask(info(peer, 1, TransactionInfo.COMMIT_ONE_PHASE)).isException())
                    .isTrue();
            MessageDispatch next = peer.dispatch();
            assertThat(peer.ask(new MessageAck(given, MessageAck.STANDARD_ACK_TYPE, 1))
                            .isException())
                    .isFalse();
            assertThat(peer.getsNothing()).as("it has as many as its prefetch").isTrue();
            assertThat(peer.ask(new MessageAck(next, MessageAck.STANDARD_ACK_TYPE, 1))
                            .isException())
                    .isFalse();
            assertThat(((ActiveMQTextMessage) peer.dispatch().getMessage()).getText())
                    .isEqualTo("o");
        }
    }

    private void takenAgainAndCommitted(MessageConsumer consumer) throws JMSException, XAException {
        OpenWireXaTest.Branch branch = new OpenWireXaTest.Branch(99);
        resource.start(branch, XAResource.TMNOFLAGS);
        Message again = consumer.receive(ActiveMq.SOON_MS);
        assertThat(again.getBody(String.class)).isEqualTo("m");
        assertThat(again.getJMSRedelivered()).isTrue();
        resource.end(branch, XAResource.TMSUCCESS);
        resource.commit(branch, true);
        assertNothingComes(session, consumer);
        assertNothingIsLeft();
    }

    private static void assertNothingComes(XASession session, MessageConsumer consumer)
            throws JMSException, XAException {
        OpenWireXaTest.Branch branch = new OpenWireXaTest.Branch(100);
        session.getXAResource().start(branch, XAResource.TMNOFLAGS);
        assertThat(ActiveMq.text(consumer, ActiveMq.A_WHILE_MS)).isNull();
        session.getXAResource().end(branch, XAResource.TMSUCCESS);
        session.getXAResource().rollback(branch);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "failover:"})
    void aBranchOfWhichASendWasRefusedEndsAndRollsBack(String scheme) throws JMSException, XAException {
        open(scheme);
        OpenWireXaTest.Branch branch = new OpenWireXaTest.Branch(1);
        MessageConsumer consumer = session.createConsumer(in);
        resource.start(branch, XAResource.TMNOFLAGS);
        assertThat(ActiveMq.text(consumer)).isEqualTo("m");
        MessageProducer producer = session.createProducer(session.createQueue("$SYS.x"));
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.send(session.createTextMessage("refused"));
        waitFor(Duration.ofMillis(100));
        resource.end(branch, XAResource.TMSUCCESS);
        resource.rollback(branch);
        takenAgainAndCommitted(consumer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "failover:"})
    void aBranchOfWhichASendWasRefusedIsNotPrepared(String scheme) throws JMSException, XAException {
        open(scheme);
        OpenWireXaTest.Branch branch = new OpenWireXaTest.Branch(1);
        MessageConsumer consumer = session.createConsumer(in);
        resource.start(branch, XAResource.TMNOFLAGS);
        assertThat(ActiveMq.text(consumer)).isEqualTo("m");
        session.createProducer(session.createQueue("$SYS.x")).send(session.createTextMessage("refused"));
        waitFor(Duration.ofMillis(100));
        resource.end(branch, XAResource.TMSUCCESS);
        assertThatThrownBy(() -> resource.prepare(branch)).isInstanceOf(XAException.class);
        takenAgainAndCommitted(consumer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "failover:"})
    void aBranchThatBecameTooOldRollsBackAndItsMessageIsTakenOnce(String scheme) throws JMSException, XAException {
        open(scheme);
        OpenWireXaTest.Branch branch = new OpenWireXaTest.Branch(1);
        MessageConsumer consumer = consumerOf(branch);
        waitFor(TOO_OLD);
        assertThatThrownBy(() -> resource.prepare(branch)).isInstanceOf(XAException.class);
        takenAgainAndCommitted(consumer);
    }

    /** A consumer that has taken the message for the branch. */
    private MessageConsumer consumerOf(OpenWireXaTest.Branch branch) throws JMSException, XAException {
        MessageConsumer consumer = session.createConsumer(in);
        resource.start(branch, XAResource.TMNOFLAGS);
        assertThat(ActiveMq.text(consumer)).isEqualTo("m");
        resource.end(branch, XAResource.TMSUCCESS);
        return consumer;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "failover:"})
    void aBranchThatIsRolledBackOverAnotherConnectionHasItsMessageTakenOnce(String scheme)
            throws JMSException, XAException {
        open(scheme);
        OpenWireXaTest.Branch branch = new OpenWireXaTest.Branch(1);
        MessageConsumer consumer = consumerOf(branch);
        resource.prepare(branch);
        XAConnection other = connect(scheme);
        other.createXASession().getXAResource().rollback(branch);
        other.close();
        takenAgainAndCommitted(consumer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "failover:"})
    void whatComesBackToAnotherConsumerOfTheConnectionIsStillItsOwners(String scheme) throws JMSException, XAException {
        open(scheme);
        OpenWireXaTest.Branch branch = new OpenWireXaTest.Branch(1);
        MessageConsumer consumer = consumerOf(branch);
        XASession second = connection.createXASession();
        MessageConsumer other = second.createConsumer(in);
        resource.rollback(branch);
        takenAgainAndCommitted(consumer);
        assertNothingComes(second, other);
    }
}
