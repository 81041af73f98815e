package dev.turnstone.itests.openwire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.activemq.advisory.AdvisorySupport;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.ConsumerInfo;
import org.apache.activemq.command.DestinationInfo;
import org.apache.activemq.command.LocalTransactionId;
import org.apache.activemq.command.MessageAck;
import org.apache.activemq.command.MessageDispatch;
import org.apache.activemq.command.SessionInfo;
import org.apache.activemq.command.TransactionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one connection may have at most, and peers that are slow or silent. */
@Timeout(60)
final class OpenWireLimitsTest {
    private static final int MESSAGES = 500;
    private static final int BODY = 20_000;
    private static final int FLOOD = 40;

    @RegisterExtension
    private final ActiveMq broker = new ActiveMq(Map.of(
            "consumersMax", "4",
            "producersMax", "2",
            "transactionsMax", "1",
            "prefetchMax", "100",
            "inactivityMs", "500"));

    @Test
    void moreConsumersAndProducersThanAllowedAreRefused() throws JMSException {
        // The library has a consumer of its own, which hears of temporary destinations.
        Session session = broker.session();
        session.createConsumer(session.createQueue("a,b"));
        MessageConsumer third = session.createConsumer(session.createQueue("c.*"));
        assertThatThrownBy(() -> session.createConsumer(session.createQueue("d")))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("consumersMax");
        third.close();
        session.createConsumer(session.createQueue("d"));
        session.createProducer(session.createQueue("a"));
        session.createProducer(session.createQueue("a"));
        assertThatThrownBy(() -> session.createProducer(session.createQueue("a")))
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("producersMax");
    }

    @Test
    void aSessionThatIsClosedLeavesNoProducersBehind() throws JMSException {
        Connection connection = broker.connect();
        for (int i = 0; i < 3; i++) {
            Session session = connection.createSession();
            session.createProducer(session.createQueue("a"));
            session.createProducer(session.createQueue("a"));
            session.close();
        }
    }

    @Test
    void aSessionThatIsClosedLeavesNobodyBehindWhoHearsOfTemporaryDestinations() throws IOException {
        try (WirePeer peer = new WirePeer(broker.port(), "ID:closes").login()) {
            for (int i = 1; i <= 5; i++) {
                assertThat(peer.ask(watch(peer, i)).isException()).isFalse();
                assertThat(peer.ask(new SessionInfo(peer.session()).createRemoveCommand())
                                .isException())
                        .isFalse();
            }
        }
    }

    @Test
    void moreTransactionsThanAllowedAreRefused() throws IOException {
        try (WirePeer peer = new WirePeer(broker.port(), "ID:many").login()) {
            assertThat(peer.ask(begin(peer, 1)).isException()).isFalse();
            assertThat(peer.refusal(begin(peer, 2))).contains("transactionsMax");
        }
    }

    @Test
    void consumersThatHearOfTemporaryDestinationsCount() throws IOException {
        try (WirePeer peer = new WirePeer(broker.port(), "ID:watches").login()) {
            for (int i = 1; i <= 4; i++) {
                assertThat(peer.ask(watch(peer, i)).isException()).isFalse();
            }
            assertThat(peer.refusal(watch(peer, 5))).contains("consumersMax");
            assertThat(peer.ask(watch(peer, 1).createRemoveCommand()).isException())
                    .isFalse();
            assertThat(peer.ask(watch(peer, 5)).isException()).isFalse();
        }
    }

    private static ConsumerInfo watch(WirePeer peer, long number) {
        ConsumerInfo watch = new ConsumerInfo(new ConsumerId(peer.session(), number));
        watch.setDestination(AdvisorySupport.TEMP_DESTINATION_COMPOSITE_ADVISORY_TOPIC);
        return watch;
    }

    private static TransactionInfo begin(WirePeer peer, long number) {
        return new TransactionInfo(peer.id, new LocalTransactionId(peer.id, number), TransactionInfo.BEGIN);
    }

    @Test
    void whoHasLoggedInAndIsSilentForTwiceTheAgreedTimeIsEnded() throws IOException {
        try (WirePeer peer =
                new WirePeer(broker.port(), "ID:silent").speaksEvery(500).login()) {
            peer.awaitEnd();
        }
    }

    @Test
    void whoDoesNotReadHoldsUpNobodyAndGetsEverythingInTheEnd() throws Exception {
        Connection connection = broker.connect();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(session.createQueue("slow"));
        for (int i = 0; i < MESSAGES; i++) {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(new byte[BODY]);
            message.setIntProperty("n", i);
            producer.send(message);
        }
        session.commit();
        try (WirePeer slow = new WirePeer(broker.port(), "ID:slow").login()) {
            subscribe(slow, "slow", MESSAGES);
            Session other = broker.session();
            ActiveMq.send(other, other.createQueue("quick"), "1");
            assertThat(ActiveMq.text(other.createConsumer(other.createQueue("quick"))))
                    .isEqualTo("1");
            for (int i = 0; i < MESSAGES; i++) {
                MessageDispatch dispatch = slow.dispatch();
                assertThat(dispatch.getMessage().getProperty("n")).isEqualTo(i);
                // The prefetch was cut to what the listener allows.
                slow.tell(new MessageAck(dispatch, MessageAck.STANDARD_ACK_TYPE, 1));
            }
        }
    }

    /** More than the buffers of both sides hold. */
    private static void flood(Session session) throws JMSException {
        MessageProducer producer = session.createProducer(session.createQueue("flood"));
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        for (int i = 0; i < FLOOD; i++) {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(new byte[500_000]);
            message.setIntProperty("n", i);
            producer.send(message);
        }
    }

    @Test
    void whoNeitherReadsNorSendsIsEndedThoughItsSocketIsFull() throws Exception {
        Session session = broker.session();
        flood(session);
        try (WirePeer frozen =
                new WirePeer(broker.port(), "ID:frozen").speaksEvery(500).login()) {
            subscribe(frozen, "flood", FLOOD);
            MessageConsumer heir = session.createConsumer(session.createQueue("flood"));
            Set<Integer> inherited = new HashSet<>();
            for (int i = 0; i < FLOOD; i++) {
                inherited.add(heir.receive(ActiveMq.SOON_MS).getIntProperty("n"));
            }
            assertThat(inherited).hasSize(FLOOD);
        }
    }

    @Test
    void whoDoesNotReadIsToldOfTheTemporaryDestinationsThatAreLeft() throws Exception {
        Session session = broker.session();
        flood(session);
        try (WirePeer slow = new WirePeer(broker.port(), "ID:slow").login()) {
            assertThat(slow.ask(watch(slow, 2)).isException()).isFalse();
            TemporaryQueue early = session.createTemporaryQueue();
            subscribe(slow, "flood", FLOOD);
            for (int i = 0; i < MESSAGES; i++) {
                session.createTemporaryQueue().delete();
            }
            TemporaryQueue late = session.createTemporaryQueue();
            early.delete();
            Map<Object, Byte> told = new HashMap<>();
            int advisories = 0;
            Byte gone = DestinationInfo.REMOVE_OPERATION_TYPE;
            for (int messages = 0; messages < FLOOD || !told.containsKey(late) || !gone.equals(told.get(early)); ) {
                MessageDispatch dispatch = slow.dispatch();
                if (AdvisorySupport.isAdvisoryTopic(dispatch.getDestination())) {
                    DestinationInfo info =
                            (DestinationInfo) ((ActiveMQMessage) dispatch.getMessage()).getDataStructure();
                    told.put(info.getDestination(), info.getOperationType());
                    advisories++;
                } else {
                    messages++;
                }
            }
            assertThat(advisories).isLessThan(MESSAGES);
        }
    }

    /** How much a consumer is given at most, and how much that does not acknowledge. */
    @ParameterizedTest
    @CsvSource({"10,10", "100,100", "150,100"})
    void noMoreThanThePrefetchIsOut(int prefetch, int given) throws Exception {
        Session session = broker.session(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(session.createQueue("few"));
        for (int i = 0; i < 2 * given; i++) {
            Message message = session.createMessage();
            message.setIntProperty("n", i);
            producer.send(message);
        }
        session.commit();
        try (WirePeer first = new WirePeer(broker.port(), "ID:first").login();
                WirePeer second = new WirePeer(broker.port(), "ID:second").login()) {
            subscribe(first, "few", prefetch);
            for (int i = 0; i < given; i++) {
                assertThat(first.dispatch().getMessage().getProperty("n")).isEqualTo(i);
            }
            subscribe(second, "few", 1);
            assertThat(second.dispatch().getMessage().getProperty("n")).isEqualTo(given);
        }
    }

    private static void subscribe(WirePeer peer, String queue, int prefetch) throws IOException {
        ConsumerInfo consumer = new ConsumerInfo(new ConsumerId(peer.session(), 1));
        consumer.setDestination(new ActiveMQQueue(queue));
        consumer.setPrefetchSize(prefetch);
        assertThat(peer.ask(consumer).isException()).isFalse();
    }

    @Test
    void aProducerThatWaitsForNothingLosesNothing() throws JMSException {
        Session session =
                broker.connect(broker.factory("?jms.useAsyncSend=true")).createSession();
        MessageProducer producer = session.createProducer(session.createQueue("fast"));
        for (int i = 0; i < MESSAGES; i++) {
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(new byte[BODY]);
            producer.send(message);
        }
        Session other = broker.session();
        MessageConsumer consumer = other.createConsumer(other.createQueue("fast"));
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(consumer.receive(ActiveMq.SOON_MS)).as("message %d", i).isNotNull();
        }
    }
}
